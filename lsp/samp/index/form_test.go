package index_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestLiveForm writes in the form of the newest record, even if the record came or went
// after the directory was opened.
func TestLiveForm(t *testing.T) {
	compact := func(ts int64) string {
		r, err := samp.Build("carol", "bob", "t", "hi", ts, samp.V1Compact)
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Append(nil))
	}
	b := newTestDir(t, "bob")
	want := func(when string, p samp.Profile, proven bool) {
		t.Helper()
		b.sync()
		if s := b.live.Stats(); s.Profile != p || s.Proven != proven {
			t.Errorf("%s: %s, proven %t; want %s, %t", when, s.Profile, s.Proven, p, proven)
		}
	}
	want("empty", samp.V1, false)
	b.write("log-carol.jsonl", compact(5))
	want("a compact record came", samp.V1Compact, true)
	b.append("log-carol.jsonl", compact(6))
	b.write("log-alice.jsonl", line(4, "alice", "bob", "t", "older"))
	want("an older spaced record came", samp.V1Compact, true)
	b.append("log-alice.jsonl", line(7, "alice", "bob", "t", "newer"))
	want("a newer spaced record came", samp.V1, true)
	b.write("log-alice.jsonl", "{}\n")
	want("it went", samp.V1Compact, true)
}
