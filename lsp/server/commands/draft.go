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

// A draft is a message as a text document: header lines such as "To: alice", an empty line,
// and the body. It has the headers of the extension's compose documents and two more.
// Answers is the ref of the message that the draft answers, so that the server need not
// remember it. Action is the action of an answer to an escalation.

// DraftEnding is the ending of the names of drafts.
const DraftEnding = ".signalbox.md"

// DraftDocument is the name of a draft that the server opens.
const DraftDocument = "message" + DraftEnding

// IsDraft reports whether a document has the name of a draft.
func IsDraft(uri string) bool { return strings.HasSuffix(uri, DraftEnding) }

// written is a parsed draft.
type written struct {
	panel.Draft        // ReplyTo is what it answers, a message or an escalation
	Action      string // the action of an answer to an escalation
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

// text returns the draft as a document. It has the headers with a value, and the headers
// in ask for the user to fill in.
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

// oneLine replaces control characters and line ends with spaces: an untrusted subject must
// not add a header, such as one that attaches a file of the user.
func oneLine(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, value)
}

// readDraft parses a draft. Its errors have the line, counted from 1.
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

// set sets the value of one header.
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
