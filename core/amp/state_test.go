package amp_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestSetStatus holds AMP STO-3 on a file before and after another client marked it
// read: the same bytes, and with our read_at one line more.
func TestSetStatus(t *testing.T) {
	before, after := file(t, "states", "01-inbox-unread.json"), file(t, "states", "01-inbox-read.json")
	got, err := amp.SetStatus(before, amp.Read, 0)
	if err != nil || !bytes.Equal(got, after) {
		t.Errorf("%v\n%s", err, got)
	}
	back, err := amp.SetStatus(got, amp.Unread, noon)
	if err != nil || !bytes.Equal(back, before) {
		t.Errorf("%v\n%s", err, back)
	}
	got, err = amp.SetStatus(before, amp.Read, noon)
	want := strings.TrimSuffix(string(after), "\n    }\n  }\n}\n") + "\n    },\n    \"read_at\": \"2026-11-22T12:00:00Z\"\n  }\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	m := parse(t, got)
	if m.Local.Status != amp.Read || m.Local.ReadAt.Millis != noon {
		t.Errorf("AMP STO-2: %+v", m.Local)
	}
	again, err := amp.SetStatus(got, amp.Archived, 0)
	if err != nil || string(again) != strings.ReplaceAll(want, `"read"`, `"archived"`) {
		t.Errorf("%v\n%s", err, again)
	}
}

// TestEdits holds that nothing but the named members changes, however the file is
// written, and that what was signed stays as it was.
func TestEdits(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"one line":         {`{"payload":{"a":1.0},"local":{"x":[1]}}`, `{"payload":{"a":1.0},"local":{"x":[1],"status":"read"}}`},
		"spaced":           {`{"payload": {}, "local": {"x": 1, "y": 2}}`, `{"payload": {}, "local": {"x": 1, "y": 2, "status": "read"}}`},
		"no local":         {"{\n\t\"payload\": {}\n}\n", "{\n\t\"payload\": {},\n\t\"local\": {\"status\": \"read\"}\n}\n"},
		"local null":       {`{"local":null}`, `{"local":{"status":"read"}}`},
		"local empty":      {`{"local":{}}`, `{"local":{"status": "read"}}`},
		"nothing":          {`{}`, `{"local": {"status": "read"}}`},
		"status null":      {`{"local":{"status":null}}`, `{"local":{"status":"read"}}`},
		"status no text":   {`{"local":{"status":{"a":[]}}}`, `{"local":{"status":"read"}}`},
		"escaped names":    {`{"l\u006fcal":{"st\u0061tus":"unread"}}`, `{"l\u006fcal":{"st\u0061tus":"read"}}`},
		"metadata as well": {`{"metadata":{"status":"unread"},"local":{"status":"unread"}}`, `{"metadata":{"status":"read"},"local":{"status":"read"}}`},
		"metadata without": {`{"metadata":{"n":1}}`, `{"metadata":{"n":1},"local":{"status":"read"}}`},
		"CRLF":             {"{\r\n  \"a\": 1,\r\n  \"local\": {\r\n    \"b\": 2\r\n  }\r\n}", "{\r\n  \"a\": 1,\r\n  \"local\": {\r\n    \"b\": 2,\r\n    \"status\": \"read\"\r\n  }\r\n}"},
		"comma first":      {"{ \"a\": 1\n, \"local\": {} }", "{ \"a\": 1\n, \"local\": {\"status\": \"read\"} }"},
	} {
		t.Run("AMP STO-3 "+name, func(t *testing.T) {
			got, err := amp.SetStatus([]byte(c.in), amp.Read, 0)
			if err != nil || string(got) != c.want {
				t.Errorf("%s %v, want %s", got, err, c.want)
			}
			if once, err := amp.SetStatus(got, amp.Read, 0); err != nil || !bytes.Equal(once, got) {
				t.Errorf("again: %s %v", once, err)
			}
		})
	}
	for name, c := range map[string]struct{ in, status, rule string }{
		"no object":        {`{"local":7}`, amp.Read, "STO-2"},
		"two of them":      {`{"local":{},"local":{}}`, amp.Read, "JSN-3"},
		"two states":       {`{"local":{"status":"a","status":"b"}}`, amp.Read, "JSN-3"},
		"no such state":    {`{}`, "starred", "STO-3"},
		"no message":       {`[]`, amp.Read, "JSN-0"},
		"no room any more": {`{"payload":{},"x":"` + strings.Repeat("x", amp.MaxStored-21) + `"}`, amp.Read, "PAY-8"},
	} {
		if _, err := amp.SetStatus([]byte(c.in), c.status, 0); err == nil || fault(t, err).Rule != c.rule {
			t.Errorf("AMP %s %s: %v", c.rule, name, err)
		}
	}
	for name, data := range fixtures(t) {
		m := parse(t, data)
		for _, status := range []string{amp.Unread, amp.Read, amp.Archived} {
			out, err := amp.SetStatus(data, status, noon)
			if err != nil {
				t.Fatal(err)
			}
			other := parse(t, out)
			if !bytes.Equal(other.Payload.Raw, m.Payload.Raw) || other.Signature != m.Signature || other.Local.Status != status {
				t.Errorf("%s: %s", name, out)
			}
		}
	}
}

// TestReceive holds AMP STO-2: what a mailbox adds, over what the sender kept.
func TestReceive(t *testing.T) {
	sent := file(t, "sent", "01-plain.json")
	got, err := amp.Receive(sent, noon, "local")
	if err != nil {
		t.Fatal(err)
	}
	m := parse(t, got)
	if l := m.Local; l.Received.Millis != noon || l.Status != amp.Unread || l.Method != "local" {
		t.Errorf("%+v", l)
	}
	v, err := amp.Verify(&m, key(t, "alice"))
	if err != nil || v.Step != amp.AsStored || !bytes.Contains(got, []byte(`"sent_at"`)) {
		t.Errorf("%v %v", v.Step, err)
	}
	marked, err := amp.SetStatus(sent, amp.Archived, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := amp.Receive(marked, noon, "local"); err != nil || parse(t, got).Local.Status != amp.Unread {
		t.Errorf("the sender says it was read: %v", err)
	}
}

// TestSecurityBlocks holds AMP STO-4 and AMP STO-5: the block at the top counts, in
// whichever order they stand, and the other one fills in what it does not say.
func TestSecurityBlocks(t *testing.T) {
	const top, below = `"security":{"injection_flags":["a"],"sender_risk_score":7}`, `"local":{"security":{"trust":"external","injection_flags":["b"],"wrapped":true,"sender_risk_score":9}}`
	for _, data := range []string{`{` + top + `,` + below + `}`, `{` + below + `,` + top + `}`} {
		s := parse(t, []byte(data)).Security
		if len(s.Flags) != 1 || s.Flags[0] != "a" || s.RiskScore != 7 || s.TrustLevel != "external" || !s.Wrapped {
			t.Errorf("%s: %+v", data, s)
		}
	}
	if s := parse(t, []byte(`{`+below+`}`)).Security; s.RiskScore != 9 || s.Flags[0] != "b" {
		t.Errorf("%+v", s)
	}
}
