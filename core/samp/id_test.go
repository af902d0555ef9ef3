package samp_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestRandomIDs holds every form of id against those CPython computed.
func TestRandomIDs(t *testing.T) {
	var file struct {
		Vectors []struct {
			Line, Spaced, Compact, Unnormalised string
			ASCII                               []string
		}
	}
	readJSON(t, "ids-random.json", &file)
	if len(file.Vectors) < 600 {
		t.Fatalf("only %d vectors", len(file.Vectors))
	}
	for i, v := range file.Vectors {
		t.Run("I1 I2/"+strconv.Itoa(i), func(t *testing.T) {
			r, err := samp.Parse([]byte(v.Line))
			if err != nil {
				t.Fatal(err)
			}
			if got := samp.ID(&r, samp.V1); got != v.Spaced {
				t.Errorf("spaced id of %+v is %s, want %s", r, got, v.Spaced)
			}
			if got := samp.ID(&r, samp.V1Compact); got != v.Compact {
				t.Errorf("compact id of %+v is %s, want %s", r, got, v.Compact)
			}
			labels := map[string]samp.Form{"": samp.FormMissing, "0123456789abcdef": samp.FormWrong}
			for _, id := range v.ASCII {
				labels[id] = samp.FormASCII
			}
			// Text without escapes or marks has one id in several forms: the
			// plainest name wins.
			labels[v.Unnormalised] = samp.FormUnnormalised
			labels[v.Compact] = samp.FormCompact
			labels[v.Spaced] = samp.FormSpaced
			for id, want := range labels {
				r.ID = id
				if got := samp.Identify(&r); got != want {
					t.Errorf("%s is labelled %v, want %v", id, got, want)
				}
			}
			for _, p := range []samp.Profile{samp.V1, samp.V1Compact} {
				if got, err := samp.LineID([]byte(v.Line), p); err != nil || got != samp.ID(&r, p) {
					t.Errorf("LineID in %v: %s, %v", p, got, err)
				}
			}
		})
	}
}

// TestGoldenIDs are ids that stand in the published tool's documents and tests,
// and CPython's for the body that v1 leaves decomposed.
func TestGoldenIDs(t *testing.T) {
	for _, c := range []struct{ name, body, spaced, compact string }{
		{"hello", "hello", "ab9c115da21a8f45", "262b3c8fbec35a2d"},
		{"composed", "caf\u00e9", "c65123bc5c9024fc", "5be5e1463ceca3cc"},
		{"decomposed", "cafe\u0301", "ff2cdc4e994605f0", "5be5e1463ceca3cc"},
		{"line separator", "a\u2028b", "", "a010bb40326480d8"},
	} {
		t.Run("I1/"+c.name, func(t *testing.T) {
			r := samp.Record{TS: 1700000000, From: "alice", To: "bob", Thread: "t1", Body: c.body}
			if got := samp.ID(&r, samp.V1); c.spaced != "" && got != c.spaced {
				t.Errorf("spaced: %s, want %s", got, c.spaced)
			}
			if got := samp.ID(&r, samp.V1Compact); got != c.compact {
				t.Errorf("compact: %s, want %s", got, c.compact)
			}
		})
	}
}

// TestCanonical holds the hashed text itself.
func TestCanonical(t *testing.T) {
	r := samp.Record{ID: "ignored", TS: 7, From: "a", To: "b", Thread: "e\u0301", Body: "e\u0301\n<"}
	for p, want := range map[samp.Profile]string{
		samp.V1:        `{"body": "` + "e\u0301" + `\n<", "from": "a", "thread": "` + "e\u0301" + `", "to": "b", "ts": 7}`,
		samp.V1Compact: `{"body":"` + "\u00e9" + `\n<","from":"a","thread":"` + "e\u0301" + `","to":"b","ts":7}`,
	} {
		if got := string(samp.AppendCanonical([]byte(">"), &r, p)); got != ">"+want {
			t.Errorf("I1 %v: %s, want %s", p, got, want)
		}
	}
}

// TestEffectiveID takes the stored id, right or wrong, and computes a missing
// one.
func TestEffectiveID(t *testing.T) {
	r := samp.Record{TS: 1700000000, From: "alice", To: "bob", Thread: "t1", Body: "hello"}
	if got := samp.EffectiveID(&r, samp.V1); got != "ab9c115da21a8f45" {
		t.Errorf("I3 v1: %s", got)
	}
	if got := samp.EffectiveID(&r, samp.V1Compact); got != "262b3c8fbec35a2d" {
		t.Errorf("I3 v1-compact: %s", got)
	}
	r.ID = "anything"
	if got := samp.EffectiveID(&r, samp.V1); got != "anything" {
		t.Errorf("I3 stored: %s", got)
	}
}

// TestLineID computes ids over the fields that a record has.
func TestLineID(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		// sha256 of {"from": "a", "to": "b", "ts": 5}, and of {}, by sha256sum.
		{"I3/no thread and body", `{"ts":5,"to":"b","from":"a","x":1}`, "ed224573a7a7fd61"},
		{"I3/nothing", `{}`, "44136fa355b3678a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := samp.LineID([]byte(c.line), samp.V1)
			if err != nil || got != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
	for _, line := range []string{"", "[]", `{"ts":"5"}`, `{"to":"a","to":"a"}`, `{"body":1}`, "{\"body\":\"\xff\"}"} {
		if id, err := samp.LineID([]byte(line), samp.V1); err == nil || id != "" {
			t.Errorf("R3: %q has the id %s", line, id)
		}
	}
}

// TestFormNames holds the labels that users see, and what they say of the
// profile.
func TestFormNames(t *testing.T) {
	type row struct {
		Name    string
		Profile samp.Profile
		OK      bool
	}
	var got []row
	for f := samp.FormMissing; f <= samp.FormWrong; f++ {
		p, ok := f.Profile()
		got = append(got, row{f.String(), p, ok})
	}
	want := []row{
		{"missing", samp.V1, false},
		{"spaced", samp.V1, true},
		{"compact", samp.V1Compact, true},
		{"ascii-escaped", samp.V1, false},
		{"unnormalised", samp.V1, false},
		{"wrong", samp.V1, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"v1", "v1-compact"} {
		if p, ok := samp.ParseProfile(name); !ok || p.String() != name {
			t.Errorf("profile %s reads as %v", name, p)
		}
	}
	for _, name := range []string{"", "auto", "V1", "v1 ", strings.ToUpper("v1-compact")} {
		if p, ok := samp.ParseProfile(name); ok {
			t.Errorf("%q reads as profile %v", name, p)
		}
	}
}
