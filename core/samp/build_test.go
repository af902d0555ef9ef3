package samp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestBuild makes records in both forms, and reads each back from its line.
func TestBuild(t *testing.T) {
	for _, c := range []struct {
		name, body string
		profile    samp.Profile
		want, id   string
	}{
		{"I4/v1", "hello", samp.V1, "hello", "ab9c115da21a8f45"},
		{"I4/v1-compact", "hello", samp.V1Compact, "hello", "262b3c8fbec35a2d"},
		{"I1/v1 leaves the body as it is", "cafe\u0301", samp.V1, "cafe\u0301", "ff2cdc4e994605f0"},
		{"I1/v1-compact composes the body", "cafe\u0301", samp.V1Compact, "caf\u00e9", "5be5e1463ceca3cc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := samp.Build("alice", "bob", "t1", c.body, 1700000000, c.profile)
			if err != nil {
				t.Fatal(err)
			}
			want := samp.Record{ID: c.id, TS: 1700000000, From: "alice", To: "bob", Thread: "t1", Body: c.want}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Error(diff)
			}
			if back, err := samp.Parse(r.Append(nil)); err != nil || back != r {
				t.Errorf("read back as %+v, %v", back, err)
			}
			if p, ok := samp.Identify(&r).Profile(); !ok || p != c.profile {
				t.Errorf("the id is labelled %v", samp.Identify(&r))
			}
		})
	}
}

// TestBuildThreadIsNotNormalised holds the published tool's reading of I1.
func TestBuildThreadIsNotNormalised(t *testing.T) {
	r, err := samp.Build("a", "b", "e\u0301", "x", 5, samp.V1Compact)
	if err != nil || r.Thread != "e\u0301" {
		t.Errorf("I1: %+q, %v", r.Thread, err)
	}
}

// TestBuildRefuses names the rule and the field of each refusal.
func TestBuildRefuses(t *testing.T) {
	over := strings.Repeat("é", samp.MaxBody+1)
	for _, c := range []struct {
		name, from, to, thread, body string
		rule, field, reason          string
	}{
		{"L2/from", "a b", "b", "t", "x", "L2", "from", `"a b"`},
		{"L2/to", "a", "../b", "t", "x", "L2", "to", `"../b"`},
		{"L2/device", "a", "nul", "t", "x", "L2", "to", "device name"},
		{"R2/body", "a", "b", "t", "x\xff", "R2", "body", "UTF-8"},
		{"R2/thread", "a", "b", "t\xff", "x", "R2", "thread", "UTF-8"},
		{"R4/too long", "a", "b", "t", over, "R4", "body", "65537 characters, and 65536 is the limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := samp.Build(c.from, c.to, c.thread, c.body, 5, samp.V1)
			f := fault(t, err)
			if f.Rule != c.rule || f.Field != c.field || !strings.Contains(f.Reason, c.reason) || (r != samp.Record{}) {
				t.Errorf("%+v with %+v", f, r)
			}
		})
	}
}

// TestBodyLimit counts characters, not bytes, of the body that is stored.
func TestBodyLimit(t *testing.T) {
	most := strings.Repeat("\U0001f600", samp.MaxBody)
	if _, err := samp.Build("a", "b", "t", most, 5, samp.V1); err != nil {
		t.Errorf("R4/65536 characters: %v", err)
	}
	decomposed := strings.Repeat("e\u0301", samp.MaxBody)
	if _, err := samp.Build("a", "b", "t", decomposed, 5, samp.V1Compact); err != nil {
		t.Errorf("R4/65536 characters when composed: %v", err)
	}
	if _, err := samp.Build("a", "b", "t", decomposed, 5, samp.V1); fault(t, err).Rule != "R4" {
		t.Errorf("R4/131072 characters: %v", err)
	}
}
