package panel

import (
	"errors"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// checkLetter holds signed mail against the rules of amp/0.1, and its signature
// against the keys that are known.
func checkLetter(doc *Document, around *Around) *Checked {
	text := strings.TrimPrefix(doc.Text, byteOrderMark)
	base := len(doc.Text) - len(text)
	l := &openLetter{text: text, base: base}
	if base > 0 {
		l.found = append(l.found, Diagnostic{End: base, Rule: "JSN-0", Message: "the text begins with a byte order mark", About: ruleAt("amp.md", "JSN-0")})
	}
	msg, err := amp.ParseMessage([]byte(text))
	if f, ok := errors.AsType[*canon.Fault](err); ok {
		at := *f
		if at.Rule == "PAY-8" {
			at.Offset = 0 // of a text that is too long its start is looked at
		}
		l.add(&at, Broken)
		return &Checked{Found: l.found}
	}
	for severity, list := range [][]canon.Fault{Broken: msg.Faults, Hint: msg.Notes} {
		for i := range list {
			l.add(&list[i], Severity(severity))
		}
	}
	return &Checked{Found: l.found, Outside: l.trust(doc, &msg, around)}
}

// openLetter is a message that is open in an editor.
type openLetter struct {
	text  string // behind a byte order mark
	base  int
	found []Diagnostic
}

func (l *openLetter) add(f *canon.Fault, severity Severity) {
	start, end := l.span(f)
	l.found = append(l.found, Diagnostic{
		Start: l.base + start, End: l.base + end, Severity: severity, Rule: f.Rule, Message: safe(f.Reason), About: ruleAt("amp.md", f.Rule),
	})
}

// span gives a fault its place: the value, the name of the object that lacks a
// member, or the name of a member that stands twice.
func (l *openLetter) span(f *canon.Fault) (start, end int) {
	start = max(0, min(f.Offset, len(l.text)))
	if start == len(l.text) {
		// A text that ends too early is marked at its last character.
		end = len(strings.TrimRight(l.text, " \t\r\n"))
		return max(0, end-1), end
	}
	for start < len(l.text)-1 && strings.IndexByte(" \t\r\n", l.text[start]) >= 0 {
		start++
	}
	end = start + max(1, valueLength(l.text[start:]))
	// What is not at the offset stands in the object there.
	if l.text[start] == '{' && f.Rule != "JSN-3" {
		if v, ok := valueAt(l.text, f.Field); ok && start < v.Offset {
			return v.Offset, v.Offset + valueLength(l.text[v.Offset:])
		}
	}
	from, to, named := keyBefore(l.text, start)
	if !named || f.Field == "" {
		return start, end
	}
	if f.Rule == "JSN-3" || l.text[start] == '{' && l.text[from:to] != `"`+lastName(f.Field)+`"` {
		return from, to
	}
	return start, end
}

// trust says what the signature is worth, at the signature. It reports whether
// there was anything to judge by.
func (l *openLetter) trust(doc *Document, msg *amp.Message, around *Around) (outside bool) {
	if around.Trust == nil {
		return false
	}
	t, ok := around.Trust(doc.Path, msg)
	if !ok || msg.Signature == "" { // which is a fault by itself
		return true
	}
	rule, severity := "SIG-7", Guess
	switch t.State {
	case amp.TrustVerified, amp.TrustExternal, amp.TrustKeyUnknown, amp.TrustRepeated:
		severity = Remark
	case amp.TrustExpired:
		rule = "ENV-7"
	}
	start, end := l.signature()
	l.found = append(l.found, Diagnostic{
		Start: l.base + start, End: l.base + end, Severity: severity, Rule: rule,
		Message: safe(string(t.State) + ": " + t.Reason), About: ruleAt("amp.md", rule),
	})
	return true
}

// signature gives the place of the envelope's signature.
func (l *openLetter) signature() (start, end int) {
	for _, m := range membersOf(l.text, wholeText(l.text)) {
		if m.name != "envelope" {
			continue
		}
		for _, in := range membersOf(l.text, m.value) {
			if in.name == "signature" {
				start, end = in.value.Offset, in.end()
			}
		}
	}
	return start, end
}
