package index_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// once opens the directory for a search without an index.
func (b *testDir) once(me, state string) *index.Live {
	b.t.Helper()
	live := index.Open(index.Config{Path: b.dir, Me: me, StateDir: state, Auto: true, Once: true, Logger: slog.New(slog.DiscardHandler)})
	b.t.Cleanup(live.Close)
	return live
}

// scanned returns all pages of a search without an index. If anew is set, each page is a
// search of its own, as for a caller who comes back with a cursor.
func (b *testDir) scanned(live *index.Live, text string, limit int, anew bool) (list []index.Message) {
	b.t.Helper()
	q := query.Parse(text, local())
	var scan *index.Scan
	var after *index.SearchPlace
	for {
		var err error
		if scan == nil || anew {
			if scan, err = live.Scan(b.t.Context(), &q); err != nil {
				b.t.Fatal(err)
			}
		}
		page, err := scan.Page(b.t.Context(), after, limit)
		if err != nil {
			b.t.Fatal(err)
		}
		list = append(list, page.Messages...)
		if !page.More {
			return list
		}
		if len(page.Messages) == 0 || len(page.Messages) > limit {
			b.t.Fatalf("%s: a page of %d of %d says that there are more", text, len(page.Messages), limit)
		}
		after = &page.Next
	}
}

// naive reads a directory in the simplest way.
func naive(t *testing.T, dir string, p samp.Profile) []index.Message {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "log-*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	var found []samp.Found
	for rank, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		stem, _ := samp.LogStem(filepath.Base(name))
		samp.Lines(data, func(offset int, raw []byte) {
			if r, err := samp.Parse(raw); err == nil {
				found = append(found, samp.Found{Record: r, Key: samp.EffectiveID(&r, p), Stem: stem, Rank: rank, Offset: int64(offset)})
			}
		})
	}
	var list []index.Message
	for _, f := range samp.Gather(found).Messages {
		list = append(list, index.Message{Found: f, File: samp.LogName(f.Stem)})
	}
	slices.Reverse(list)
	return list
}

// spelled is a term that finds a word whatever the composition of its accents.
func spelled(w string) term {
	return term{w, func(m *index.Message) bool {
		return slices.ContainsFunc([]string{w, norm.NFC.String(w), norm.NFD.String(w)}, func(s string) bool {
			return holds(m.Body, s) || holds(m.From, s) || holds(m.Thread, s)
		})
	}}
}

// writer writes plain records, copies, records with the same id, records without an id, and
// lines that were cut.
type writer struct {
	scribe
	logs map[string][]byte
	ids  []string
}

func (w *writer) add(me string) {
	from := w.pick("alice", "bob", "alistair", me)
	log := from
	if w.IntN(8) == 0 {
		log = w.pick("mallory", "bob", "alice-laptop", "alice.sync-conflict-1", "bob-replica") // a copy, or forged
	}
	line := w.line(from, me)
	if r, err := samp.Parse(bytes.Clone(line)); err == nil {
		switch w.IntN(10) {
		case 0:
			r.ID = w.pick(append(w.ids, "odd id", "")...) // of another message, or none
			line = r.Append(nil)
		case 1:
			r.Body += w.pick(" caf\u00e9", " cafe\u0301", " CAFE\u0301")
			r.ID = samp.ID(&r, w.profile())
			line = r.Append(nil)
		case 2:
			line = []byte(fmt.Sprintf("{\"body\":\"red %d\",\"thread\":\"t\",\"to\":%q,\"from\":%q,\"ts\":%d}\n", w.IntN(9), me, from, w.ts()))
		case 3:
			line = append(line[:len(line)/2:len(line)/2], '\n') // cut
		}
		w.ids = append(w.ids, r.ID)
	}
	w.logs[log] = append(w.logs[log], line...)
	for range 2 {
		if w.IntN(12) == 0 { // the same again, elsewhere or in the same log
			again := w.pick(from, "alice-laptop", "bob-replica", "mallory")
			w.logs[again] = append(w.logs[again], line...)
		}
	}
}

func (w *writer) profile() samp.Profile {
	if w.IntN(2) == 0 {
		return samp.V1
	}
	return samp.V1Compact
}

