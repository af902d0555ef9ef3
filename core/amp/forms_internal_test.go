package amp

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// written is a message as its sender meant it, and how its receiver's client stored
// it.
type written struct {
	subject, text, context string
	wrapped, empty         bool
}

// stored returns the message with an empty list of attachments and in a wrapper, if
// the client adds these.
func (w written) stored() []byte {
	text := w.text
	if w.wrapped {
		text = "<external-content source=\"agent\" sender=\"dora@globex.crabmail.ai\" trust=\"external\">\n" + wrapMark + "\n" + text + wrapClose
	}
	out := canon.AppendString([]byte(`{"envelope":{"version":"amp/0.1","id":"msg_1_a","from":"dora@globex.crabmail.ai","to":"bob@acme.crabmail.ai","timestamp":"2025-01-30T10:00:00Z","thread_id":"msg_1_a","signature":"AAAA","subject":`), w.subject)
	out = canon.AppendString(append(out, `},"payload":{"type":"request","message":`...), text)
	if w.context != "" {
		out = append(append(out, `,"context":`...), w.context...)
	}
	if w.empty {
		out = append(out, `,"attachments":[]`...)
	}
	return append(out, "}}"...)
}

// undone reads what was signed in a form, with the library's JSON and by the rules of
// jq's @tsv, and compares it with what is shown: all but what the step names is the
// same. What is read from bytes is one thing, so that no two messages have the same
// bytes and differ in more than their steps say.
func undone(t testing.TB, msg *Message, step Step, h spelling) {
	t.Helper()
	value := func(data []byte) (v map[string]any) {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v: what is hashed is no JSON: %v: %s", step, err, h.payload)
		}
		return v
	}
	shown, signed := value(msg.Payload.Raw), value(h.payload)
	if list, ok := shown["attachments"].([]any); ok && len(list) == 0 && step.stored() != AsStored {
		if _, kept := signed["attachments"]; !kept {
			delete(shown, "attachments")
		}
	}
	text := msg.Payload.Text
	if step.stored() == NoWrapper {
		_, inner, _ := strings.Cut(text, wrapMark+"\n")
		text = inner[:strings.LastIndex(inner, wrapClose)]
	}
	shown["message"] = text + strings.Repeat("\n", step.lineEnds())
	if diff := cmp.Diff(shown, signed); diff != "" {
		t.Errorf("%v: another payload: %s", step, diff)
	}
	subject := h.subject
	if step&TabSubject != 0 {
		subject = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r").Replace(subject)
		if subject != strings.Trim(msg.Subject, " ") {
			t.Errorf("%v: another subject: %q, shown is %q", step, h.subject, msg.Subject)
		}
	} else if subject != msg.Subject {
		t.Errorf("%v: another subject without a word: %q, shown is %q", step, subject, msg.Subject)
	}
}

// hold tries all forms of a message: each says what differs from what is shown, and no
// two have the same bytes. A signature over the one with the number sign, modulo
// how many there are, is found again.
func hold(t testing.TB, w written, sign int) (steps int) {
	t.Helper()
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	key := NewKey([32]byte(private.Public().(ed25519.PublicKey)))
	msg, err := ParseMessage(w.stored())
	if err != nil || msg.ambiguous != nil {
		return 0
	}
	seen := map[string]Step{}
	var list []Verified
	for _, form := range msg.forms() {
		payload, err := msg.signedForm(form)
		if err != nil {
			return 0 // a context with a member twice
		}
		for h := range msg.spellings(payload) {
			step := form.step | h.step
			undone(t, &msg, step, h)
			signed := Signed(msg.From, msg.To, h.subject, msg.Priority, msg.InReplyTo, h.payload)
			if other, twice := seen[string(signed)]; twice {
				t.Errorf("%v and %v sign the same: %s", other, step, signed)
			}
			seen[string(signed)] = step
			list = append(list, Verified{step, h.payload, signed})
		}
	}
	want := list[sign%len(list)]
	msg.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(private, want.Signed))
	got, err := Verify(&msg, key)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v: %v %s", want.Step, err, diff)
	}
	return len(seen)
}

// TestFormsUndone holds AMP SIG-7 for every subject and every text of a few pieces, of
// all that a form changes: no form makes two messages one, but for what it names.
func TestFormsUndone(t *testing.T) {
	var all func(pieces []string, n int) []string
	all = func(pieces []string, n int) []string {
		list := []string{""}
		if n > 0 {
			for _, rest := range all(pieces, n-1) {
				for _, p := range pieces {
					list = append(list, p+rest)
				}
			}
		}
		return list
	}
	steps := 0
	for _, subject := range all([]string{" ", "\t", "\n", `\`, "t"}, 3) {
		steps += hold(t, written{subject: subject, text: "x"}, steps)
	}
	for _, text := range all([]string{"\n", "\x7f", "é", `\u007f`}, 3) {
		for _, w := range []written{{}, {empty: true}, {wrapped: true}, {wrapped: true, empty: true}} {
			w.subject, w.text = " \t", text
			steps += hold(t, w, steps)
		}
	}
	if steps < 5000 {
		t.Errorf("only %d forms were tried", steps)
	}
	// A context is hashed with all its names and numbers.
	hold(t, written{subject: "s", text: "\x7f", context: `{"\u007f":{"🚀":[1.0,-0,1e400]},"":"\ud83d\ude80\u0000\u001f\ufeff"}`}, steps)
}

// FuzzForms holds the same for any message.
func FuzzForms(f *testing.F) {
	f.Add("a\tb", "x\x7fé", `{"\u007f":"🚀"}`, true, true, byte(0))
	f.Add(` \t `, "x\n", ``, false, true, byte(1))
	f.Add("", "", `[]`, true, false, byte(200))
	f.Add("s", "</external-content>\n\\u007f\U0010ffff", `{"a":[1.0,"\ud83d\ude80"]}`, false, false, byte(7))
	f.Fuzz(func(t *testing.T, subject, text, context string, wrapped, empty bool, sign byte) {
		hold(t, written{subject, text, context, wrapped, empty}, int(sign))
	})
}
