package panel

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// talks writes threads of some messages each, one minute apart over all, and looks
// at them.
func talks(t *testing.T, count, each int) *threads.Snapshot {
	t.Helper()
	folder := t.TempDir()
	start := time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC).UnixMilli()
	for i := range count {
		var log []byte
		last := int64(0)
		for j := range each {
			// The threads go on side by side.
			last = start + int64(j*count+i)*60_000
			line, err := atsf.BuildMessage(atsf.Message{
				ID: fmt.Sprint(i, "-", j), Role: atsf.RoleUser, Time: atsf.At(last),
				Content: []atsf.Block{{Type: atsf.TypeText, Text: fmt.Sprintf("word %d of thread %d", j, i)}},
			})
			if err != nil {
				t.Fatal(err)
			}
			log = append(log, line...)
		}
		id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i)
		meta, err := atsf.BuildThread(atsf.Thread{
			ID: id, Title: fmt.Sprint("Talk ", i), Created: atsf.At(start), Updated: atsf.At(last), Agent: atsf.Agent{ID: "a", Name: "A"},
			Context: atsf.Context{WorkingDir: folder}, Stats: atsf.Stats{Messages: int64(each), User: int64(each)},
		})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(folder, ".agent", "threads", id)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{atsf.ThreadName: meta, atsf.MessagesName: log} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	snap, err := threads.Scan(t.Context(), threads.Config{Folders: []string{folder}, StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// searchAll gives the times of all hits, page after page.
func searchAll(t *testing.T, snap *threads.Snapshot, limit int, budget int64) (times []int64, pages int) {
	t.Helper()
	q := query.Parse("word", query.Calendar{})
	at := places{}
	for {
		if pages++; pages > 1000 {
			t.Fatal("the search does not end")
		}
		h := agentHunt{now: snap, query: &q, limit: limit, budget: budget}
		var after *searchPlace
		if p, ok := at["atsf"]; ok {
			after = &p
		}
		found, err := h.find(t.Context(), after)
		if err != nil {
			t.Fatal(err)
		}
		shown, more := merge([]hunt{{name: "atsf"}}, []haul{found}, at, limit)
		for _, c := range shown {
			times = append(times, c.show().Time)
		}
		if !more {
			return times, pages
		}
		if at, err = parsePlaces(at.sent()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSearchAgentsPages holds that pages give every message once, whatever bounds
// a page or the work; and in order, unless the work was bounded.
func TestSearchAgentsPages(t *testing.T) {
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

// TestMergeKeepsTime holds that what is older than the place which a bounded search
// has come to waits for it.
func TestMergeKeepsTime(t *testing.T) {
	at := places{}
	one := haul{hits: []catch{{time: 90, place: searchPlace{Time: 90}}}, more: true, bounded: true, until: 50, next: searchPlace{Time: 50}}
	two := haul{hits: []catch{{time: 60, place: searchPlace{Time: 60}}, {time: 40, place: searchPlace{Time: 40}}}}
	shown, more := merge([]hunt{{name: "one"}, {name: "two"}}, []haul{one, two}, at, 10)
	if len(shown) != 2 || shown[1].time != 60 || !more || at["one"].Time != 50 || at["two"].Time != 60 {
		t.Fatalf("%+v %v %+v", shown, more, at)
	}
	one = haul{hits: []catch{{time: 45, place: searchPlace{Time: 45}}}}
	two.hits = two.hits[1:]
	shown, more = merge([]hunt{{name: "one"}, {name: "two"}}, []haul{one, two}, at, 10)
	if len(shown) != 2 || more || !at["one"].Over || !at["two"].Over {
		t.Fatalf("%+v %v %+v", shown, more, at)
	}
}

func TestMarks(t *testing.T) {
	words := []needle.Needle{needle.New("red"), needle.New("is red"), needle.New("x")}
	if got := fmt.Sprint(marksIn("\U0001F600 it is RED, red", words)); got != "[[6 6] [14 3]]" {
		t.Error(got)
	}
	var h SearchHit
	h.excerpt(words[:1], "", "first text", "second text that goes on for quite a while before it comes to\nthe word red \u202e, and on")
	if h.Snippet != "…for quite a while before it comes to the word red ⟨U+202E⟩, and on" {
		t.Errorf("%q", h.Snippet)
	}
	if len(h.Marks) != 1 || h.Snippet[h.Marks[0][0]+2:][:3] != "red" {
		t.Error(h.Marks)
	}
	h.excerpt(words[:1], "", "none in it")
	if h.Snippet != "none in it" || len(h.Marks) != 0 || h.Marks == nil {
		t.Errorf("%+v", h)
	}
}
