package check

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// signedMailKind is a message of amp/0.1, in a mailbox or anywhere else.
var signedMailKind = kind{
	open: []DocumentKind{
		{Pattern: "**/*.json", MaxBytes: maxLetter, Marks: [][]string{letterMarks}},
		{Pattern: "**/messages/{inbox,sent}/*/{msg_,msg-}*.json", MaxBytes: maxLetter, Marks: [][]string{}},
	},
	known: func(doc *Document, _ Stores) bool {
		return jsonFile(doc) && len(doc.Text) <= maxLetter && (mailboxFile(doc.File) || isLetterText(doc.Text))
	},
	check: checkLetter,
}

// letterMarks occur in every message of amp/0.1.
var letterMarks = []string{`"envelope"`, `"payload"`, `"amp/`}

// maxLetter is the length in bytes of the longest text that is checked as signed mail.
const maxLetter = 2 * amp.MaxStored

// checkLetter checks signed mail against the rules of amp/0.1, and its signature against
// the keys that are known.
func checkLetter(_ context.Context, doc *Document, stores Stores, _ *Checked) (*Checked, error) {
	text := strings.TrimPrefix(doc.Text, byteOrderMark)
	base := len(doc.Text) - len(text)
	l := &openLetter{text: text, base: base}
	if base > 0 {
		l.found = append(l.found, ampPage.finding(0, base, Error, "JSN-0", "the text begins with a byte order mark; remove it"))
	}
	msg, err := amp.ParseMessage([]byte(text))
	if f, ok := errors.AsType[*canon.Fault](err); ok {
		at := *f
		if at.Rule == "PAY-8" {
			at.Offset = 0 // the text is too long: underline its start
		}
		l.add(&at, Error)
		return &Checked{Found: l.found}, nil
	}
	for severity, list := range [][]canon.Fault{Error: msg.Faults, Hint: msg.Notes} {
		for i := range list {
			l.add(&list[i], Severity(severity))
		}
	}
	l.trust(doc, &msg, stores)
	return &Checked{Found: l.found, Outside: true}, nil
}

// openLetter is a message that is open in an editor.
type openLetter struct {
	text  string // without a byte order mark
	base  int    // the length of the byte order mark
	found []Diagnostic
}

// add adds the diagnostic of a fault.
func (l *openLetter) add(f *canon.Fault, severity Severity) {
	start, end := faultSpan(l.text, f, f.Rule == "JSN-3")
	l.found = append(l.found, ampPage.finding(l.base+start, l.base+end, severity, f.Rule, f.Reason))
}

// trust adds a diagnostic at the signature that says how far it can be relied upon.
func (l *openLetter) trust(doc *Document, msg *amp.Message, stores Stores) {
	t, ok := stores.Trust(doc.Path, msg)
	if !ok || msg.Signature == "" { // a missing signature is a fault of its own
		return
	}
	rule, severity := "SIG-7", Warning
	switch t.State {
	case amp.TrustVerified, amp.TrustExternal, amp.TrustKeyUnknown, amp.TrustRepeated:
		severity = Information
	case amp.TrustExpired:
		rule = "ENV-7"
	}
	v, _ := valueAt(l.text, "envelope.signature")
	l.found = append(l.found, ampPage.finding(l.base+v.Offset, l.base+v.Offset+len(v.Raw), severity, rule, string(t.State)+": "+t.Reason))
}

// mailboxFile reports whether a path names a message in a mailbox, such as
// messages/inbox/<sender>/msg_….json.
func mailboxFile(file string) bool {
	name := path.Base(file)
	if !strings.HasPrefix(name, "msg_") && !strings.HasPrefix(name, "msg-") {
		return false
	}
	box := path.Dir(path.Dir(file))
	return (path.Base(box) == "inbox" || path.Base(box) == "sent") && path.Base(path.Dir(box)) == "messages"
}

// isLetterText reports whether the outermost object of a text has an envelope with an
// amp version. The text need not be valid JSON: somebody may be typing it.
func isLetterText(text string) bool {
	text = strings.TrimPrefix(text, byteOrderMark)
	if !holds(text, letterMarks) || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return false
	}
	envelope := false
	return anyName(text, func(depth int, name, value string) bool {
		switch {
		case depth == 1:
			envelope = name == "envelope" && strings.HasPrefix(value, "{")
		case depth == 2 && envelope:
			return name == "version" && strings.HasPrefix(value, `"amp/`)
		}
		return false
	})
}
