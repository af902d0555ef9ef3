package samp_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// placed makes a record found in a log, with the id that its writer's profile
// gives it unless one is forced.
func placed(stem string, line int64, r samp.Record, p samp.Profile) samp.Found {
	if r.ID == "" {
		r.ID = samp.ID(&r, p)
	}
	return samp.Found{Record: r, Key: r.ID, Stem: stem, Rank: len(stem), Offset: line}
}

func said(from, body string, ts int64) samp.Record {
	return samp.Record{TS: ts, From: from, To: "me", Thread: "t", Body: body}
}

// show writes an inbox as "log:body" per message.
func show(list []samp.Found) string {
	var names []string
	for i := range list {
		names = append(names, list[i].Stem+":"+list[i].Body)
	}
	return strings.Join(names, " ")
}

// TestGather holds what is shown, what is suspicious and what is a replica.
func TestGather(t *testing.T) {
	hi := said("bob", "hi", 5)
	forged := said("bob", "forged", 5)
	forged.ID = samp.ID(&hi, samp.V1)
	stolen := said("mallory", "stolen", 5)
	stolen.ID = forged.ID
	again := said("bob", "again", 6)
	again.ID = forged.ID
	earlier := said("bob", "earlier", 4)
	earlier.ID = forged.ID
	for _, c := range []struct {
		name                 string
		found                []samp.Found
		messages, suspicious string
		replicas             int
	}{
		{"N3/nothing", nil, "", "", 0},
		{"S1/twice in one log", []samp.Found{placed("bob", 0, hi, samp.V1), placed("bob", 9, hi, samp.V1)}, "bob:hi", "", 1},
		{"S1/both forms of id", []samp.Found{placed("bob", 0, hi, samp.V1), placed("bob", 9, hi, samp.V1Compact)}, "bob:hi", "", 1},
		{"S1/more after a duplicate", []samp.Found{placed("bob", 0, hi, samp.V1), placed("bob", 9, hi, samp.V1Compact), placed("bob", 20, said("bob", "more", 6), samp.V1)}, "bob:hi bob:more", "", 1},
		{"S1/both normal forms", []samp.Found{placed("bob", 0, said("bob", "e\u0301", 5), samp.V1), placed("bob", 9, said("bob", "\u00e9", 5), samp.V1Compact)}, "bob:e\u0301", "", 1},
		{"S1/replica in another's log", []samp.Found{placed("carol", 0, hi, samp.V1), placed("bob", 0, hi, samp.V1)}, "bob:hi", "", 1},
		{"S1/replica under the other form", []samp.Found{placed("carol", 0, hi, samp.V1Compact), placed("bob", 0, hi, samp.V1)}, "bob:hi", "", 1},
		{"S1/sync copy of what is there", []samp.Found{placed("bob.sync-conflict-1", 0, hi, samp.V1), placed("bob", 0, hi, samp.V1)}, "bob:hi", "", 1},
		{"S1/sync copy alone", []samp.Found{placed("bob-replica", 0, hi, samp.V1)}, "bob-replica:hi", "", 0},
		{"S1/two sync copies", []samp.Found{placed("bob-replica", 0, hi, samp.V1), placed("bob.2", 0, hi, samp.V1)}, "bob.2:hi", "", 1},
		{"S1/replica of a sync copy", []samp.Found{placed("bob-replica", 0, hi, samp.V1), placed("carol", 0, hi, samp.V1)}, "bob-replica:hi", "", 1},
		{"L4/forgery alone", []samp.Found{placed("mallory", 0, hi, samp.V1)}, "", "mallory:hi", 0},
		{"L4/forgery twice", []samp.Found{placed("mallory", 0, hi, samp.V1), placed("eve", 0, hi, samp.V1)}, "", "eve:hi mallory:hi", 0},
		{"L4/forged id suppresses nothing", []samp.Found{placed("mallory", 0, forged, samp.V1), placed("bob", 0, hi, samp.V1)}, "bob:hi", "mallory:forged", 0},
		{"L4/forged id in a sync copy", []samp.Found{placed("bob-x", 0, forged, samp.V1), placed("bob", 0, hi, samp.V1)}, "bob:hi", "", 1},
		{"L4/another's id in an own log", []samp.Found{placed("mallory", 0, stolen, samp.V1), placed("bob", 0, hi, samp.V1)}, "bob:hi mallory:stolen", "", 0},
		{"I3/same id, later text", []samp.Found{placed("bob", 0, hi, samp.V1), placed("bob", 9, again, samp.V1)}, "bob:hi", "", 1},
		{"N3/same id, earlier text later", []samp.Found{placed("bob", 9, earlier, samp.V1), placed("bob", 0, hi, samp.V1), placed("al", 0, said("al", "x", 4), samp.V1)}, "al:x bob:hi", "", 1},
		{"N3/by time", []samp.Found{placed("b", 0, said("b", "3", 3), samp.V1), placed("aa", 5, said("aa", "1", 1), samp.V1), placed("b", 9, said("b", "2", 2), samp.V1)}, "aa:1 b:2 b:3", "", 0},
		{"N3/by log, then line", []samp.Found{placed("bb", 0, said("bb", "3", 7), samp.V1), placed("a", 9, said("a", "2", 7), samp.V1), placed("a", 0, said("a", "1", 7), samp.V1)}, "a:1 a:2 bb:3", "", 0},
		{"N2/burst in one second", []samp.Found{placed("a", 0, said("a", "1", 7), samp.V1), placed("a", 1, said("a", "2", 7), samp.V1), placed("a", 2, said("a", "3", 7), samp.V1)}, "a:1 a:2 a:3", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for turn := range 2 {
				in := slices.Clone(c.found)
				if turn == 1 {
					slices.Reverse(in)
				}
				box := samp.Gather(in)
				if got := show(box.Messages); got != c.messages {
					t.Errorf("messages %q, want %q", got, c.messages)
				}
				if got := show(box.Suspicious); got != c.suspicious {
					t.Errorf("suspicious %q, want %q", got, c.suspicious)
				}
				if box.Replicas != c.replicas {
					t.Errorf("%d replicas, want %d", box.Replicas, c.replicas)
				}
			}
		})
	}
}

