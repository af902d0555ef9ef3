package agn

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestMalformedEscalation holds AGN X10: an escalation that is refused is known as one while
// its file lies here, unless a message that counts says the same. For the task's
// state it counts for nothing (AGN E0).
func TestMalformedEscalation(t *testing.T) {
	sound := string(fixture(t, "amp-chain/06-escalation.json"))
	with := func(old, new string) []byte {
		t.Helper()
		if !strings.Contains(sound, old) {
			t.Fatalf("%q is not there", old)
		}
		return []byte(strings.Replace(sound, old, new, 1))
	}
	place := "messages/T-2026-044/x.json"
	type files map[string][]byte
	tests := []struct {
		name  string
		files files
		want  string // the sources, sorted
	}{
		{"X7 null in the snapshot", files{place: with(`"task_status": "locked"`, `"task_status": null`)}, place},
		{"X1 a type outside the list", files{"inbox/a.json": with("hallucination_lock", "disk_full")}, "inbox/a.json"},
		{"E2 another version", files{place: with("AMP/1.0", "AMP/2.0")}, place},
		{"E0 cut off", files{place: []byte(sound[:len(sound)-40])}, place},
		{"E1 a conflict with another cry", files{place: []byte(sound), "z.json": with("three times", "thrice")}, "z.json"},
		{"E1 a conflict that says the same", files{place: []byte(sound), "z.json": with(`"severity": "critical"`, `"severity":  "critical"`)}, ""},
		{"mended elsewhere", files{place: []byte(sound), "z.json": with(`"severity": "critical"`, `"severity": "Critical"`)}, ""},
		{"sound", files{place: []byte(sound)}, ""},
		{"another message", files{place: fixture(t, "invalid/D3-branch-master.json")}, ""},
		{"an ACK of it among the messages", files{place: []byte(`{"format":"signalbox-ack/1","msg_id":"escalation-T-2026-044-1772120327001","payload":1}`)}, ""},
		{"X9 an answer to it that is broken", files{"resumes/escalation-T-2026-044-1772120327001.json": []byte(`{"format":"signalbox-resume/1","msg_id":"escalation-T-2026-044-1772120327001"}`)}, ""},
	}
	for _, test := range tests {
		t.Run("AGN X10 "+test.name, func(t *testing.T) {
			b := newReadFixture(t)
			for file, data := range test.files {
				b.Put(file, data)
			}
			s := b.scan()
			var got []string
			for _, r := range s.Rejected {
				if r.MalformedEscalation == nil {
					continue
				}
				got = append(got, r.Source)
				if d := r.MalformedEscalation; d.Raw != nil || d.TaskID != "T-2026-044" || !strings.HasPrefix(d.Payload.Escalation.Description, "T-2026-044 Hallucination") {
					t.Errorf("%+v", d)
				}
				if k := s.Task("T-2026-044"); k == nil || len(s.Refused(k.ID)) != 1 {
					t.Errorf("AGN E6: not with its task: %v", brief(s))
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			if k := s.Task("T-2026-044"); k != nil && len(k.History.Messages) == 0 && k.State(day).Phase != agn.PhaseNone {
				t.Errorf("AGN E0: it counts: %+v", k.State(day))
			}
		})
	}
	t.Run("AGN E0 what the error log alone has", func(t *testing.T) {
		b := newReadFixture(t)
		b.Put(ErrorsName, agn.AppendRejection(nil, agn.Rejection{
			Source: "x.json", Digest: strings.Repeat("0", 64), TaskID: "T-2026-044", Text: string(with("hallucination_lock", "disk_full")),
			Faults: []canon.Fault{{Rule: "X1", Reason: "no"}},
		}))
		if list := b.scan().Rejected; len(list) != 1 || list[0].MalformedEscalation != nil {
			t.Errorf("%+v", list) // its sender got an error
		}
	})
	t.Run("AGN X10 long texts are cut", func(t *testing.T) {
		b := newReadFixture(t)
		b.Put(place, with(`"hallucination_lock"`, `"x", "suggested_actions": ["`+strings.Repeat("x", 500_000)+`"]`))
		r := b.followWith(Config{}, outsideWorld()).sync().Rejected[0]
		if n := len(r.MalformedEscalation.Payload.Escalation.Suggested[0]); n > maxTexts {
			t.Errorf("%d bytes are kept", n)
		}
	})
}
