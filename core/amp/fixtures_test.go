package amp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// noon is a time at which no fixture has expired: 2026-11-22T12:00:00Z.
const noon = 1795348800000

// file reads one fixture.
func file(t testing.TB, parts ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "testdata", "amp"}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fixtures reads the messages by folder and name: "inbox-01-plain".
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, folder := range []string{"sent", "inbox"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "amp", folder, "*.json"))
		if err != nil || len(paths) < 10 {
			t.Fatalf("fixtures in %s: %d %v", folder, len(paths), err)
		}
		for _, p := range paths {
			name := strings.TrimSuffix(filepath.Base(p), ".json")
			all[folder+"-"+name] = file(t, folder, name+".json")
		}
	}
	return all
}

func parse(t testing.TB, data []byte) amp.Message {
	t.Helper()
	m, err := amp.ParseMessage(data)
	if err != nil {
		t.Fatalf("%v: %.200s", err, data)
	}
	return m
}

// keyOf returns the key of a message's sender.
func keyOf(t testing.TB, m *amp.Message) amp.Key {
	t.Helper()
	from, ok := amp.ParseAddress(m.From)
	if !ok {
		t.Fatalf("from %q", m.From)
	}
	return key(t, from.Agent)
}

func key(t testing.TB, name string) amp.Key {
	t.Helper()
	k, err := amp.ParseKey(file(t, "keys", name+".public.pem"))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func fault(t testing.TB, err error) *canon.Fault {
	t.Helper()
	f, ok := err.(*canon.Fault) //nolint:errorlint // the contract is the type itself
	if !ok {
		t.Fatalf("%v is no fault", err)
	}
	return f
}

// rules lists findings as "rule field".
func rules(list []canon.Fault) string {
	got := []string{}
	for _, f := range list {
		got = append(got, strings.TrimSpace(f.Rule+" "+f.Field))
	}
	slices.Sort(got)
	return strings.Join(got, ", ")
}

// TestFixtures holds AMP SIG-2, SIG-3, SIG-4, SIG-5, SIG-6 and SIG-7 on messages that
// another client made: read without a fault, hashed and signed over the same bytes,
// and verified in the form in which they were signed. Sent messages are as signed;
// what was received gained an empty attachments, and 30 a wrapper.
func TestFixtures(t *testing.T) {
	steps := map[string]amp.Step{"inbox-10-attachments": amp.AsStored, "inbox-30-external": amp.NoWrapper}
	for name, data := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			m := parse(t, data)
			unsigned := strings.HasPrefix(name, "inbox-34")
			if got := rules(m.Faults); got != map[bool]string{true: "ENV-9 envelope.signature"}[unsigned] {
				t.Errorf("faults %s", got)
			}
			if unsigned {
				if _, err := amp.Verify(&m, keyOf(t, &m)); fault(t, err).Rule != "ENV-9" {
					t.Error(err)
				}
				return
			}
			v, err := amp.Verify(&m, keyOf(t, &m))
			if err != nil {
				t.Fatal(err)
			}
			want, ok := steps[name]
			if !ok {
				want = amp.NoAttachments
				if strings.HasPrefix(name, "sent-") {
					want = amp.AsStored
				}
			}
			if v.Step != want {
				t.Errorf("verified %v, want %v", v.Step, want)
			}
			if want := string(file(t, "payload-bytes", name+".json")); string(v.Payload) != want {
				t.Errorf("payload %s\nwant    %s", v.Payload, want)
			}
			if want := string(file(t, "signed-bytes", name+".txt")); string(v.Signed) != want {
				t.Errorf("signed %s\nwant   %s", v.Signed, want)
			}
			for _, other := range []string{"alice", "bob", "carol", "ec-agent", "rsa-agent"} {
				if k := key(t, other); k.Fingerprint() != keyOf(t, &m).Fingerprint() {
					if _, err := amp.Verify(&m, k); err == nil {
						t.Errorf("verified with the key of %s", other)
					} else if f := fault(t, err); f.Rule != "SIG-6" && f.Rule != "SIG-7" {
						t.Errorf("%s: %v", other, err)
					}
				}
			}
		})
	}
}

// TestFixtureNotes holds that what existing clients write is noted by name: AMP
// JSN-1, JSN-2, ENV-2 and ENV-11.
func TestFixtureNotes(t *testing.T) {
	all := fixtures(t)
	for name, want := range map[string]string{
		"sent-01-plain":  "ENV-2 envelope.id, JSN-1 payload.context, JSN-2 envelope.in_reply_to",
		"inbox-06-reply": "ENV-2 envelope.id, JSN-1 payload.context",
		"inbox-34-external-unsigned-wrapper-escape": "ENV-11 envelope.thread_id, ENV-2 envelope.id, JSN-2 envelope.in_reply_to, JSN-2 envelope.signature",
	} {
		m := parse(t, all[name])
		if got := rules(m.Notes); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	m := parse(t, all["inbox-10-attachments"])
	if got := rules(m.Notes); strings.Count(got, "JSN-1 payload.attachments[") != 5 || strings.Count(got, "ATT-15") != 5 {
		t.Errorf("attachments: %s", got)
	}
}

// TestFixtureValues holds what is read from the received messages: AMP STO-2, STO-3
// and STO-5, ATT-3 and SIG-3.
func TestFixtureValues(t *testing.T) {
	all := fixtures(t)
	m := parse(t, all["inbox-13-injection-same-tenant"])
	if m.Local.Status != amp.Unread || !m.Local.Received.OK || m.Security.TrustLevel != "verified" || m.Security.Wrapped || m.Security.RiskScore != -1 ||
		!slices.Equal(m.Security.Flags, []string{"command_injection", "data_exfiltration", "instruction_override"}) {
		t.Errorf("%+v %+v", m.Local, m.Security)
	}
	m = parse(t, all["inbox-30-external"])
	if m.Local.Method != "fetch" || !m.Local.Verified || !m.Security.Wrapped || string(m.Payload.Context) == "" || m.Priority != amp.High {
		t.Errorf("%+v %+v", m.Local, m.Security)
	}
	m = parse(t, all["inbox-10-attachments"])
	a := m.Payload.Attachments
	if len(a) != 5 || a[0].Size != 17 || a[2].Filename != "_CON.txt" || a[0].URL != "" || !a[4].Expires.OK || m.InReplyTo != "" {
		t.Errorf("%+v", a)
	}
	if m := parse(t, all["inbox-07-reply-to-reply"]); m.InReplyTo != "msg_1795249999395_8e954fc9" || m.ThreadID != "msg_1795249958451_30328b7b" {
		t.Errorf("%+v", m)
	}
}
