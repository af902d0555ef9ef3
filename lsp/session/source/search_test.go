package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestSearchPages holds that pages hold every message with a word once and in order, though
// each is read from the end of a long session on and no further than it takes, and though
// times are a little out of order. What is masked is not found.
func TestSearchPages(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const count = 90
	key := "ghp_" + strings.Repeat("a1B2c3", 6)
	p, _ := sessionFixture(t, panel.Settings{}, func(work string) []record {
		list := talk(work, "hello", 1)
		for i := range count {
			at := begun.Add(time.Duration(i) * 10 * time.Minute)
			if i%7 == 3 {
				at = at.Add(-25 * time.Minute)
			}
			list = append(list, says("user", fmt.Sprintf("zebra %d token %s %s", i, key, strings.Repeat("x ", 30_000)), at))
		}
		return list
	})
	var times []int64
	pages := 0
	for q := (panel.SearchParams{Query: "zebra", Limit: 7}); ; pages++ {
		var hits []panel.SearchHit
		page, err := p.StreamSearch(t.Context(), q, func(part panel.SearchPart) { hits = append(hits, part.Hits...) })
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range append(hits, page.Hits...) {
			times = append(times, h.Time)
			if strings.Contains(h.Snippet, key) {
				t.Fatal("a hit shows what is masked")
			}
		}
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			break
		}
	}
	if len(times) != count || pages > count/7 || !slices.IsSortedFunc(times, func(a, b int64) int { return int(b - a) }) {
		t.Errorf("%d messages on %d pages: %v", len(times), pages+1, times)
	}
	if page, err := p.Search(t.Context(), panel.SearchParams{Query: key}); err != nil || len(page.Hits) > 0 {
		t.Errorf("what is masked is found: %+v, %v", page.Hits, err)
	}
}
