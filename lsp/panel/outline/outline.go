// Package outline lists the messages in a document, for editors. Start with [Of].
package outline

import (
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// mostEntries is the largest number of messages in an outline. readText is how many bytes
	// of a document are read for one.
	mostEntries = 5000
	readText    = 32 << 20
)

// Entry is a message in a document. Start and End are in bytes.
type Entry struct {
	Name, Detail string
	Start, End   int
}

// Source recognises files with one message of its format.
type Source interface {
	// Outline returns the message's name, which is not sanitized, and its time. It is
	// called for any text that may be JSON.
	Outline(text string) (name string, time int64, ok bool)
}

// Of returns the messages in a document, in their order. It reads SAMP logs, the
// messages.jsonl of an agent's thread, files with one message and the Markdown texts
// that commands return. For any other document it returns nothing. Lines that hold no
// message are skipped.
//
// The sources describe the files with one message of their own formats.
func Of(doc check.Document, sources ...Source) []Entry {
	text, _ := show.Clip(doc.Text, readText)
	name := path.Base(doc.File)
	switch _, isLog := samp.LogStem(name); {
	case isLog:
		return lines(text, record)
	case name == atsf.MessagesName:
		return lines(text, turn)
	case strings.HasSuffix(name, ".json"):
		return file(text, sources)
	case doc.Language == "markdown" || strings.HasSuffix(name, ".md"):
		return commandText(text)
	}
	return nil
}

// lines returns an entry for each line that describe recognises, at most
// mostEntries. It skips lines longer than longestLine.
func lines(text string, describe func(line []byte) (name, detail string, ok bool)) (list []Entry) {
	at := 0
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		line = strings.TrimRight(line, "\r\n")
		if len(line) > longestLine || line == "" {
			continue
		}
		if name, detail, ok := describe([]byte(line)); ok {
			list = append(list, Entry{symbolName(name), detail, start, start + len(line)})
		}
		if len(list) == mostEntries {
			break
		}
	}
	return list
}

// longestLine is the length of the longest line that is read as a message.
const longestLine = 1 << 20

// symbolName returns a text as the name of a symbol. It returns "(empty)" for an empty text, because
// clients refuse empty names.
func symbolName(s string) string {
	if line, _ := render.Line(s, 100); line != "" {
		return line
	}
	return "(empty)"
}

func record(line []byte) (name, detail string, ok bool) {
	r, err := samp.Parse(line)
	if err != nil {
		return "", "", false
	}
	body, _ := show.Clip(r.Body, 400)
	return r.From + " → " + r.To + ": " + body, show.When(show.Millis(r.TS)), true
}

func turn(line []byte) (name, detail string, ok bool) {
	m, err := atsf.ParseMessage(line)
	if err != nil {
		return "", "", false
	}
	text := ""
	for i := range m.Content {
		if m.Content[i].Text != "" {
			text, _ = show.Clip(m.Content[i].Text, 400)
			break
		}
	}
	if text == "" && len(m.Tools) > 0 {
		text = "[" + m.Tools[0].Name + "]"
	}
	return m.Role + ": " + text, show.When(show.Time(m.Time.Millis)), true
}

// file returns the entry of a file that contains one message, or nothing if it contains none.
func file(text string, sources []Source) []Entry {
	if len(text) > agn.MaxMessage || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return nil
	}
	for _, s := range sources {
		if name, time, ok := s.Outline(text); ok {
			return []Entry{{symbolName(name), show.When(time), 0, len(text)}}
		}
	}
	return nil
}

// commandText returns the outline of a Markdown text that a command returned: the headings of its
// messages and the list items that link to a thread.
func commandText(text string) []Entry {
	return lines(text, func(line []byte) (string, string, bool) {
		s := string(line)
		if head, ok := strings.CutPrefix(s, "## "); ok {
			name, when, _ := cutLast(head, ", ")
			return plain(name), show.Line(plain(when)), true
		}
		if item, ok := strings.CutPrefix(s, "- "); ok && strings.Contains(item, "](signalbox://") {
			title, rest, _ := strings.Cut(item[strings.Index(item, "[")+1:], "](")
			_, rest, _ = strings.Cut(rest, ")")
			return plain(title), show.Line(plain(strings.TrimPrefix(rest, ", "))), true
		}
		return "", "", false
	})
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// plain removes the Markdown characters that commands' texts use.
func plain(s string) string {
	return strings.NewReplacer("`", "", "**", "", `\`, "").Replace(s)
}