func (w *writer) save(t *testing.T, dir string) {
	t.Helper()
	for log, data := range w.logs {
		if w.IntN(6) == 0 {
			data = bytes.TrimRight(data, "\n")
		}
		if w.IntN(8) == 0 {
			data = append(data, `{"id": "torn`...)
		}
		if err := os.WriteFile(filepath.Join(dir, samp.LogName(log)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// checkScan holds that searches with the index, without it and in the simplest way find the
// same messages in the same order, and the same openings of their threads.
func checkScan(t *testing.T, seed uint64, queries int) {
	t.Helper()
	const me = "me"
	b := newTestDir(t, me)
	state := t.TempDir()
	w := &writer{scribe: scribe{rand.New(rand.NewPCG(seed, 11))}, logs: map[string][]byte{}}
	for range 1 + w.IntN(300) {
		w.add(me)
	}
	w.save(t, b.dir)
	b.live.Close()
	b.live = index.Open(index.Config{Path: b.dir, Me: me, StateDir: state, Auto: true, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(b.live.Close)
	b.sync()
	everything := naive(t, b.dir, b.live.Stats().Profile)
	var read []sampstore.Key
	for i := range everything {
		if w.IntN(2) == 0 {
			read = append(read, sampstore.KeyOf(&everything[i].Found))
		}
	}
	if err := b.live.SetRead(read, nil, true); err != nil {
		t.Fatal(err)
	}
	for i := range everything {
		m := &everything[i]
		m.Unread = m.To == me && !slices.Contains(read, sampstore.KeyOf(&m.Found))
	}
	list := append(terms(me), spelled("caf\u00e9"), spelled("cafe\u0301"), spelled("torn"))
	for range queries {
		text, want := asked(w.Rand, list, everything)
		slices.SortStableFunc(want, func(a, b index.Message) int {
			return cmp.Or(cmp.Compare(b.TS, a.TS), strings.Compare(b.File, a.File), cmp.Compare(b.Offset, a.Offset))
		})
		limit := 1 + w.IntN(60)
		if diff := gocmp.Diff(places(want), places(b.search(text, limit, index.SearchBudget))); diff != "" {
			t.Fatalf("%q, pages of %d, with the index (-want +got):\n%s", text, limit, diff)
		}
		live := b.once(me, state)
		if w.IntN(2) == 0 {
			live.SetPartSize(50 + w.Int64N(5_000))
		}
		got := b.scanned(live, text, limit, w.IntN(3) == 0)
		if diff := gocmp.Diff(places(want), places(got)); diff != "" {
			t.Fatalf("%q, pages of %d, without the index (-want +got):\n%s", text, limit, diff)
		}
		for i := range got {
			if got[i].Unread != want[i].Unread || got[i].Key != want[i].Key || got[i].Body != want[i].Body {
				t.Fatalf("%q: %+v, want %+v", text, got[i], want[i])
			}
			if diff := gocmp.Diff(places(b.live.Openings(got[i].Thread)), places(live.Openings(got[i].Thread))); diff != "" {
				t.Fatalf("%q: the thread %q begins with (-index +scan):\n%s", text, got[i].Thread, diff)
			}
		}
		live.Close()
	}
}

func TestScanModel(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			checkScan(t, seed, 30)
		})
	}
}

func FuzzScan(f *testing.F) {
	f.Add(uint64(100))
	f.Fuzz(func(t *testing.T, seed uint64) { checkScan(t, seed, 5) })
}

// TestScanOpenings holds the openings of the threads that a scan met.
func TestScanOpenings(t *testing.T) {
	b := newTestDir(t, "me")
	b.write(samp.LogName("alice"), line(3, "alice", "bob", "t", "word"), line(1, "alice", "me", "t", "first"), line(9, "alice", "me", "other", "x"))
	b.write(samp.LogName("bob"), line(2, "bob", "alice", "t", "second"))
	live := b.once("me", t.TempDir())
	if got := b.scanned(live, "word", 5, false); len(got) != 1 {
		t.Fatal(places(got))
	}
	if got := live.Openings("t", "other"); len(got) != 1 || got[0].Body != "first" {
		t.Errorf("%+v", got)
	}
}

// TestScanLong holds that words are found in lines that do not fit into the reader's buffer,
// also across the edges of what is read at once, and that others are not read into memory.
func TestScanLong(t *testing.T) {
	b := newTestDir(t, "me")
	var data []byte
	for i := range 6 {
		r := samp.Record{TS: int64(100 + i), From: "alice", To: "me", Thread: "t", Body: strings.Repeat("x", 262_000+i*70) + " needle " + strings.Repeat("y", 600_000)}
		r.ID = samp.ID(&r, samp.V1)
		data = r.Append(data)
	}
	b.write(samp.LogName("alice"), string(data), line(1, "alice", "me", "t", "short"))
	live := b.once("me", t.TempDir())
	if got := b.scanned(live, "needle", 5, false); len(got) != 6 {
		t.Errorf("found %v", places(got))
	}
	if got := b.scanned(live, "absent", 5, false); len(got) != 0 {
		t.Errorf("found %v", places(got))
	}
}

// TestScanForged holds that a search for suspicious messages makes the index that it needs.
func TestScanForged(t *testing.T) {
	b := newTestDir(t, "me")
	b.write(samp.LogName("mallory"), line(1, "alice", "me", "t", "word"))
	live := b.once("me", t.TempDir())
	if got := b.scanned(live, "word", 5, false); len(got) > 0 {
		t.Errorf("found %v", places(got))
	}
	q := query.Parse("word is:suspicious", local())
	if scan, err := live.Scan(t.Context(), &q); scan != nil || err != nil {
		t.Fatal(scan, err)
	}
	page, err := live.Search(t.Context(), &q, nil, 5, index.SearchBudget)
	if err != nil || len(page.Messages) != 1 || !page.Messages[0].Suspicious {
		t.Errorf("%+v, %v", page, err)
	}
}

// TestScanCovered holds that messages that another tool's watermark covers count as read if
// there is no read state yet, and that a search makes none.
func TestScanCovered(t *testing.T) {
	b := newTestDir(t, "me")
	b.write(samp.LogName("alice"), line(100, "alice", "me", "t", "word one"), line(200, "alice", "me", "t", "word two"))
	b.write(samp.WatermarkName("me"), `{"ts": 150, "ids": []}`)
	state := t.TempDir()
	got := b.scanned(b.once("me", state), "word", 5, false)
	if len(got) != 2 || !got[0].Unread || got[1].Unread {
		t.Errorf("%+v", got)
	}
	if got := b.scanned(b.once("me", state), "is:unread", 5, false); len(got) != 1 || got[0].TS != 200 {
		t.Errorf("%+v", got)
	}
	if list, err := os.ReadDir(state); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}

// TestFutureWatermark reads a watermark from a fast clock as "inbox" does: only the messages that it
// lists count as read, each in the second that the watermark names.
func TestFutureWatermark(t *testing.T) {
	const future = 4102444800
	listed, err := samp.Build("alice", "me", "t", "word one", future, samp.V1)
	if err != nil {
		t.Fatal(err)
	}
	b := newTestDir(t, "me")
	b.write(samp.LogName("alice"), line(future-1, "alice", "me", "t", "word two"), string(listed.Append(nil)))
	b.write(samp.WatermarkName("me"), fmt.Sprintf(`{"ts": %d, "ids": [%q]}`, int64(future), listed.ID))
	want := []bool{false, true}
	var got []bool
	for _, m := range b.scanned(b.once("me", t.TempDir()), "word", 5, false) {
		got = append(got, m.Unread)
	}
	if !slices.Equal(got, want) {
		t.Errorf("searched: unread %v, want %v", got, want)
	}
	b.live.Close()
	b.open("me")
	b.sync()
	page, err := b.live.Page("t", nil, nil, 10)
	if err != nil || len(page.Messages) != 2 || !page.Messages[0].Unread || page.Messages[1].Unread {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestScanEnds(t *testing.T) {
	b := newTestDir(t, "me")
	b.write(samp.LogName("alice"), line(1000, "alice", "me", "t", "word"))
	live := b.once("me", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := query.Parse("word", local())
	scan, err := live.Scan(ctx, &q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scan.Page(ctx, nil, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := os.RemoveAll(b.dir); err != nil {
		t.Fatal(err)
	}
	if got := b.scanned(b.once("me", t.TempDir()), "word", 5, false); len(got) > 0 {
		t.Error(places(got))
	}
}

// TestScanSkipped holds that the first page is right if parts of logs are skipped once there
// are enough hits, wherever the newest messages are, and whatever hides them.
func TestScanSkipped(t *testing.T) {
	const logs, each = 3, 400
	for name, time := range map[string]func(log, i int) int64{
		"in order":          func(log, i int) int64 { return int64(1000 + i*logs + log) },
		"one after another": func(log, i int) int64 { return int64(1000 + log*each + i) },
		"from behind":       func(_, i int) int64 { return int64(9000 - i) },
		"one second":        func(int, int) int64 { return 1000 },
		"all over":          func(log, i int) int64 { return int64(1000 + i*7919%each*logs + log) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newTestDir(t, "me")
			for l := range logs {
				from, data := fmt.Sprint("agent", l), strings.Builder{}
				for i := range each {
					text := line(time(l, i), from, "me", fmt.Sprint("t", i%50), fmt.Sprint("word ", i))
					if data.WriteString(text); i%7 == 0 {
						data.WriteString(text) // twice
					}
				}
				b.write(samp.LogName(from), data.String())
			}
			b.sync()
			for _, text := range []string{"word", "-absent", "from:agent1", "word 7 in:t1"} {
				live := b.once("me", t.TempDir())
				live.SetPartSize(4 << 10)
				if diff := gocmp.Diff(places(b.search(text, 20, index.SearchBudget)), places(b.scanned(live, text, 20, false))); diff != "" {
					t.Errorf("%q (-index +scan):\n%.2000s", text, diff)
				}
				live.Close()
			}
		})
	}
}

// TestScanBulk holds that memory does not grow with the records that share sender and second,
// or the id, with a hit: from a bulk import, or a program that writes the same id everywhere.
func TestScanBulk(t *testing.T) {
	for name, id := range map[string]func(r *samp.Record){
		"one second": func(r *samp.Record) { r.ID = samp.ID(r, samp.V1) },
		"one id":     func(r *samp.Record) { r.ID = "1" },
		"one text":   func(r *samp.Record) { r.ID, r.Body = fmt.Sprint("id", r.ID), "word "+strings.Repeat("x", 2000) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newTestDir(t, "me")
			var data []byte
			const n = 10_000
			for i := range n {
				r := samp.Record{ID: fmt.Sprint(i), TS: 1000, From: "alice", To: "me", Thread: "t", Body: fmt.Sprint("word ", i, strings.Repeat("x", 2000))}
				id(&r)
				data = r.Append(data)
			}
			b.write(samp.LogName("alice"), string(data))
			live := b.once("me", t.TempDir())
			q := query.Parse("word", local())
			scan, err := live.Scan(t.Context(), &q)
			if err != nil {
				t.Fatal(err)
			}
			defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			page, err := scan.Page(t.Context(), nil, 20)
			runtime.ReadMemStats(&after)
			if err != nil || len(page.Messages) == 0 || name == "one second" && len(page.Messages) != 20 || name != "one second" && page.Messages[0].Offset != 0 {
				t.Errorf("%d messages, %v", len(page.Messages), err)
			}
			took := after.TotalAlloc - before.TotalAlloc
			// Under the race detector pools drop their contents.
			if name == "one second" && took > uint64(len(data)) && !raceDetector {
				t.Errorf("a page of %d bytes of mail took %d", len(data), took)
			}
		})
	}
}

// TestScanPageBytes holds that a page of large messages ends early, and that no message is
// missing.
func TestScanPageBytes(t *testing.T) {
	b := newTestDir(t, "me")
	var data []byte
	const n, size = 12, index.TextBytes / 5
	for i := range n {
		data = append(data, (&samp.Record{ID: fmt.Sprintf("%016x", i), TS: int64(1000 + i), From: "alice", To: "me", Thread: fmt.Sprint("t", i), Body: "word " + strings.Repeat("x", size)}).Append(nil)...)
	}
	b.write(samp.LogName("alice"), string(data))
	live := b.once("me", t.TempDir())
	q := query.Parse("word", local())
	scan, err := live.Scan(t.Context(), &q)
	if err != nil {
		t.Fatal(err)
	}
	found, last := 0, int64(1000+n)
	var after *index.SearchPlace
	for more := true; more; {
		page, err := scan.Page(t.Context(), after, 20)
		if err != nil || len(page.Messages) > 5 {
			t.Fatalf("a page of %d messages of %d bytes, %v", len(page.Messages), size, err)
		}
		for _, m := range page.Messages {
			if last--; m.TS != last || len(m.Body) < size {
				t.Errorf("%d with %d bytes in place of %d", m.TS, len(m.Body), last)
			}
		}
		found += len(page.Messages)
		after, more = &page.Next, page.More
	}
	if found != n {
		t.Errorf("found %d of %d", found, n)
	}
}

// TestScanThreads holds that the openings of a page's threads are known, also once there were
// more threads than are remembered.
func TestScanThreads(t *testing.T) {
	b := newTestDir(t, "me")
	var data []byte
	const n = index.MaxScanned + 40_000
	for i := range n {
		data = fmt.Appendf(data, `{"id": "%016x", "ts": %d, "from": "alice", "to": "me", "thread": "t%d", "body": "word"}`+"\n", i, 1000+i, i)
	}
	b.write(samp.LogName("alice"), string(data))
	live := b.once("me", t.TempDir())
	q := query.Parse("word", local())
	scan, err := live.Scan(t.Context(), &q)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	var after *index.SearchPlace
	for more := true; more; {
		page, err := scan.Page(t.Context(), after, 4096)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Messages {
			if len(live.Openings(m.Thread)) != 1 {
				t.Fatalf("message %d: its thread has no opening", found)
			}
			found++
		}
		after, more = &page.Next, page.More
	}
	if found != n {
		t.Errorf("found %d of %d", found, n)
	}
}