// TestGatherLossy holds that halves of surrogate pairs, which all read as
// U+FFFD, do not make two messages one.
func TestGatherLossy(t *testing.T) {
	log := `{"id":"1","ts":5,"from":"bob","to":"me","thread":"t","body":"\ud800"}` + "\n" +
		`{"id":"2","ts":5,"from":"bob","to":"me","thread":"t","body":"\udfff"}` + "\n" +
		`{"id":"2","ts":5,"from":"bob","to":"me","thread":"t","body":"\udfff"}` + "\n"
	found, _ := samp.Find([]byte(log), "bob", 0, new("me"), samp.V1)
	if box := samp.Gather(found); len(box.Messages) != 2 || box.Replicas != 1 {
		t.Errorf("R2: %d messages, %d replicas", len(box.Messages), box.Replicas)
	}
}

// TestUnread holds §6 step 6 and both forms in which a mark names messages.
func TestUnread(t *testing.T) {
	messages := []samp.Found{
		placed("a", 0, said("a", "old", 3), samp.V1),
		placed("a", 1, said("a", "first", 5), samp.V1),
		placed("a", 2, said("a", "second", 5), samp.V1),
		placed("b", 3, said("b", "new", 6), samp.V1),
	}
	first, old, newest := messages[1].Key, messages[0].Key, messages[3].Key
	for _, c := range []struct {
		name         string
		mark         samp.Watermark
		fresh, older string
	}{
		{"N2/no mark", samp.Watermark{}, "a:old a:first a:second b:new", ""},
		{"N2/before all", samp.Watermark{TS: 2}, "a:old a:first a:second b:new", ""},
		{"N2/same second, none listed", samp.Watermark{TS: 5}, "a:first a:second b:new", "a:old"},
		{"N2/same second, one listed", samp.Watermark{TS: 5, IDs: []string{first}}, "a:second b:new", "a:old"},
		{"N2/listed with its sender", samp.Watermark{TS: 5, IDs: []string{"a:" + first}}, "a:second b:new", "a:old"},
		{"N2/listed with another sender", samp.Watermark{TS: 5, IDs: []string{"b:" + first}}, "a:first a:second b:new", "a:old"},
		{"N2/id alone beyond the mark's second", samp.Watermark{TS: 5, IDs: []string{newest}}, "a:first a:second b:new", "a:old"},
		{"N2/id alone before the mark's second", samp.Watermark{TS: 5, IDs: []string{old}}, "a:first a:second b:new", "a:old"},
		{"N6/listed beyond the mark", samp.Watermark{TS: 5, IDs: []string{"b:" + newest}}, "a:first a:second", "a:old"},
		{"N6/listed and older", samp.Watermark{TS: 5, IDs: []string{"a:" + old}}, "a:first a:second b:new", ""},
		{"N6/mark in the future", samp.Watermark{TS: 1 << 40}, "", "a:old a:first a:second b:new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fresh, older := samp.Unread(messages, c.mark)
			if got := show(fresh); got != c.fresh {
				t.Errorf("fresh %q, want %q", got, c.fresh)
			}
			if got := show(older); got != c.older {
				t.Errorf("older %q, want %q", got, c.older)
			}
		})
	}
}

