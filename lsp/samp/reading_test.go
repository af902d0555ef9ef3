package samp

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// reader reads a directory under the alias me, with its own state.
type reader struct {
	t     *testing.T
	dir   *Dir
	state *ReadState
}

func readerOf(t *testing.T, d *Dir) *reader {
	t.Helper()
	state, err := OpenReadState(t.TempDir(), d, "me")
	if err != nil {
		t.Fatal(err)
	}
	return &reader{t, d, state}
}

// shows reads and commits the new mail, and compares the messages shown as new and as late.
func (r *reader) shows(fresh, late []string) *Reading {
	r.t.Helper()
	got, err := r.dir.ReadNew(r.t.Context(), "me", samp.V1, time.Unix(1_000_000, 0), r.state)
	if err != nil {
		r.t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{append([]string{}, fresh...), append([]string{}, late...)}, [][]string{unreadBodies(r.t, got, got.Fresh), unreadBodies(r.t, got, got.Late)}); diff != "" {
		r.t.Errorf("new and late (-want +got):\n%s", diff)
	}
	for _, err := range got.Commit() {
		r.t.Error(err)
	}
	got.Close()
	return got
}

func unreadBodies(t *testing.T, r *Reading, list []Unread) []string {
	t.Helper()
	out := []string{}
	for m, err := range r.Messages(t.Context(), list) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Clone(m.Body))
	}
	return out
}

