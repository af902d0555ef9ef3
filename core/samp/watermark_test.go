package samp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestParseWatermark reads §6's file and refuses what is none.
func TestParseWatermark(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     samp.Watermark
	}{
		{"N2/spec", `{"ts": 5, "ids": ["a", "b"]}`, samp.Watermark{TS: 5, IDs: []string{"a", "b"}}},
		{"N2/with senders", `{"ids":["x:a"],"ts":5}` + "\n", samp.Watermark{TS: 5, IDs: []string{"x:a"}}},
		{"N2/no ids", `{"ts": 5, "ids": []}`, samp.Watermark{TS: 5}},
		{"N2/unknown members", `{"ts": 5, "ids": ["\u0061"], "v": [2], "tss": "x"}`, samp.Watermark{TS: 5, IDs: []string{"a"}}},
		{"N2/missing members", `{}`, samp.Watermark{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := samp.ParseWatermark([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, c := range []struct {
		name, in, field string
		offset          int
		reason          string
	}{
		{"N2/empty file", "", "", 0, "the watermark is not a JSON object: empty text"},
		{"N2/torn", `{"ts": 5, "ids": ["a`, "", 20, "the watermark is not a JSON object: a string is not closed"},
		{"N2/array", `[5]`, "", 0, "the watermark is not a JSON object: not an object"},
		{"N2/torn after both members", `{"ts": 5, "ids": ["a"]`, "", 22, "the watermark is not a JSON object: text ends too early"},
		{"N2/fraction", `{"ts": 5.5}`, "ts", 7, `the watermark's "ts" is not an integer`},
		{"N2/text as time", `{"ts": "5"}`, "ts", 7, `the watermark's "ts" is not an integer`},
		{"N2/65 bits", `{"ts": 99999999999999999999}`, "ts", 7, `the watermark's "ts" is not an integer`},
		{"N2/ids as text", `{"ts": 5, "ids": "a"}`, "ids", 17, `the watermark's "ids" is not an array of strings`},
		{"N2/null ids", `{"ts": 5, "ids": null}`, "ids", 17, `the watermark's "ids" is not an array of strings`},
		{"N2/number among ids", `{"ts": 5, "ids": ["a", 1]}`, "ids", 17, `the watermark's "ids" is not an array of strings`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := samp.ParseWatermark([]byte(c.in))
			want := &samp.Fault{Rule: "N2", Field: c.field, Offset: c.offset, Reason: c.reason}
			if diff := cmp.Diff(want, fault(t, err)); diff != "" {
				t.Error(diff)
			}
			if got.TS != 0 || got.IDs != nil {
				t.Errorf("a mark came with the fault: %+v", got)
			}
		})
	}
}

// TestWatermarkAppend holds the spec's form to the byte.
func TestWatermarkAppend(t *testing.T) {
	for want, w := range map[string]samp.Watermark{
		`{"ts": 0, "ids": []}`:              {},
		`{"ts": -5, "ids": ["a"]}`:          {TS: -5, IDs: []string{"a"}},
		`{"ts": 5, "ids": ["a", "x:\"\n"]}`: {TS: 5, IDs: []string{"a", "x:\"\n"}},
	} {
		if got := string(w.Append([]byte(">"))); got != ">"+want {
			t.Errorf("N2: %s, want %s", got, want)
		}
	}
}

// TestAdvance holds §6 step 9, and what N6 adds: no mark beyond now, none that
// goes back.
func TestAdvance(t *testing.T) {
	at := func(body string, ts int64) samp.Found {
		r := said("a", body, ts)
		r.ID = body
		return placed("a", ts, r, samp.V1)
	}
	old, one, two, late, future := at("old", 3), at("one", 5), at("two", 5), at("late", 4), at("future", 1000)
	all := []samp.Found{old, late, one, two, future}
	for _, c := range []struct {
		name  string
		mark  samp.Watermark
		shown []samp.Found
		now   int64
		want  samp.Watermark
	}{
		{"N2/nothing shown", samp.Watermark{TS: 9, IDs: []string{"x"}}, nil, 50, samp.Watermark{TS: 9, IDs: []string{"x"}}},
		{"N2/first read", samp.Watermark{}, []samp.Found{old, one, two}, 50, samp.Watermark{TS: 5, IDs: []string{"one", "two"}}},
		{"N2/same second again", samp.Watermark{TS: 5, IDs: []string{"a:one"}}, []samp.Found{two}, 50, samp.Watermark{TS: 5, IDs: []string{"a:one", "two"}}},
		{"N2/nothing twice", samp.Watermark{TS: 5, IDs: []string{"one", "one"}}, []samp.Found{two, two}, 50, samp.Watermark{TS: 5, IDs: []string{"one", "two"}}},
		{"N2/later second forgets", samp.Watermark{TS: 3, IDs: []string{"old"}}, []samp.Found{one}, 50, samp.Watermark{TS: 5, IDs: []string{"one"}}},
		{"N6/capped at now", samp.Watermark{}, []samp.Found{one, future}, 50, samp.Watermark{TS: 50, IDs: []string{"future"}}},
		{"N6/future kept in the next read", samp.Watermark{TS: 4, IDs: []string{"future"}}, []samp.Found{one}, 50, samp.Watermark{TS: 5, IDs: []string{"future", "one"}}},
		{"N6/future forgotten when past", samp.Watermark{TS: 50, IDs: []string{"future"}}, []samp.Found{at("x", 2000)}, 3000, samp.Watermark{TS: 2000, IDs: []string{"x"}}},
		{"N6/old mark beyond now", samp.Watermark{TS: 1000, IDs: []string{"future"}}, []samp.Found{at("x", 1001)}, 50, samp.Watermark{TS: 50, IDs: []string{"future", "x"}}},
		{"N6/late mail does not turn the mark back", samp.Watermark{TS: 5, IDs: []string{"one"}}, []samp.Found{late}, 50, samp.Watermark{TS: 5, IDs: []string{"one"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.mark.Advance(all, c.shown, c.now)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFastClock plays the story of N6: one sender's clock runs ahead, and
// honest mail that follows is shown all the same, once each.
func TestFastClock(t *testing.T) {
	ahead := placed("fast", 0, said("fast", "ahead", 9000), samp.V1)
	first := placed("honest", 0, said("honest", "first", 100), samp.V1)
	second := placed("honest", 1, said("honest", "second", 200), samp.V1)
	third := placed("honest", 2, said("honest", "third", 9500), samp.V1)
	var mark samp.Watermark
	for _, round := range []struct {
		now  int64
		all  []samp.Found
		want string
	}{
		{100, []samp.Found{first, ahead}, "honest:first fast:ahead"},
		{100, []samp.Found{first, ahead}, ""},
		{200, []samp.Found{first, second, ahead}, "honest:second"},
		{201, []samp.Found{first, second, ahead}, ""},
		{9500, []samp.Found{first, second, ahead, third}, "honest:third"},
		{9501, []samp.Found{first, second, ahead, third}, ""},
	} {
		fresh, _ := samp.Unread(round.all, mark.Capped(round.now))
		if got := show(fresh); got != round.want {
			t.Fatalf("N6 at %d: %q, want %q", round.now, got, round.want)
		}
		mark = mark.Capped(round.now).Advance(round.all, fresh, round.now)
		if mark.TS > round.now {
			t.Fatalf("N6 at %d: the mark stands at %d", round.now, mark.TS)
		}
	}
	if got := (samp.Watermark{TS: 9000, IDs: []string{"x"}}).Capped(50); got.TS != 50 || len(got.IDs) != 1 {
		t.Errorf("N6: capped to %+v", got)
	}
	if got := (samp.Watermark{TS: 9}).Capped(50); got.TS != 9 {
		t.Errorf("N6: raised to %+v", got)
	}
}