// TestReplyTarget holds §7, and the tie that it leaves open.
func TestReplyTarget(t *testing.T) {
	at := func(from, body string, ts int64) samp.Found { return placed(from, ts, said(from, body, ts), samp.V1) }
	for _, c := range []struct {
		name         string
		messages     []samp.Found
		target, tied string
	}{
		{"P1/none", nil, "", ""},
		{"P1/one", []samp.Found{at("a", "1", 1)}, "a:1", ""},
		{"P1/newest", []samp.Found{at("b", "1", 1), at("a", "2", 2)}, "a:2", ""},
		{"P1/one sender's last in the second", []samp.Found{at("a", "1", 2), at("a", "2", 2)}, "a:2", ""},
		{"P2/two senders", []samp.Found{at("b", "1", 2), at("a", "2", 2)}, "", "a:2 b:1"},
		{"P2/the last of each", []samp.Found{at("b", "1", 2), at("a", "2", 2), at("b", "3", 2), at("a", "4", 2)}, "", "a:4 b:3"},
		{"P1/one from the future", []samp.Found{at("a", "1", 1), at("b", "2", 99_999_999_999)}, "a:1", ""},
		{"P1/two from the future", []samp.Found{at("a", "1", 1), at("b", "2", 3000), at("c", "3", 1<<63-1)}, "a:1", ""},
		{"P1/all from the future", []samp.Found{at("b", "2", 99_999_999_999)}, "", ""},
		{"P1/from a clock that is fast", []samp.Found{at("a", "1", 1), at("b", "2", 1000+samp.ClockError)}, "b:2", ""},
		{"P1/from a clock that is too fast", []samp.Found{at("a", "1", 1), at("b", "2", 1001+samp.ClockError)}, "a:1", ""},
		{"P1/long ago", []samp.Found{at("a", "1", -1<<63)}, "a:1", ""},
		{"P2/an older tie is none", []samp.Found{at("b", "1", 2), at("a", "2", 2), at("a", "3", 3)}, "a:3", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			target, tied := samp.ReplyTarget(c.messages, 1000)
			got := ""
			if target != nil {
				got = show([]samp.Found{*target})
			}
			if got != c.target || show(tied) != c.tied {
				t.Errorf("target %q, tied %q", got, show(tied))
			}
		})
	}
}

// TestRandomInboxes reads as §6 says it, three times in a row, and compares
// with what a literal reading in Python showed and marked.
func TestRandomInboxes(t *testing.T) {
	var file struct {
		Cases [][]struct {
			Logs  map[string]string
			Shown []string
			Mark  struct {
				TS  int64
				IDs []string
			}
		}
	}
	readJSON(t, "inbox-random.json", &file)
	if len(file.Cases) < 50 {
		t.Fatalf("only %d cases", len(file.Cases))
	}
	for _, rounds := range file.Cases {
		var mark samp.Watermark
		for _, round := range rounds {
			box := samp.Gather(findIn(round.Logs, "bob"))
			fresh, _ := samp.Unread(box.Messages, mark)
			shown := []string{}
			for i := range fresh {
				shown = append(shown, fresh[i].Key)
			}
			if diff := gocmp.Diff(round.Shown, shown); diff != "" {
				t.Fatal("N2 N3:", diff)
			}
			mark = mark.Advance(box.Messages, fresh, 1<<40)
			// What is written is read by the next reader.
			back, err := samp.ParseWatermark(mark.Append(nil))
			if err != nil {
				t.Fatal(err)
			}
			mark = back
			// Each id stands there alone, as the text has it, and with its sender.
			ids := slices.DeleteFunc(slices.Sorted(slices.Values(mark.IDs)), func(id string) bool { return strings.Contains(id, ":") })
			if len(mark.IDs) != 2*len(ids) || mark.TS != round.Mark.TS || !slices.Equal(ids, round.Mark.IDs) {
				t.Fatalf("N2: mark %+v, want %+v", mark, round.Mark)
			}
		}
	}
}

func findIn(logs map[string]string, me string) (found []samp.Found) {
	names := make([]string, 0, len(logs))
	for name := range logs {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare[string])
	for rank, name := range names {
		stem, _ := samp.LogStem(name)
		more, _ := samp.Find([]byte(logs[name]), stem, rank, &me, samp.V1)
		found = append(found, more...)
	}
	return found
}
