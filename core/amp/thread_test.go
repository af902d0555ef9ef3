package amp_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestThreads holds AMP SIG-8 and ENV-11: grouped by in_reply_to alone.
func TestThreads(t *testing.T) {
	for name, c := range map[string]struct {
		links []amp.Link
		want  []amp.Place
	}{
		"the text's own": {
			[]amp.Link{{"1", ""}, {"2", "1"}, {"3", "2"}, {"4", "1"}},
			[]amp.Place{{Thread: "1", Parent: -1}, {Thread: "1", Parent: 0, Depth: 1}, {Thread: "1", Parent: 1, Depth: 2}, {Thread: "1", Parent: 0, Depth: 1}},
		},
		"in any order": {
			[]amp.Link{{"3", "2"}, {"2", "1"}, {"1", ""}},
			[]amp.Place{{Thread: "1", Parent: 1, Depth: 2}, {Thread: "1", Parent: 2, Depth: 1}, {Thread: "1", Parent: -1}},
		},
		"replies to what is missing": {
			[]amp.Link{{"2", "1"}, {"3", "1"}, {"4", "3"}},
			[]amp.Place{{Thread: "1", Parent: -1, Missing: true}, {Thread: "1", Parent: -1, Missing: true}, {Thread: "1", Parent: 1, Depth: 1}},
		},
		"a reply to itself": {
			[]amp.Link{{"1", "1"}},
			[]amp.Place{{Thread: "1", Parent: -1, Cycle: true}},
		},
		"a circle with a tail": {
			[]amp.Link{{"t", "b"}, {"a", "c"}, {"b", "a"}, {"c", "b"}},
			[]amp.Place{{Thread: "a", Parent: 2, Depth: 2}, {Thread: "a", Parent: -1, Cycle: true}, {Thread: "a", Parent: 1, Depth: 1}, {Thread: "a", Parent: 2, Depth: 2}},
		},
		"two of one id": {
			[]amp.Link{{"1", ""}, {"1", ""}, {"2", "1"}},
			[]amp.Place{{Thread: "1", Parent: -1}, {Thread: "1", Parent: -1}, {Thread: "1", Parent: 0, Depth: 1}},
		},
		"without ids": {
			[]amp.Link{{"", ""}, {"", ""}},
			[]amp.Place{{Parent: -1}, {Parent: -1}},
		},
		"none": {nil, []amp.Place{}},
	} {
		t.Run("AMP SIG-8 "+name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, amp.Threads(c.links)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestThreadsAlways holds for any links: each message's parent is in its thread and
// one less deep, and every way up ends.
func TestThreadsAlways(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		links := make([]amp.Link, r.IntN(12))
		for i := range links {
			links[i] = amp.Link{ID: strconv.Itoa(r.IntN(12)), InReplyTo: strconv.Itoa(r.IntN(14))}
			if r.IntN(4) == 0 {
				links[i].InReplyTo = ""
			}
		}
		for i, p := range amp.Threads(links) {
			steps := 0
			for at := i; at >= 0; at = amp.Threads(links)[at].Parent {
				if steps++; steps > len(links) {
					t.Fatalf("%v: %d leads in a circle", links, i)
				}
			}
			if p.Parent < 0 && p.Depth != 0 || p.Thread == "" || steps != p.Depth+1 {
				t.Fatalf("%v: %d: %+v", links, i, p)
			}
			if p.Parent >= 0 {
				up := amp.Threads(links)[p.Parent]
				if up.Thread != p.Thread || up.Depth+1 != p.Depth || links[p.Parent].ID != links[i].InReplyTo || p.Missing || p.Cycle {
					t.Fatalf("%v: %d: %+v under %+v", links, i, p, up)
				}
			}
		}
	}
}

// TestThreadsLong holds that a long way up takes no stack and no square of time.
func TestThreadsLong(t *testing.T) {
	links := make([]amp.Link, 200_000)
	for i := range links {
		links[i] = amp.Link{ID: strconv.Itoa(i), InReplyTo: strconv.Itoa((i + 1) % len(links))}
	}
	places := amp.Threads(links)
	if !places[0].Cycle || places[1].Depth != len(links)-1 {
		t.Errorf("%+v %+v", places[0], places[1])
	}
}
