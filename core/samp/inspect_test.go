package samp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestInspect wants every rule that one line shows, and no other.
func TestInspect(t *testing.T) {
	record := func(change func(*samp.Record)) string {
		r := samp.Record{TS: 1700000000, From: "alice", To: "bob", Thread: "t1", Body: "cafe\u0301"}
		r.ID = samp.ID(&r, samp.V1)
		change(&r)
		return string(r.Append(nil))
	}
	id := func(id string) func(*samp.Record) { return func(r *samp.Record) { r.ID = id } }
	signed := func(change func(*samp.Record)) func(*samp.Record) {
		return func(r *samp.Record) { change(r); r.ID = samp.ID(r, samp.V1) }
	}
	for _, c := range []struct {
		name, stem, line string
		form             samp.Form
		faults, notes    []string
	}{
		{"I1/spaced", "alice", record(func(*samp.Record) {}), samp.FormSpaced, nil, nil},
		{"I1/compact", "alice", record(id("5be5e1463ceca3cc")), samp.FormCompact, nil, nil},
		{"I1/ascii-escaped", "alice", record(id("6c1e5d9a933ca248")), samp.FormASCII, []string{"I1 id"}, nil},
		{"I1/ascii-escaped and compact", "alice", record(id("777e5b1f9c0f6faa")), samp.FormASCII, []string{"I1 id"}, nil},
		{"I1/ascii-escaped, compact, composed", "alice", record(id("77bcdfb26182f7d4")), samp.FormASCII, []string{"I1 id"}, nil},
		{"I1/unnormalised", "alice", record(id("a107f19302ac3f4e")), samp.FormUnnormalised, []string{"I1 id"}, nil},
		{"I1/wrong", "alice", record(id("\x1b[2J")), samp.FormWrong, []string{"I1 id"}, nil},
		{"I1/capitals", "alice", record(id("FF2CDC4E994605F0")), samp.FormWrong, []string{"I1 id"}, nil},
		{"I3/missing", "alice", record(id("")), samp.FormMissing, nil, []string{"I3 id"}},
		{"L2/from and to", "../x", record(signed(func(r *samp.Record) { r.From, r.To = "../x", "" })), samp.FormSpaced, []string{"L2 from", "L2 to", "L4 from"}, nil},
		{"L4/misfiled", "mallory", record(func(*samp.Record) {}), samp.FormSpaced, []string{"L4 from"}, nil},
		{"S1/sync copy", "alice.sync-conflict-1", record(func(*samp.Record) {}), samp.FormSpaced, nil, []string{"S1 from"}},
		{"R1/before 1970", "alice", record(signed(func(r *samp.Record) { r.TS = -1 })), samp.FormSpaced, []string{"R1 ts"}, nil},
		{"R4/long", "alice", record(signed(func(r *samp.Record) { r.Body = strings.Repeat("é", samp.MaxBody+1) })), samp.FormSpaced, nil, []string{"R4 body"}},
		{"R4/at the limit", "alice", record(signed(func(r *samp.Record) { r.Body = strings.Repeat("é", samp.MaxBody) })), samp.FormSpaced, nil, nil},
		{"R2/half a surrogate pair", "alice", `{"ts":1,"from":"alice","to":"b","thread":"t","body":"\ud800"}`, samp.FormMissing, nil, []string{"I3 id", "R2 "}},
		{
			"R3/several at once", "mallory", record(func(r *samp.Record) { r.ID, r.To, r.TS = "x", "a b", -9 }), samp.FormWrong,
			[]string{"L2 to", "L4 from", "I1 id", "R1 ts"},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := samp.Inspect([]byte(c.line), c.stem)
			if in.Malformed || in.Form != c.form {
				t.Errorf("malformed %v, form %v", in.Malformed, in.Form)
			}
			if diff := cmp.Diff(c.faults, rules(t, in.Faults)); diff != "" {
				t.Error("faults", diff)
			}
			if diff := cmp.Diff(c.notes, rules(t, in.Notes)); diff != "" {
				t.Error("notes", diff)
			}
			if want, err := samp.Parse([]byte(c.line)); err != nil || in.Record != want {
				t.Errorf("record %+v, %v", in.Record, err)
			}
		})
	}
}

func rules(t *testing.T, faults []canon.Fault) (list []string) {
	t.Helper()
	for _, f := range faults {
		list = append(list, f.Rule+" "+f.Field)
		if f.Reason == "" || strings.Contains(f.Reason, "\x1b") || len(f.Reason) > 200 {
			t.Errorf("reason %q", f.Reason)
		}
	}
	return list
}

// TestInspectMalformed agrees with Parse on what is no record.
func TestInspectMalformed(t *testing.T) {
	for _, c := range malformed {
		t.Run(c.name, func(t *testing.T) {
			in := samp.Inspect([]byte(c.line), "a")
			want := samp.Inspection{Malformed: true, Findings: canon.Findings{Faults: []canon.Fault{{Rule: c.rule, Field: c.field, Offset: c.offset, Reason: c.reason}}}}
			if diff := cmp.Diff(want, in); diff != "" {
				t.Error(diff)
			}
		})
	}
}
