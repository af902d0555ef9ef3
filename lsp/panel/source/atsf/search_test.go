package atsf

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// talks writes threads of some messages each and returns a view of them.
func talks(t *testing.T, count, each int) *threads.Snapshot {
	t.Helper()
	folder := t.TempDir()
	writeTalks(t, folder, count, each)
	snap, err := threads.Scan(t.Context(), threads.Config{Folders: []string{folder}, StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// searchAll returns the times of all hits, page after page, with cursors as clients
// send them.
func searchAll(t *testing.T, snap *threads.Snapshot, limit int, budget int64) (times []int64, pages int) {
	t.Helper()
	q := query.Parse("word", query.Calendar{})
	var after *panel.SearchPlace
	for {
		if pages++; pages > 1000 {
			t.Fatal("the search does not end")
		}
		v := (&source{}).view(nil, snap, nil)
		found, err := v.search(&q, limit, budget).Find(t.Context(), after)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Hits) > limit {
			t.Fatalf("%d hits and %d are the limit", len(found.Hits), limit)
		}
		for _, m := range found.Hits {
			times = append(times, m.Show().Time)
		}
		if !found.More {
			return times, pages
		}
		sent, err := json.Marshal(found.Next)
		if err != nil {
			t.Fatal(err)
		}
		after = &panel.SearchPlace{}
		if err := json.Unmarshal(sent, after); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSearchPages checks that pages hold every message once, whatever limits a page or
// the work, and in order unless the work was limited.
func TestSearchPages(t *testing.T) {
	const count, each = 7, 9
	snap := talks(t, count, each)
	for _, limit := range []int{1, 2, 5, 62, 63, 200} {
		for _, budget := range []int64{1, 700, 3000, 1 << 30} {
			times, pages := searchAll(t, snap, limit, budget)
			ordered := slices.IsSortedFunc(times, func(a, b int64) int { return int(b - a) })
			if !ordered && budget == 1<<30 {
				t.Errorf("limit %d, budget %d: not in order: %v", limit, budget, times)
			}
			if want := count * each / limit; budget == 1<<30 && pages > want+1 {
				t.Errorf("limit %d: %d pages", limit, pages)
			}
			slices.Sort(times)
			if n := len(slices.Compact(times)); n != count*each {
				t.Errorf("limit %d, budget %d: %d messages of %d", limit, budget, n, count*each)
			}
		}
	}
}
