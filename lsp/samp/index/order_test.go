package index_test

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

var sorts = []index.Sort{index.Newest, index.Oldest, index.WaitingFirst}

// listed is the order of the whole list, made by a plain sort.
func listed(s index.Sort, list []index.Thread) []string {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b index.Thread) int {
		newest := cmp.Or(cmp.Compare(b.Last, a.Last), strings.Compare(b.Name, a.Name))
		switch s {
		case index.Oldest:
			return -newest
		case index.WaitingFirst:
			return cmp.Or(cmp.Compare(min(b.Unread, 1), min(a.Unread, 1)), newest)
		}
		return newest
	})
	return names(list)
}

func names(list []index.Thread) []string {
	out := []string{}
	for _, t := range list {
		out = append(out, t.Name)
	}
	return out
}

// behind is the place behind a thread.
func behind(s index.Sort, t index.Thread) *index.Place {
	p := &index.Place{TS: t.Last, Name: t.Name}
	switch s {
	case index.Oldest:
		p.Name += "\x00"
	case index.WaitingFirst:
		p.Rest = t.Unread == 0
	}
	return p
}

// TestMine lists the reader's threads: a reader who received one message takes part in a
// thread, however many messages of others follow.
func TestMine(t *testing.T) {
	b := newTestDir(t, "me")
	b.append("log-a.jsonl", line(1000, "a", "me", "asked once", "?"))
	for i := range int64(200) {
		b.append("log-a.jsonl", line(1001+i, "a", "b", "asked once", fmt.Sprint("text ", i)))
	}
	b.append("log-me.jsonl", line(1500, "me", "a", "sent", "text"))
	b.append("log-b.jsonl", line(1600, "b", "a", "others", "text"))
	b.sync()
	list, _ := b.live.List(index.Listing{Filter: index.Filter{Mine: true}, Limit: 10})
	if diff := gocmp.Diff([]string{"sent", "asked once"}, names(list)); diff != "" {
		t.Error(diff)
	}
	if list, _ = b.live.List(index.Listing{Limit: 10}); len(list) != 3 || list[0].Mine || !list[1].Mine {
		t.Errorf("%+v", list)
	}
}

// TestPagesWhileMailComes fetches lists page by page while messages are appended
// between the pages. Threads without new messages are in the pages as in the sorted list:
// none is missing, and none comes twice.
func TestPagesWhileMailComes(t *testing.T) {
	for _, sort := range sorts {
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(sort, "/", seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				b := newTestDir(t, "me")
				ts := int64(1000)
				touched := map[string]bool{}
				write := func() {
					ts += r.Int64N(2) // often the same second
					from, to := fmt.Sprint("a", r.IntN(4)), "me"
					if r.IntN(3) == 0 {
						to = "carol"
					}
					thread := fmt.Sprint("t", r.IntN(40))
					touched[thread] = true
					b.append("log-"+from+".jsonl", line(ts, from, to, thread, fmt.Sprint("text ", r.Uint64())))
				}
				for range 120 {
					write()
				}
				b.sync()
				for _, th := range must(b.live.List(index.Listing{Limit: 100})) {
					if r.IntN(2) == 0 {
						if err := b.live.SetRead(nil, []string{th.Name}, true); err != nil {
							t.Fatal(err)
						}
					}
				}
				whole := must(b.live.List(index.Listing{Sort: sort, Limit: 100}))
				want := listed(sort, whole)
				if diff := gocmp.Diff(want, names(whole)); diff != "" {
					t.Fatal("the whole list (-want +got):\n" + diff)
				}
				clear(touched)
				var got []string
				var after *index.Place
				for {
					page, more := b.live.List(index.Listing{Sort: sort, After: after, Limit: 1 + r.IntN(6)})
					got = append(got, names(page)...)
					if !more {
						break
					}
					after = behind(sort, page[len(page)-1])
					write()
					b.sync()
				}
				left := func(list []string) []string {
					return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return touched[name] })
				}
				if diff := gocmp.Diff(left(want), left(got)); diff != "" {
					t.Error("pages (-want +got):\n" + diff)
				}
				again := must(b.live.List(index.Listing{Sort: sort, Limit: 100}))
				if diff := gocmp.Diff(listed(sort, again), names(again)); diff != "" {
					t.Error("the list after appends (-want +got):\n" + diff)
				}
			})
		}
	}
}

func must(list []index.Thread, _ bool) []index.Thread { return list }

// TestShelvedThreads narrows lists by what a shelf says.
func TestShelvedThreads(t *testing.T) {
	b := newTestDir(t, "me")
	for i := range 6 {
		b.append("log-ann.jsonl", line(int64(100+i), "ann", []string{"me", "bob"}[i%2], fmt.Sprint("t", i), []string{"text", "text?"}[min(i, 1)]))
	}
	b.sync()
	shelf := func(name string, _ iter.Seq[uint64]) (hidden, due bool) {
		return name == "t4" || name == "t3", name == "t1"
	}
	for name, c := range map[string]struct {
		q    index.Listing
		want []string
	}{
		"newest":         {index.Listing{}, []string{"t5", "t2", "t1", "t0"}},
		"oldest":         {index.Listing{Sort: index.Oldest}, []string{"t0", "t1", "t2", "t5"}},
		"waiting first":  {index.Listing{Sort: index.WaitingFirst}, []string{"t2", "t1", "t0", "t5"}},
		"unread":         {index.Listing{Filter: index.Filter{Unread: true}}, []string{"t2", "t1", "t0"}},
		"unread waiting": {index.Listing{Sort: index.WaitingFirst, Filter: index.Filter{Unread: true}}, []string{"t2", "t1", "t0"}},
		"asks":           {index.Listing{Filter: index.Filter{Asks: true}}, []string{"t2"}},
		"asks, oldest":   {index.Listing{Sort: index.Oldest, Filter: index.Filter{Asks: true}}, []string{"t2"}},
		"asks, behind":   {index.Listing{Filter: index.Filter{Asks: true}, After: &index.Place{TS: 102, Name: "t2"}}, []string{}},
		"only, asks":     {index.Listing{Filter: index.Filter{Asks: true, Only: []string{"t0", "t2", "t4"}}}, []string{"t2"}},
		"only":           {index.Listing{Filter: index.Filter{Only: []string{"t0", "gone", "t5", "t4"}}}, []string{"t5", "t0"}},
		"only, behind": {index.Listing{
			Sort: index.Oldest, Filter: index.Filter{Only: []string{"t5", "t0", "t1"}},
			After: &index.Place{TS: 100, Name: "t0\x00"},
		}, []string{"t1", "t5"}},
		"only, waiting": {index.Listing{Sort: index.WaitingFirst, Filter: index.Filter{Only: []string{"t5", "t2", "t1"}}}, []string{"t2", "t1", "t5"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.q.Shelf, c.q.Due, c.q.Limit = shelf, 1, 10
			if diff := gocmp.Diff(c.want, names(must(b.live.List(c.q)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	want := map[string]index.Tally{"t0": {Mail: b.live.Mail("t0"), Unread: 1, NeedsReply: true}, "t1": {}, "t2": {Mail: b.live.Mail("t2"), Unread: 1, Asks: true, NeedsReply: true}}
	weights, stats := b.live.Tally([]string{"t0", "t1", "t2", "none"})
	if diff := gocmp.Diff(want, weights); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(b.live.Stats(), stats); diff != "" {
		t.Error(diff)
	}
}
