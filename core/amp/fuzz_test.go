package amp_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// FuzzMessage holds that any bytes give a message or a fault, with offsets inside
// the text; that the payload of what was read has one form, which is its own; and
// that another state can be set without a byte of what was signed changed.
func FuzzMessage(f *testing.F) {
	for _, data := range fixtures(f) {
		f.Add(data)
	}
	f.Add([]byte(sound))
	for _, seed := range []string{`{}`, `{"envelope":{},"payload":{}}`, `{"payload":{"a":1,"a":2}}`, `{"payload":{"message":"\ud800"}}`, `{"local":{"status":null},"metadata":{"status":1}}`, `{"envelope":{"version":"amp/9"}}`} {
		f.Add([]byte(seed))
	}
	k := key(f, "alice")
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		m, err := amp.ParseMessage(data)
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if f := fault(t, err); f.Offset < 0 || f.Offset > len(data) && f.Rule != "PAY-8" || f.Rule == "" || f.Reason == "" {
				t.Fatalf("%+v", f)
			}
			return
		}
		for _, list := range [][]canon.Fault{m.Faults, m.Notes} {
			if len(list) > canon.MaxFindings {
				t.Fatal("too many findings")
			}
			for _, f := range list {
				if f.Offset < 0 || f.Offset > len(data) || f.Rule == "" || f.Reason == "" {
					t.Fatalf("%+v", f)
				}
			}
		}
		_ = amp.Judge(&m, amp.Known{Keys: []amp.Key{k}})
		signed, err := m.Signed()
		if err != nil {
			fault(t, err)
		} else {
			p, err := amp.PayloadBytes(m.Payload.Raw)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := amp.PayloadBytes(p); err != nil || !bytes.Equal(again, p) {
				t.Fatalf("%q becomes %q: %v", p, again, err)
			}
		}
		for _, status := range []string{amp.Read, amp.Unread} {
			out, err := amp.SetStatus(data, status, noon)
			if err != nil {
				fault(t, err)
				continue
			}
			other := parse(t, out)
			if other.Local.Status != status || !bytes.Equal(other.Payload.Raw, m.Payload.Raw) {
				t.Fatalf("%s: %s", status, out)
			}
			if after, err := other.Signed(); err == nil != (signed != nil) || !bytes.Equal(after, signed) {
				t.Fatalf("what is signed has changed: %s", out)
			}
			if once, err := amp.SetStatus(out, status, noon); err != nil || !bytes.Equal(once, out) {
				t.Fatalf("again: %s %v", once, err)
			}
		}
	})
}

// FuzzCompose holds that what is composed is read as the same, without a fault or a
// note, and that nothing of it can be taken for something else that is signed.
func FuzzCompose(f *testing.F) {
	for _, d := range drafts() {
		f.Add(d.ID, d.From, d.To, d.Subject, d.Priority, d.InReplyTo, d.ThreadID, d.Type, d.Text, d.Context, d.Millis, "x.txt")
	}
	f.Add("", "a@b.c|d@e.f", "", "|||", "low|", "|", "", "a:b", "\xff", []byte(`{"a":null}`), int64(-1), "../x")
	f.Fuzz(func(t *testing.T, id, from, to, subject, priority, reply, thread, kind, text string, context []byte, millis int64, name string) {
		d := draft()
		d.ID, d.From, d.To, d.Subject, d.Priority, d.InReplyTo, d.ThreadID, d.Type, d.Text, d.Context, d.Millis, d.Expires = id, from, to, subject, priority, reply, thread, kind, text, context, millis, 0
		if name != "" {
			a := attachment()
			a.Filename = name
			d.Attachments = []amp.Attachment{a}
		}
		l, err := amp.Compose(d)
		if err != nil {
			fault(t, err)
			return
		}
		data, err := l.Finish(make([]byte, 64))
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, data)
		if len(m.Faults)+len(m.Notes) > 0 || m.From != from || m.To != to || m.Subject != subject || m.Payload.Text != text || m.Payload.Type != kind || m.InReplyTo != reply || m.ID != id {
			t.Fatalf("%+v\n%s", m, data)
		}
		signed, err := m.Signed()
		if err != nil || !bytes.Equal(signed, l.Signed()) || bytes.Count(signed, []byte("|")) != 5+bytes.Count([]byte(subject), []byte("|")) {
			t.Fatalf("%v %s", err, signed)
		}
		if safe, err := amp.SafeFilename(name); name != "" && (err != nil || safe != name) {
			t.Fatalf("%q %v", safe, err)
		}
	})
}

// FuzzKey holds that any bytes give a key or a fault, and that a key is read again
// from its own text.
func FuzzKey(f *testing.F) {
	for _, name := range []string{"alice", "rsa-agent", "ec-agent"} {
		f.Add(file(f, "keys", name+".public.pem"))
	}
	f.Add([]byte("\x30\x80"))
	m := parse(f, fixtures(f)["sent-25-ecdsa"])
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := amp.ParseKey(data)
		if err != nil {
			if fault(t, err).Rule != "SIG-6" {
				t.Fatal(err)
			}
			return
		}
		again, err := amp.ParseKey(k.PEM())
		if err != nil || cmp.Diff(again.Fingerprint(), k.Fingerprint()) != "" || again.Algorithm() != k.Algorithm() {
			t.Fatalf("%v %s", err, k.PEM())
		}
		_, _ = amp.Verify(&m, k)
	})
}

// FuzzNames holds that a name that is given out is a name and no path, and stays
// what it is.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"a.txt", "../x", "con", "..", "%252F", "ä\u202e", " .x. ", "msg_1_a", "a@b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []func(string) (string, error){amp.SafeFilename, amp.CleanFilename} {
			safe, err := name(s)
			if err != nil {
				fault(t, err)
				continue
			}
			if safe == "" || len(safe) > amp.MaxFilename || safe[0] == '.' || safe[len(safe)-1] == '.' || amp.Device(safe) {
				t.Fatalf("%q gives %q", s, safe)
			}
			for i := range len(safe) {
				if c := safe[i]; c >= 0x80 || c < '-' || c == '/' || c == '\\' || c == ':' {
					t.Fatalf("%q gives %q", s, safe)
				}
			}
			if again, err := amp.SafeFilename(safe); err != nil || again != safe {
				t.Fatalf("%q gives %q gives %q: %v", s, safe, again, err)
			}
		}
		if id, ok := amp.ParseID(s); ok && (id.Suffix == "" || bytes.ContainsAny([]byte(s), `/\.:`)) {
			t.Fatalf("%q is an id: %+v", s, id)
		}
		if a, ok := amp.ParseAddress(s); ok && (a.String() != s || bytes.ContainsAny([]byte(a.Agent), `/\.:|`)) {
			t.Fatalf("%q is an address: %+v", s, a)
		}
		_ = amp.Unwrap(s)
		_ = amp.Flags(s)
	})
}
