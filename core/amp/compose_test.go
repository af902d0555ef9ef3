package amp_test

import (
	"bytes"
	"encoding/base64"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// draft is a message that may be sent.
func draft() amp.Draft {
	return amp.Draft{
		ID:             "msg_1795348800_0123456789abcdef",
		IdempotencyKey: "idk_550e8400-e29b-41d4-a716-446655440000",
		From:           "alice@acme.crabmail.ai",
		To:             "bob@acme.crabmail.ai",
		Subject:        "Question about the API",
		Millis:         noon,
		Expires:        noon + 7*24*3_600_000,
		Type:           "request",
		Text:           "Can you review the authentication changes?",
	}
}

func attachment() amp.Attachment {
	return amp.Attachment{
		ID: "att_1795348800_0123456789abcdef", Filename: "puma.log", ContentType: "text/plain", Size: 4, Digest: amp.Digest([]byte("logs")),
		URL: amp.LocalURL("att_1795348800_0123456789abcdef", "puma.log"), ScanStatus: amp.BasicClean, Uploaded: amp.At(noon), Expires: amp.At(noon + amp.MinTTL),
	}
}

// drafts are what real senders say, and what implementations differ on.
func drafts() map[string]amp.Draft {
	unicode := draft()
	unicode.Subject = "Überprüfung | 日本語 🚀 «é»"
	unicode.Text = "Zeile 1 — ß\n\t\"quotes\" \\ <b>&amp;</b>"
	unicode.Priority = amp.Urgent
	numbers := draft()
	numbers.Context = []byte(`{"z": {"b": 1.0, "a": [1e-7, -0, 10000000000000000000000, 0.10, 1E5]}, "Ä": true, "A": "upper before lower", "none": null, "o": {"none": null}}`)
	reply := draft()
	reply.Type, reply.Text, reply.InReplyTo, reply.ThreadID = "response", "", "msg_1795249999395_8e954fc9", "msg_1795249958451_30328b7b"
	separators := draft()
	separators.Subject = "a\u2028b\u007fc"
	separators.Text = "\u2028\u2029\u007f\u0000\u001f\u0085\ufeff/"
	separators.Context = []byte(`{"\u2028": "\u007f\u00e9\/"}`)
	files := draft()
	files.Type, files.Attachments = "github:pull_request", []amp.Attachment{attachment()}
	return map[string]amp.Draft{"plain": draft(), "unicode": unicode, "numbers": numbers, "reply": reply, "separators": separators, "files": files}
}

func compose(t testing.TB, d amp.Draft) *amp.Letter {
	t.Helper()
	l, err := amp.Compose(d)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestCompose holds that what is written breaks no rule and is noted for nothing,
// is the same for the same draft, says what the draft says, has its payload written
// as it is hashed, and verifies as stored with each kind of key: AMP ATT-1, IDK-2,
// JSN-2, JSN-4, JSN-5, SIG-1, SIG-4 and SIG-6.
func TestCompose(t *testing.T) {
	keys := signers(t)
	for name, d := range drafts() {
		for kind, s := range keys {
			t.Run("AMP SIG-1 "+name+" "+kind, func(t *testing.T) {
				l := compose(t, d)
				if again := compose(t, d); !bytes.Equal(again.Signed(), l.Signed()) {
					t.Error("another text for the same draft")
				}
				data, err := l.Finish(s.sign(l.Signed()))
				if err != nil {
					t.Fatal(err)
				}
				m := parse(t, data)
				if len(m.Faults)+len(m.Notes) > 0 {
					t.Errorf("%+v", m.Findings)
				}
				v, err := amp.Verify(&m, s.key)
				if err != nil || v.Step != amp.AsStored || !bytes.Equal(v.Signed, l.Signed()) || !bytes.Equal(m.Payload.Raw, l.Payload()) || bytes.Contains(m.Raw, []byte("null")) {
					t.Errorf("%v %v\n%s", v.Step, err, data)
				}
				want := d
				want.Priority, want.ThreadID = m.Priority, m.ThreadID
				got := amp.Draft{
					ID: m.ID, IdempotencyKey: m.IdempotencyKey, From: m.From, To: m.To, Subject: m.Subject, Priority: m.Priority, Millis: m.Time.Millis, Expires: m.Expires.Millis,
					InReplyTo: m.InReplyTo, ThreadID: m.ThreadID, Type: m.Payload.Type, Text: m.Payload.Text, Attachments: m.Payload.Attachments,
				}
				want.Context = nil
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	m := parse(t, []byte(finish(t, drafts()["numbers"])))
	const want = `{"A":"upper before lower","o":{},"z":{"a":[1e-7,-0,10000000000000000000000,0.10,1E5],"b":1.0},"Ä":true}`
	if string(m.Payload.Context) != want {
		t.Errorf("AMP JSN-1: %s", m.Payload.Context)
	}
	if m := parse(t, []byte(finish(t, draft()))); m.ThreadID != m.ID || m.Priority != amp.Normal {
		t.Errorf("AMP ENV-5 ENV-11: %+v", m)
	}
}

func finish(t testing.TB, d amp.Draft) string {
	t.Helper()
	data, err := compose(t, d).Finish(make([]byte, 64))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestComposeRefuses holds that composing is strict: everything that reading lists,
// a note included, and what only a composer must know.
func TestComposeRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string // with the rule
		change func(d *amp.Draft)
	}{
		{"AMP ENV-2 missing", func(d *amp.Draft) { d.ID, d.ThreadID = "", "msg_1_a" }},
		{"AMP ENV-2 milliseconds", func(d *amp.Draft) { d.ID = "msg_1795348800000_abc" }},
		{"AMP ENV-2 dashes", func(d *amp.Draft) { d.ID = "msg-1795348800-abc" }},
		{"AMP ENV-3 short", func(d *amp.Draft) { d.To = "bob" }},
		{"AMP ENV-3 capitals", func(d *amp.Draft) { d.From = "Alice@acme.crabmail.ai" }},
		{"AMP ENV-4 too long", func(d *amp.Draft) { d.Subject = strings.Repeat("é", 257) }},
		{"AMP ENV-5 unknown", func(d *amp.Draft) { d.Priority = "asap" }},
		{"AMP ENV-7 already over", func(d *amp.Draft) { d.Expires = d.Millis - 1000 }},
		{"AMP ENV-10 no id", func(d *amp.Draft) { d.InReplyTo = "that one" }},
		{"AMP ENV-11 a reply without a thread", func(d *amp.Draft) { d.InReplyTo = "msg_1_a" }},
		{"AMP ENV-11 a new one in a thread", func(d *amp.Draft) { d.ThreadID = "msg_1_a" }},
		{"AMP IDK-1 another form", func(d *amp.Draft) { d.IdempotencyKey = "retry" }},
		{"AMP IDK-2 missing", func(d *amp.Draft) { d.IdempotencyKey = "" }},
		{"AMP PAY-1 unknown", func(d *amp.Draft) { d.Type = "letter" }},
		{"AMP PAY-1 missing", func(d *amp.Draft) { d.Type = "" }},
		{"AMP PAY-2 no name", func(d *amp.Draft) { d.Type = "github:" }},
		{"AMP PAY-3 too long", func(d *amp.Draft) { d.Text = strings.Repeat("x", amp.MaxText+1) }},
		{"AMP PAY-4 no object", func(d *amp.Draft) { d.Context = []byte(`[]`) }},
		{"AMP PAY-4 no JSON", func(d *amp.Draft) { d.Context = []byte(`{`) }},
		{"AMP JSN-3 two members", func(d *amp.Draft) { d.Context = []byte(`{"a":1,"a":2}`) }},
		{"AMP PAY-4 too long", func(d *amp.Draft) { d.Context = []byte(`{"a":"` + strings.Repeat("x", amp.MaxContext) + `"}`) }},
		{"AMP PAY-4 NaN", func(d *amp.Draft) { d.Context = []byte(`{"a":NaN}`) }},
		{"AMP PAY-4 more members", func(d *amp.Draft) { d.Context = []byte(`{},"type":"x"`) }},
		{"AMP JSN-0 too deep", func(d *amp.Draft) {
			d.Context = []byte(`{"a":` + strings.Repeat("[", 62) + strings.Repeat("]", 62) + `}`)
		}},
		{"AMP JSN-0 half a character", func(d *amp.Draft) { d.Context = []byte(`{"a":"\ud800"}`) }},
		{"AMP JSN-0 not UTF-8", func(d *amp.Draft) { d.Text = "\xff" }},
		{"AMP JSN-1 in an array", func(d *amp.Draft) { d.Context = []byte(`{"a":[1,null]}`) }},
		{"AMP JSN-1 itself", func(d *amp.Draft) { d.Context = []byte(`null`) }},
		{"AMP JSN-4 infinite", func(d *amp.Draft) { d.Context = []byte(`{"a":1e999}`) }},
		{"AMP PAY-8 all together", func(d *amp.Draft) {
			d.Text = strings.Repeat("\x01", amp.MaxText) // six bytes each
			d.Context = []byte(`{"a":"` + strings.Repeat("x", amp.MaxContext-100) + `"}`)
		}},
		{"AMP ATT-3 no url", func(d *amp.Draft) { d.Attachments[0].URL = "" }},
		{"AMP ATT-3 no type", func(d *amp.Draft) { d.Attachments[0].ContentType = "" }},
		{"AMP ATT-3 no MIME type", func(d *amp.Draft) { d.Attachments[0].ContentType = "text" }},
		{"AMP ATT-3 a negative size", func(d *amp.Draft) { d.Attachments[0].Size = -1 }},
		{"AMP ATT-4 too long", func(d *amp.Draft) { d.Attachments[0].Filename = strings.Repeat("x", 256) }},
		{"AMP ATT-5 unknown", func(d *amp.Draft) { d.Attachments[0].ScanStatus = "fine" }},
		{"AMP ATT-6 pending", func(d *amp.Draft) { d.Attachments[0].ScanStatus = amp.Pending }},
		{"AMP ATT-6 unscanned, to be routed", func(d *amp.Draft) { d.Attachments[0].ScanStatus, d.Routed = amp.Unscanned, true }},
		{"AMP ATT-7 rejected", func(d *amp.Draft) { d.Attachments[0].ScanStatus = amp.Rejected }},
		{"AMP ATT-8 kept too short", func(d *amp.Draft) { d.Attachments[0].Expires = amp.At(noon + amp.MinTTL - 1000) }},
		{"AMP ATT-9 too large", func(d *amp.Draft) { d.Attachments[0].Size = amp.MaxAttachment + 1 }},
		{"AMP ATT-9 eleven", func(d *amp.Draft) { d.Attachments = eleven() }},
		{"AMP ATT-10 a path", func(d *amp.Draft) { d.Attachments[0].Filename = "../x" }},
		{"AMP ATT-11 other letters", func(d *amp.Draft) { d.Attachments[0].Filename = "Größe" }},
		{"AMP ATT-12 device", func(d *amp.Draft) { d.Attachments[0].Filename = "nul.txt" }},
		{"AMP ATT-13 dots", func(d *amp.Draft) { d.Attachments[0].Filename = ".x" }},
		{"AMP ATT-14 encoded", func(d *amp.Draft) { d.Attachments[0].Filename = "a%2Fb" }},
		{"AMP ATT-15 a path", func(d *amp.Draft) { d.Attachments[0].ID = "att_1_.." }},
		{"AMP ATT-15 not hexadecimal", func(d *amp.Draft) { d.Attachments[0].ID = "att_1_xyz" }},
		{"AMP ATT-15 twice", func(d *amp.Draft) { d.Attachments = append(d.Attachments, d.Attachments[0]) }},
		{"AMP ATT-22 another algorithm", func(d *amp.Draft) { d.Attachments[0].Digest = "md5:00" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := draft()
			d.Attachments = []amp.Attachment{attachment()}
			compose(t, d)
			c.change(&d)
			rule := strings.Fields(c.name)[1]
			if _, err := amp.Compose(d); err == nil || fault(t, err).Rule != rule {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := compose(t, draft()).Finish(nil); fault(t, err).Rule != "SIG-1" {
		t.Errorf("AMP SIG-1: %v", err)
	}
	local := draft()
	a := attachment()
	a.ScanStatus = amp.Unscanned
	local.Attachments = []amp.Attachment{a}
	compose(t, local) // AMP ATT-6: on one machine nobody scans
}

func eleven() []amp.Attachment {
	var list []amp.Attachment
	for i := range 11 {
		a := attachment()
		a.ID = amp.NewAttachmentID(noon, [8]byte{byte(i)})
		list = append(list, a)
	}
	return list
}

// TestLimits holds that the limits themselves may be sent: AMP ENV-4, PAY-3, PAY-4,
// PAY-8, ATT-8 and ATT-9.
func TestLimits(t *testing.T) {
	d := draft()
	d.Subject = strings.Repeat("🚀", amp.MaxSubject)
	d.Text = strings.Repeat("x", amp.MaxText)
	d.Context = []byte(`{"a":"` + strings.Repeat("x", amp.MaxContext-8) + `"}`)
	d.Attachments = eleven()[:10]
	for i := range d.Attachments {
		d.Attachments[i].Size = amp.MaxAttachmentsTotal / 10
	}
	compose(t, d)
	for i := range 4 {
		d.Attachments[i].Size = amp.MaxAttachment
	}
	d.Attachments = d.Attachments[:4]
	received, err := amp.Receive([]byte(finish(t, d)), noon, "local")
	if err != nil {
		t.Fatal(err)
	}
	if m := parse(t, received); len(m.Faults) > 0 {
		t.Errorf("%+v", m.Faults)
	}
}

// TestOpenSSL holds AMP SIG-6 and the text's commands: the bytes to sign are those
// that were signed with openssl, and what it made of them verifies.
//
//	openssl pkeyutl -sign -inkey ed25519.pem -rawin -in NAME.txt | base64 -w0 > NAME.ed25519
//	openssl dgst -sha256 -sign rsa.pem NAME.txt | base64 -w0 > NAME.rsa
//	openssl dgst -sha256 -sign ecdsa.pem NAME.txt | base64 -w0 > NAME.ecdsa
func TestOpenSSL(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "amp", "openssl", "*.txt"))
	if err != nil || len(paths) != len(drafts()) {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for name, d := range drafts() {
		l := compose(t, d)
		if want := file(t, "openssl", name+".txt"); !bytes.Equal(l.Signed(), want) {
			t.Errorf("%s: %q, want %q", name, l.Signed(), want)
		}
		for _, kind := range []string{"ed25519", "rsa", "ecdsa"} {
			k, err := amp.ParseKey(file(t, "openssl", kind+".public.pem"))
			if err != nil {
				t.Fatal(err)
			}
			sig, err := base64.StdEncoding.DecodeString(string(file(t, "openssl", name+"."+kind)))
			if err != nil {
				t.Fatal(err)
			}
			data, err := l.Finish(sig)
			if err != nil {
				t.Fatal(err)
			}
			m := parse(t, data)
			if v, err := amp.Verify(&m, k); err != nil || v.Step != amp.AsStored {
				t.Errorf("%s %s: %v %v", name, kind, v.Step, err)
			}
		}
	}
	if !slices.Contains(paths, filepath.Join("..", "..", "testdata", "amp", "openssl", "separators.txt")) {
		t.Error("separators.txt is missing")
	}
}

// TestPortability holds AMP SIG-4 where implementations differ: what they print
// otherwise is named before it is signed.
func TestPortability(t *testing.T) {
	for name, want := range map[string]string{
		"plain": "", "unicode": "", "reply": "", "files": "",
		"numbers":    "SIG-4 payload.context.z.a[0], SIG-4 payload.context.z.a[1], SIG-4 payload.context.z.a[2], SIG-4 payload.context.z.a[3], SIG-4 payload.context.z.a[4], SIG-4 payload.context.z.b",
		"separators": "SIG-4 payload.context., SIG-4 payload.message",
	} {
		if got := rules(compose(t, drafts()[name]).Portability()); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	// The names of members are hashed as well.
	d := draft()
	d.Context = []byte(`{"list": [{"a\u007f": {"b": "\u007f"}}], "c\u007f": "\u007f", "d": "u007f"}`)
	got := compose(t, d).Portability()
	if want := "SIG-4 payload.context.c\x7f, SIG-4 payload.context.c\x7f, SIG-4 payload.context.list[0].a\x7f, SIG-4 payload.context.list[0].a\x7f.b"; rules(got) != want {
		t.Errorf("%q, want %q", rules(got), want)
	}
	if want := `the name "payload.context.c\x7f" holds U+007F`; !slices.ContainsFunc(got, func(f canon.Fault) bool { return strings.HasPrefix(f.Reason, want) }) {
		t.Errorf("%+v", got)
	}
}

// TestReply holds AMP ENV-10 and AMP ENV-11: an answer names its message and stays in
// its thread, and can be sent, whatever the message's sender wrote.
func TestReply(t *testing.T) {
	for name, data := range fixtures(t) {
		m := parse(t, data)
		d := amp.Reply(&m)
		d.ID, d.IdempotencyKey, d.Millis, d.Type = draft().ID, draft().IdempotencyKey, noon, "ack"
		answer := parse(t, []byte(finish(t, d)))
		if answer.InReplyTo != m.ID || answer.ThreadID != m.ThreadID || answer.To != m.From || answer.From != m.To {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	for subject, want := range map[string]string{
		"": "Re: ", "Logs": "Re: Logs", "Re: Logs": "Re: Logs", "RE:Logs": "RE:Logs", "re": "Re: re",
		strings.Repeat("é", 256): "Re: " + strings.Repeat("é", 251) + "…", strings.Repeat("é", 252): "Re: " + strings.Repeat("é", 252),
		`a\u001b[31m\u202eb\n\u200bc`: "Re: a[31mbc",
	} {
		m := parse(t, change(t, `"Logs"`, `"`+subject+`"`))
		if d := amp.Reply(&m); d.Subject != want {
			t.Errorf("AMP ENV-4: %.20q gives %.20q", subject, d.Subject)
		}
	}
	m := parse(t, change(t, `"thread_id": "msg_1738231100_def456"`, `"thread_id": "../x"`))
	if d := amp.Reply(&m); d.ThreadID != m.ID {
		t.Errorf("AMP ENV-11: %q", d.ThreadID)
	}
}
