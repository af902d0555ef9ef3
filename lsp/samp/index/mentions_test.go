package index_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// openLogs returns a followed index of a directory with these logs.
func openLogs(t *testing.T, logs map[string]string) *index.Live {
	t.Helper()
	dir := t.TempDir()
	for name, text := range logs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	live := index.Open(index.Config{Path: dir, Me: "bob", StateDir: t.TempDir(), Poll: time.Hour, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(live.Close)
	if err := live.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return live
}

// large is a record that is longer than Signalbox writes.
func large(ts int64, body string) string {
	r := samp.Record{TS: ts, From: "carol", To: "bob", Thread: "x", Body: body}
	r.ID = samp.ID(&r, samp.V1)
	return string(r.Append(nil))
}

func mentions(t *testing.T, live *index.Live, word string, limit int) (list []string, pages int) {
	t.Helper()
	n, ok := mention.Of(word)
	if !ok {
		t.Fatalf("%q is no word", word)
	}
	for at := (&index.MentionCursor{}); at != nil; pages++ {
		found, next, err := live.Mentions(t.Context(), n, *at, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			list = append(list, fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.TS))
		}
		at = next
	}
	return list, pages
}

func TestMentions(t *testing.T) {
	const id = "0123456789abcdef"
	long := strings.Repeat("x ", 300_000)
	live := openLogs(t, map[string]string{
		"log-alice.jsonl": line(10, "alice", "bob", "release", "about "+id) +
			line(40, "alice", "bob", "release", "nothing") +
			"not a record " + id + "\n" +
			line(20, "alice", "bob", "x", id+" and "+id+"\nand "+id) +
			line(50, "alice", "bob", id, "only its thread") +
			line(60, "alice", "bob", "x", id+"0 is another"),
		// A copy that a sync tool made shows once, a forgery never.
		"log-alice.copy.jsonl": line(10, "alice", "bob", "release", "about "+id),
		"log-carol.jsonl":      line(15, "mallory", "bob", "x", "forged "+id) + large(30, long+id) + large(31, id+long+id),
	})
	for _, limit := range []int{1, 2, 3, 100} {
		got, pages := mentions(t, live, id, limit)
		want := []string{"log-carol.jsonl:3:31", "log-carol.jsonl:2:30", "log-alice.jsonl:4:20", "log-alice.jsonl:1:10"}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %q, want %q", limit, got, want)
		}
		if most := (len(want) + limit - 1) / limit; pages > most+1 {
			t.Errorf("by %d: %d pages", limit, pages)
		}
	}
	n, _ := mention.Of(id)
	found, _, err := live.Mentions(t.Context(), n, index.MentionCursor{}, 100)
	if err != nil || len(found) != 4 {
		t.Fatalf("%d, %v", len(found), err)
	}
	if last := found[3]; !strings.HasSuffix(string(last.Before), "about ") || string(last.Text) != id || last.Body != "about "+id || !last.Unread {
		t.Errorf("%+v", last)
	}
	if len(found[1].Before) != 0 {
		t.Errorf("%d bytes are kept of a long line", len(found[1].Before))
	}
	f, err := os.OpenFile(filepath.Join(live.Stats().Path, "log-alice.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(line(99, "alice", "bob", "x", "appended "+id))
	if err := errors.Join(err, f.Close(), live.Sync(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got, _ := mentions(t, live, id, 100); len(got) != 5 || got[0] != "log-alice.jsonl:7:99" {
		t.Errorf("after an append: %q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := live.Mentions(ctx, n, index.MentionCursor{}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestMentionsWherever holds that a word is found anywhere in chunks and segments.
func TestMentionsWherever(t *testing.T) {
	const id = "0123456789abcdef"
	var b strings.Builder
	var want []string
	for i := range 700 {
		body := strings.Repeat("y", 30_000+i*37) + " " + id
		b.WriteString(line(int64(1000+i), "alice", "bob", "x", body))
		want = append(want, fmt.Sprintf("log-alice.jsonl:%d:%d", i+1, 1000+i))
	}
	slices.Reverse(want)
	live := openLogs(t, map[string]string{"log-alice.jsonl": b.String()})
	if got, _ := mentions(t, live, id, 150); !slices.Equal(got, want) {
		t.Errorf("%d of %d found", len(got), len(want))
	}
}

func TestNames(t *testing.T) {
	live := openLogs(t, map[string]string{
		"log-alice.jsonl": line(10, "alice", "bob", "release", "one") + line(20, "alice", "bob", "release", "two") + line(30, "alice", "bob", "login", "three"),
	})
	first, err := live.First("release")
	if err != nil || first.Body != "one" || first.Line != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	if _, err := live.First("gone"); !errors.Is(err, index.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if !live.Has(first.Key) || live.Has("0123456789abcdef") {
		t.Error("Has")
	}
	list, more := live.ThreadsNamed(func(string) bool { return true }, 1)
	if len(list) != 1 || list[0].Name != "login" || !more {
		t.Errorf("%+v, %v", list, more)
	}
	for _, n := range []int{4, 7, 16} {
		if got, more := live.WithPrefix(first.Key[:n], 5); len(got) != 1 || got[0].Body != "one" || more {
			t.Errorf("by %d digits: %d", n, len(got))
		}
	}
	for _, p := range []string{"", "012", "xyzw", first.Key + "0"} {
		if got, _ := live.WithPrefix(p, 5); len(got) != 0 {
			t.Errorf("%q: %d", p, len(got))
		}
	}
	raw, err := live.LineOf(&first, 1<<10)
	if rec, bad := samp.Parse(raw); err != nil || bad != nil || rec.Body != "one" {
		t.Errorf("%q, %v, %v", raw, err, bad)
	}
}

// BenchmarkMentions measures the first page of the mentions of an id, for which every byte
// is read.
func BenchmarkMentions(b *testing.B) {
	dir := os.Getenv("SIGNALBOX_BENCH_STORE")
	if dir == "" {
		dir = b.TempDir()
		fill(b, dir, 1_000_000)
	}
	live := openBench(b, dir)
	defer live.Close()
	for _, word := range []string{"0123456789abcdef", "build"} {
		n, _ := mention.Of(word)
		b.Run(word, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := live.Mentions(b.Context(), n, index.MentionCursor{}, 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