// appendLog adds lines to a log.
func appendLog(t *testing.T, d *Dir, stem string, lines ...string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(d.Path(), samp.LogName(stem)), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, line := range lines {
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLateByAnotherTool: mail that another tool has shown under our alias is not late at our next
// reading, and mail that it cannot have shown is (rule N6).
func TestLateByAnotherTool(t *testing.T) {
	setUp := func(t *testing.T) (d *Dir, ours, other *reader) {
		d = storeOf(t, nil)
		appendLog(t, d, "a", lineOf("a", "me", "first", 100))
		ours, other = readerOf(t, d), readerOf(t, d)
		ours.shows([]string{"first"}, nil)
		return d, ours, other
	}
	t.Run("N6/shown by it", func(t *testing.T) {
		d, ours, other := setUp(t)
		appendLog(t, d, "a", lineOf("a", "me", "second", 200))
		appendLog(t, d, "b", lineOf("b", "me", "third", 150))
		other.shows([]string{"third", "second"}, nil)
		appendLog(t, d, "c", lineOf("c", "me", "fourth", 300))
		ours.shows([]string{"fourth"}, nil)
		// Nor later, when the watermark is ours again.
		appendLog(t, d, "c", lineOf("c", "me", "fifth", 400))
		ours.shows([]string{"fifth"}, nil)
	})
	t.Run("N6/shown by it in the same second", func(t *testing.T) {
		d, ours, other := setUp(t)
		appendLog(t, d, "b", lineOf("b", "me", "second", 100))
		other.shows([]string{"second"}, nil)
		appendLog(t, d, "c", lineOf("c", "me", "third", 300))
		ours.shows([]string{"third"}, nil)
		appendLog(t, d, "c", lineOf("c", "me", "fourth", 400))
		ours.shows([]string{"fourth"}, nil)
	})
	t.Run("N6/late for both", func(t *testing.T) {
		d, ours, other := setUp(t)
		appendLog(t, d, "a", lineOf("a", "me", "second", 200))
		other.shows([]string{"second"}, nil)
		appendLog(t, d, "b", lineOf("b", "me", "synced late", 50))
		ours.shows(nil, []string{"synced late"})
		ours.shows(nil, nil)
	})
	t.Run("N6/late since we took its mark over", func(t *testing.T) {
		d, ours, other := setUp(t)
		appendLog(t, d, "a", lineOf("a", "me", "second", 200))
		other.shows([]string{"second"}, nil)
		if err := os.Remove(filepath.Join(d.Path(), samp.MtimeName("me"))); err != nil {
			t.Fatal(err) // the cache, without which we look
		}
		ours.shows(nil, nil)
		appendLog(t, d, "b", lineOf("b", "me", "synced late", 150))
		ours.shows(nil, []string{"synced late"})
	})
	t.Run("N6/it stands before one that the mark names", func(t *testing.T) {
		d, ours, other := setUp(t)
		// Its writer's clock was put back.
		appendLog(t, d, "a", lineOf("a", "me", "was there", 50), lineOf("a", "me", "second", 200))
		other.shows([]string{"second"}, nil)
		appendLog(t, d, "a", lineOf("a", "me", "came then", 60))
		ours.shows(nil, []string{"came then"})
	})
	t.Run("N6/the editor alone was used here", func(t *testing.T) {
		d, _, other := setUp(t)
		editor := readerOf(t, d)
		if _, err := editor.state.Mark([]Key{{"x", "y"}}, true); err != nil {
			t.Fatal(err)
		}
		appendLog(t, d, "b", lineOf("b", "me", "second", 200))
		other.shows([]string{"second"}, nil)
		editor.shows(nil, nil)
	})
	t.Run("N6/without a state", func(t *testing.T) {
		d, ours, _ := setUp(t)
		ours.state = nil
		appendLog(t, d, "b", lineOf("b", "me", "late", 50))
		ours.shows(nil, []string{"late"})
		appendLog(t, d, "a", lineOf("a", "me", "second", 200))
		ours.shows([]string{"second"}, []string{"late"})
		appendLog(t, d, "c", lineOf("c", "me", "another", 60))
		ours.shows(nil, []string{"late", "another"})
	})
	t.Run("N6/a mark in the future", func(t *testing.T) {
		d, ours, _ := setUp(t)
		if err := d.SetWatermark("me", samp.Watermark{TS: 99_999_999_999}); err != nil {
			t.Fatal(err)
		}
		appendLog(t, d, "a", lineOf("a", "me", "second", 200))
		ours.shows(nil, nil) // whoever wrote the mark may have shown it
		appendLog(t, d, "a", lineOf("a", "me", "hidden by the mark", 300))
		ours.shows(nil, []string{"hidden by the mark"})
	})
}

// TestReadingHoldsNoTexts: an inbox of long messages takes little memory until they are shown.
func TestReadingHoldsNoTexts(t *testing.T) {
	const count, most = 5_000, 200
	lines := make([]string, count)
	for i := range lines {
		lines[i] = lineOf("a", "me", strings.Repeat("long ", 200), int64(i))
	}
	d := storeOf(t, map[string]string{samp.LogName("a"): strings.Join(lines, "")})
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	r, err := d.ReadNew(t.Context(), "me", samp.V1, time.Unix(1_000_000, 0), nil)
	if err != nil || len(r.Fresh) != count {
		t.Fatal(err, len(r.Fresh))
	}
	defer r.Close()
	if each := int64(held()-before) / count; each > most {
		t.Errorf("a message takes %d bytes, want at most %d", each, most)
	}
	runtime.KeepAlive(r)
	if n := testing.AllocsPerRun(10, func() { r.Waiting() }); n != 0 || cap(r.Fresh) != count {
		t.Errorf("what waits is copied %v times, and has room for %d of %d", n, cap(r.Fresh), count)
	}
}

// TestLastWatermark remembers the last watermark across processes.
func TestLastWatermark(t *testing.T) {
	d := storeOf(t, nil)
	dir := t.TempDir()
	open := func() *ReadState {
		s, err := OpenReadState(dir, d, "me")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	if _, _, ok := s.LastWatermark(samp.Watermark{}); ok {
		t.Error("a mark that nobody left")
	}
	for _, w := range []samp.Watermark{{TS: 100}, {TS: 100}, {TS: 90, IDs: []string{"x"}}} {
		if err := s.MarkWithWatermark(slices.Values([]Key{{"m 5", "1"}, {"a", "2"}}), w); err != nil {
			t.Fatal(err)
		}
		if ts, ours, ok := open().LastWatermark(w); ts != w.TS || !ours || !ok {
			t.Errorf("left %d, %v, %v, want %d", ts, ours, ok, w.TS)
		}
		if _, ours, _ := open().LastWatermark(samp.Watermark{TS: w.TS, IDs: []string{"x", "y"}}); ours {
			t.Error("another tool's mark of the same second is taken for ours")
		}
	}
	text, err := os.ReadFile(s.Path())
	if want := "m 100 0\nr m 5:1\nr a:2\nm 90 1\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
}
