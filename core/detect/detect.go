// Package detect finds out which mail format a file has, and which kind of file it is.
// Start with [File]. It uses names and a bounded part of the content, and never relies
// on a single word: two formats are called AMP by their authors.
//
// The package imports core/mail, core/canon and the formats, which define their names
// and ids. It is pure.
package detect

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// Kind is the kind of a file in its format.
type Kind string

// The kinds of files. A Message is a file of AMP/1.0 or amp/0.1. The messages of SAMP
// and ATSF are lines of a Log and of Messages.
const (
	Log        Kind = "log"
	Watermark  Kind = "watermark"
	Message    Kind = "message"
	Ack        Kind = "ack"
	Resume     Kind = "resume"
	Task       Kind = "task"
	Rejections Kind = "rejections"
	Thread     Kind = "thread"
	Messages   Kind = "messages"
	Config     Kind = "config"
)

// Certainty is the evidence for the answer.
type Certainty string

const (
	// ByName means that the content does not show the format: it is empty, broken at
	// its very beginning, or something else.
	ByName Certainty = "name"
	// ByContent means that a value has the members of the format, whatever the file is
	// called. They may still break its rules.
	ByContent Certainty = "content"
)

// Found is the result for a file. A Found with only a Reason is a file of no known format.
type Found struct {
	Protocol  mail.Protocol
	Kind      Kind
	Certainty Certainty
	// Reason is a phrase for a person. It quotes nothing of the file.
	Reason string
}

// MaxRead is how many bytes of a file are read. The members that distinguish the formats
// come first in a value, before anything long, and the last member need not be
// complete.
const MaxRead = 64 << 10

// maxLines is how many lines of a log are read, in case the first are damaged.
const maxLines = 64

// File returns the format and kind of a file. name is its base name, or its path below a
// directory with slashes, or empty. data is its content, or the beginning of it. Content
// counts more than the name.
func File(name string, data []byte) Found {
	if f := content(data[:min(len(data), MaxRead)]); f.Certainty != "" {
		return f
	}
	if f := byName(name); f.Certainty != "" {
		return f
	}
	return Found{Reason: "neither the name nor the content is that of a format"}
}

// content reads data as one value, which may have many lines, and then line by line.
func content(data []byte) Found {
	value := read(data)
	if f := value.document(); f.Certainty != "" {
		return f
	}
	if f := value.line(); f.Certainty != "" {
		return f
	}
	rest := data
	for range maxLines {
		var line []byte
		var more bool
		line, rest, more = bytes.Cut(rest, []byte{'\n'})
		if len(line) > 0 && line[0] == '{' {
			record := read(line)
			if f := record.line(); f.Certainty != "" {
				return f
			}
		}
		if !more {
			break
		}
	}
	return Found{}
}
