package panel

import (
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// outlineMost is the largest number of messages in an outline. outlineText is how
	// much of a document is read for one, in bytes.
	outlineMost = 5000
	outlineText = 32 << 20
)

// Outlined is a message in a document. Start and End are in bytes.
type Outlined struct {
	Name, Detail string
	Start, End   int
}

// Outline returns the messages in a document, in their order. It knows SAMP logs, the
// messages.jsonl of an agent's thread, files with one message and the Markdown texts
// that commands return. For any other document it returns nothing. Lines that hold no
// message are skipped.
//
// The sources describe the files with one message of their own formats.
func Outline(doc diagnose.Document, sources ...Outlining) []Outlined {
	text, _ := show.Clip(doc.Text, outlineText)
	name := path.Base(doc.File)
	switch _, isLog := samp.LogStem(name); {
	case isLog:
		return outlineLines(text, outlineRecord)
	case name == atsf.MessagesName:
		return outlineLines(text, outlineTurn)
	case strings.HasSuffix(name, ".json"):
		return outlineFile(text, sources)
	case doc.Language == "markdown" || strings.HasSuffix(name, ".md"):
		return outlineTwin(text)
	}
	return nil
}

// outlineLines returns an entry for each line that describe recognises, at most
// outlineMost. It skips lines longer than maxOutlined.
func outlineLines(text string, describe func(line []byte) (name, detail string, ok bool)) (list []Outlined) {
	at := 0
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		line = strings.TrimRight(line, "\r\n")
		if len(line) > maxOutlined || line == "" {
			continue
		}
		if name, detail, ok := describe([]byte(line)); ok {
			list = append(list, Outlined{shown(name), detail, start, start + len(line)})
		}
		if len(list) == outlineMost {
			break
		}
	}
	return list
}

// maxOutlined is the length of the longest line that is read as a message.
const maxOutlined = 1 << 20

// shown returns a text as the name of a symbol, and "(empty)" for an empty one: clients
// refuse empty names.
func shown(s string) string {
	if line, _ := render.Line(s, 100); line != "" {
		return line
	}
	return "(empty)"
}

func outlineRecord(line []byte) (name, detail string, ok bool) {
	r, err := samp.Parse(line)
	if err != nil {
		return "", "", false
	}
	body, _ := show.Clip(r.Body, 400)
	return r.From + " → " + r.To + ": " + body, When(show.Millis(r.TS)), true
}

func outlineTurn(line []byte) (name, detail string, ok bool) {
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
	return m.Role + ": " + text, When(show.Time(m.Time.Millis)), true
}

// outlineFile returns the one entry of a file that holds one message, or nothing if the
// file holds none.
func outlineFile(text string, sources []Outlining) []Outlined {
	if len(text) > agn.MaxMessage || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return nil
	}
	for _, s := range sources {
		if name, time, ok := s.Outline(text); ok {
			return []Outlined{{shown(name), When(time), 0, len(text)}}
		}
	}
	return nil
}

// outlineTwin returns the outline of a text that a command returned: the headings of
// its messages and the list items that link to a thread.
func outlineTwin(text string) []Outlined {
	return outlineLines(text, func(line []byte) (string, string, bool) {
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

// plain removes the Markdown signs that our own texts use.
func plain(s string) string {
	return strings.NewReplacer("`", "", "**", "", `\`, "").Replace(s)
}

// Outline returns the outline of a document as [Outline] does, with the panels' own
// sources.
func (p *Panels) Outline(doc diagnose.Document) []Outlined {
	var list []Outlining
	for _, s := range p.sources {
		if has, ok := s.(Outlining); ok {
			list = append(list, has)
		}
	}
	return Outline(doc, list...)
}
