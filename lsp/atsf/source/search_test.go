package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/query"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// talks writes threads of some messages each and returns a view of them.
func talks(t *testing.T, count, each int) *atsfstore.Snapshot {
	t.Helper()
	folder := t.TempDir()
	writeTalks(t, folder, count, each)
	snap, err := atsfstore.Scan(t.Context(), atsfstore.Config{Folders: []string{folder}, StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// searchAll returns the times of all hits, page after page, with cursors as clients
// send them.
func searchAll(t *testing.T, snap *atsfstore.Snapshot, limit int, budget int64) (times []int64, pages int) {
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

// TestMentions finds a word in what agents wrote, whatever the size of the pages: the thread
// that changed last first, and in it the newest message. ATSF M1, M5
func TestMentions(t *testing.T) {
	folder := t.TempDir()
	at := time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC).UnixMilli()
	said := func(id, text string) atsf.Message {
		return atsf.Message{ID: id, Role: atsf.RoleUser, Time: atsf.At(at), Content: []atsf.Block{{Type: atsf.TypeText, Text: text}}}
	}
	thread := func(id string, after int64, list ...atsf.Message) {
		writeThread(t, folder, atsf.Thread{
			ID: id, Title: id, Created: atsf.At(at), Updated: atsf.At(at + after), Agent: atsf.Agent{ID: "a", Name: "A"}, Context: atsf.Context{WorkingDir: folder},
		}, list...)
	}
	thread("old", 1, said("m1", "see release"), said("release", "its own id"), said("m3", "\nrelease and release"), said("m4", "release-2"))
	thread("new", 2, said("m5", "x"), said("m6", "the release."))
	thread("empty", 3)
	snap, err := atsfstore.Scan(t.Context(), atsfstore.Config{Folders: []string{folder}, StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	word, _ := mention.Of("release")
	for _, limit := range []int{1, 2, 10} {
		var got []string
		q := panel.ReferenceQuery{Word: word, Limit: limit}
		for pages := 1; ; pages++ {
			found, err := (&source{}).view(nil, snap, nil).References(t.Context(), &q)
			if err != nil || pages > 4 {
				t.Fatalf("%d pages, %v", pages, err)
			}
			for _, r := range found.References {
				got = append(got, fmt.Sprintf("%s:%d", filepath.Base(filepath.Dir(r.Place.Path)), r.Place.Line))
				if r.Place.End.UTF8-r.Place.Start.UTF8 != len("release") {
					t.Errorf("%+v", r.Place)
				}
			}
			if q.Place = found.Next; q.Place == "" {
				break
			}
		}
		if diff := cmp.Diff([]string{"new:1", "old:2", "old:0"}, got); diff != "" {
			t.Errorf("by %d: %s", limit, diff)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&source{}).view(nil, snap, nil).References(ctx, &panel.ReferenceQuery{Word: word, Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
