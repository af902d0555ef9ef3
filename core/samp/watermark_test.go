package samp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
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
			want := &canon.Fault{Rule: "N2", Field: c.field, Offset: c.offset, Reason: c.reason}
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
	at := func(body string, ts int64) samp.Found { return placed("a", ts, said("a", body, ts), samp.V1) }
	old, one, two, late, future := at("old", 3), at("one", 5), at("two", 5), at("late", 4), at("future", 1000)
	newest, past := at("newest", 1001), at("past", 2000)
	forged := said("a", "forged", 5)
	forged.ID = one.Key
	stolen := placed("a", 9, forged, samp.V1)
	all := []samp.Found{old, late, one, two, future}
	mark := func(ts int64, ids ...string) samp.Watermark { return samp.Watermark{TS: ts, IDs: ids} }
	for _, c := range []struct {
		name  string
		mark  samp.Watermark
		shown []samp.Found
		now   int64
		want  samp.Watermark
	}{
		{"N2/nothing shown", mark(9, "x"), nil, 50, mark(9, "x")},
		{"N2/first read", mark(0), []samp.Found{old, one, two}, 50, mark(5, one.Key, "a:"+one.Key, two.Key, "a:"+two.Key)},
		{"N2/same second again", mark(5, "a:"+one.Key), []samp.Found{two}, 50, mark(5, "a:"+one.Key, two.Key, "a:"+two.Key)},
		{"N2/nothing twice", mark(5, "x", "x"), []samp.Found{two, two}, 50, mark(5, "x", two.Key, "a:"+two.Key)},
		{"N2/later second forgets", mark(3, old.Key), []samp.Found{one}, 50, mark(5, one.Key, "a:"+one.Key)},
		{"N2/wrong id is listed with its sender", mark(0), []samp.Found{stolen}, 50, mark(5, "a:"+one.Key)},
		{"N6/capped at now", mark(0), []samp.Found{one, future}, 50, mark(50, "a:"+future.Key)},
		{"N6/future kept in the next read", mark(4, "a:"+future.Key), []samp.Found{one}, 50, mark(5, "a:"+future.Key, one.Key, "a:"+one.Key)},
		{"N6/future that has come", mark(4, "a:"+future.Key), []samp.Found{at("x", 1000)}, 1000, mark(1000, future.Key, "a:"+future.Key, at("x", 1000).Key, "a:"+at("x", 1000).Key)},
		{"N6/future forgotten when past", mark(50, "a:"+future.Key), []samp.Found{past}, 3000, mark(2000, past.Key, "a:"+past.Key)},
		{"N6/old mark beyond now", mark(1000, future.Key), []samp.Found{newest}, 50, mark(50, "a:"+future.Key, "a:"+newest.Key)},
		{"N6/late mail does not turn the mark back", mark(5, one.Key), []samp.Found{late}, 50, mark(5, one.Key)},
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

// TestStolenIDs plays the story of a stranger who sees a message before its
// reader does and writes records under its id: the message is shown when it
// comes.
func TestStolenIDs(t *testing.T) {
	honest := placed("honest", 0, said("honest", "pay nobody", 100), samp.V1)
	for name, ts := range map[string]int64{"same second": 100, "from the future": 5000, "earlier": 99} {
		t.Run("N2/"+name, func(t *testing.T) {
			fake := said("mallory", "x", ts)
			fake.ID = honest.Key
			stolen := placed("mallory", 0, fake, samp.V1)
			first := samp.Gather([]samp.Found{stolen}).Messages
			mark := samp.Watermark{}.Advance(first, first, 100)
			both := samp.Gather([]samp.Found{honest, stolen}).Messages
			fresh, _ := samp.Unread(both, mark)
			if got := show(fresh); got != "honest:pay nobody" {
				t.Errorf("after the mark %+v: %q", mark, got)
			}
		})
	}
}
