package search

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestStreamKeepsOrder holds that hits are sent early only when no others can come before
// them, and each once.
func TestStreamKeepsOrder(t *testing.T) {
	match := func(times ...int64) (list []panel.Match) {
		for _, at := range times {
			list = append(list, panel.Match{Time: at, Place: panel.SearchPlace{Time: at}, Show: func() panel.SearchHit { return panel.SearchHit{Time: at} }})
		}
		return list
	}
	follow := func(more ...panel.Matches) panel.Search {
		return panel.Search{Follow: func(_ context.Context, _ *panel.SearchPlace, so func(panel.Matches)) (panel.Matches, error) {
			for _, m := range more[:len(more)-1] {
				so(m)
			}
			return more[len(more)-1], nil
		}}
	}
	threads := follow(panel.Matches{Hits: match(95), More: true, Until: 0}, panel.Matches{Hits: match(95)})
	threads.Name = "threads"
	sessions := follow(panel.Matches{Hits: match(90, 30), More: true, Until: 60}, panel.Matches{Hits: match(90, 30), More: true, Until: 60},
		panel.Matches{Hits: match(90, 50, 30), More: true, Until: 40}, panel.Matches{Hits: match(90, 50, 40, 30)})
	sessions.Name = "sessions"
	mail := panel.Search{Name: "mail", Find: func(context.Context, *panel.SearchPlace) (panel.Matches, error) {
		return panel.Matches{Hits: match(80, 45)}, nil
	}}
	var parts [][]int64
	run := pageSearch{at: places{}, limit: 10, found: func(p panel.SearchPart) {
		var times []int64
		for _, h := range p.Hits {
			times = append(times, h.Time)
		}
		parts = append(parts, times)
	}}
	if err := run.searchAll(t.Context(), []panel.Search{mail, threads, sessions}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int64{{95, 90, 80}, {50, 45}}, parts); diff != "" || run.sent != 5 {
		t.Error(run.sent, diff)
	}
	failed := panel.Search{Name: "sessions", Follow: func(context.Context, *panel.SearchPlace, func(panel.Matches)) (panel.Matches, error) {
		return panel.Matches{}, context.Canceled
	}}
	if err := run.searchAll(t.Context(), []panel.Search{failed}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestMergeKeepsTime holds that what is older than the place which a bounded search
// has come to waits for it.
func TestMergeKeepsTime(t *testing.T) {
	at := places{}
	one := panel.Matches{Hits: []panel.Match{{Time: 90, Place: panel.SearchPlace{Time: 90}}}, More: true, Bounded: true, Until: 50, Next: panel.SearchPlace{Time: 50}}
	two := panel.Matches{Hits: []panel.Match{{Time: 60, Place: panel.SearchPlace{Time: 60}}, {Time: 40, Place: panel.SearchPlace{Time: 40}}}}
	shown, more := merge([]storeMatches{{"one", one}, {"two", two}}, at, 10)
	if len(shown) != 2 || shown[1].Time != 60 || !more || at["one"].Time != 50 || at["two"].Time != 60 {
		t.Fatalf("%+v %v %+v", shown, more, at)
	}
	one = panel.Matches{Hits: []panel.Match{{Time: 45, Place: panel.SearchPlace{Time: 45}}}}
	two.Hits = two.Hits[1:]
	shown, more = merge([]storeMatches{{"one", one}, {"two", two}}, at, 10)
	if len(shown) != 2 || more || !at["one"].Over || !at["two"].Over {
		t.Fatalf("%+v %v %+v", shown, more, at)
	}
}
