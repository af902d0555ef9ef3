package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// A draft is the text twin of the compose panel: lines such as "To: alice", an empty
// line, the body. Its headers are those of the extension's compose documents, and
// two more: Answers says what the draft answers, as a ref, so that nothing is to be
// remembered between writing and sending; Action says how an escalation is answered.

// DraftEnding ends the names of documents that are drafts.
const DraftEnding = ".signalbox.md"

// DraftDocument names the document of a draft that the server opens.
const DraftDocument = "message" + DraftEnding

// IsDraft reports whether a document is named as a draft is.
func IsDraft(uri string) bool { return strings.HasSuffix(uri, DraftEnding) }

// written is a draft in its parts.
type written struct {
	panel.Draft        // ReplyTo is what it answers, of whatever kind
	Action      string // of an answer to an escalation
}

// header is one line of a draft, and where its value goes.
type header struct {
	name  string
	value *string
}

func (w *written) headers() []header {
	return []header{
		{"To", &w.To},
		{"Thread", &w.Thread},
		{"Subject", &w.Subject},
		{"Priority", &w.Priority},
		{"Type", &w.Type},
		{"Context", &w.Context},
		{"Action", &w.Action},
	}
}

// text writes a draft. It has the headers with a value, and the
// headers in ask for the user to fill in.
func (w *written) text(ask ...string) (string, error) {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, oneLine(value)) }
	for _, h := range w.headers() {
		asked := false
		for _, name := range ask {
			asked = asked || name == h.name
		}
		if asked || *h.value != "" {
			line(h.name, *h.value)
		}
	}
	for _, path := range w.Attachments {
		line("Attach", path)
	}
	if w.ReplyTo != nil {
		ref, err := codec.Marshal(w.ReplyTo)
		if err != nil {
			return "", err
		}
		line("Answers", string(ref))
	}
	return b.String() + "\n" + w.Body, nil
}

// oneLine keeps a value on its line: a stranger's subject must not become a header
// of its own, such as one that attaches a file of the user's.
func oneLine(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, value)
}

// readDraft reads a draft. Faults name the line, counted from 1.
func readDraft(text string) (*written, error) {
	w := &written{}
	head, body, ok := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	if !ok {
		return nil, codec.BadField("text", "has no empty line between its headers and its body")
	}
	w.Body = strings.TrimRight(body, "\n") // the last newline is how editors end a file
	seen := map[string]bool{}
	for i, line := range strings.Split(head, "\n") {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		wrong := func(format string, args ...any) error {
			return codec.BadField("text", "line %d: "+format, append([]any{i + 1}, args...)...)
		}
		if !ok {
			return nil, wrong("%q is no header such as \"To: alice\"", codec.Short(line))
		}
		if strings.EqualFold(name, "Attach") {
			if value != "" {
				w.Attachments = append(w.Attachments, value)
			}
			continue
		}
		lower := strings.ToLower(name)
		if seen[lower] {
			return nil, wrong("the header %q stands twice", codec.Short(name))
		}
		seen[lower] = true
		if err := w.set(name, value); err != nil {
			return nil, wrong("%s", err)
		}
	}
	return w, nil
}

// set takes one header.
func (w *written) set(name, value string) error {
	if strings.EqualFold(name, "Answers") {
		var ref panel.Ref
		if err := json.Unmarshal([]byte(value), &ref); err != nil || limits.Params("", ref) != nil {
			return errors.New("after Answers there is no ref (protocol, store, id)")
		}
		w.ReplyTo = &ref
		return nil
	}
	for _, h := range w.headers() {
		if strings.EqualFold(name, h.name) {
			*h.value = value
			return nil
		}
	}
	return fmt.Errorf("there is no header %q", codec.Short(name))
}

// escalation reports whether a draft answers an escalation.
func (w *written) escalation() bool { return w.ReplyTo != nil && w.ReplyTo.Protocol == mail.AGN }
