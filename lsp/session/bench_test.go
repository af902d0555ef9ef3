package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// benchSessions writes sessions of a size in a home, in the folder work or, if elsewhere is
// set, in another one.
func benchSessions(b *testing.B, home, work string, count, size int, elsewhere bool) {
	b.Helper()
	folder := work
	if elsewhere {
		folder = filepath.Join(home, "elsewhere")
	}
	then := time.Now().Add(-time.Hour)
	var body bytes.Buffer
	for i := 0; body.Len() < size; i++ {
		fmt.Fprintf(&body, `{"timestamp":"2026-11-23T02:48:%02dZ","type":"response_item","payload":{"type":"message","role":"user","id":"m%d","content":[{"type":"input_text","text":"%0900d"}]}}`+"\n", i%60, i, i)
	}
	for i := range count {
		dir := filepath.Join(home, ".codex", "sessions", "2026", "11", fmt.Sprintf("%02d", 1+i%28))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		head := fmt.Sprintf(`{"timestamp":"2026-11-23T02:48:02Z","type":"session_meta","payload":{"id":%q,"cwd":%q,"cli_version":"0.169.0"}}
{"timestamp":"2026-11-23T02:48:03Z","type":"response_item","payload":{"type":"message","role":"user","id":"u","content":[{"type":"input_text","text":"Mend page %d."}]}}
`, id, folder, i)
		file := filepath.Join(dir, "rollout-2026-11-23T02-48-02-"+id+".jsonl")
		if err := os.WriteFile(file, append([]byte(head), body.Bytes()...), 0o600); err != nil {
			b.Fatal(err)
		}
		if err := os.Chtimes(file, then, then); err != nil {
			b.Fatal(err)
		}
	}
}

func benchLive(b *testing.B, count, size int, elsewhere bool) (*Live, string) {
	b.Helper()
	home, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	work := filepath.Join(home, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		b.Fatal(err)
	}
	benchSessions(b, home, work, count, size, elsewhere)
	l := newLive(Config{Env: environ.Env{Getenv: func(string) string { return "" }, Home: home, Work: work}, Folders: []string{work}})
	return l, work
}

func lookAll(b *testing.B, l *Live) {
	for _, p := range l.programs {
		p.Look(b.Context(), follow.Todo{All: true})
	}
}

// BenchmarkLook looks at everything for the first time, then as a new process does that
// remembers what another one found, and again, with nothing new.
func BenchmarkLook(b *testing.B) {
	for _, c := range []struct {
		name        string
		count, size int
		elsewhere   bool
	}{{"2000x1MB", 2000, 1 << 20, false}, {"20000x4KB-elsewhere", 20_000, 4 << 10, true}} {
		b.Run(c.name, func(b *testing.B) {
			l, _ := benchLive(b, c.count, c.size, c.elsewhere)
			b.Run("first", func(b *testing.B) {
				for range b.N {
					if err := Forget(l.cfg.Env); err != nil {
						b.Fatal(err)
					}
					lookAll(b, newLive(l.cfg))
				}
			})
			b.Run("first-remembered", func(b *testing.B) {
				for range b.N {
					lookAll(b, newLive(l.cfg))
				}
			})
			lookAll(b, l)
			if n := len(l.Snapshot().Items); !c.elsewhere && n != c.count {
				b.Fatalf("%d sessions", n)
			}
			b.Run("again", func(b *testing.B) {
				for range b.N {
					lookAll(b, l)
				}
			})
		})
	}
}

// BenchmarkMemory tells what 20,000 listed sessions hold, in bytes each.
func BenchmarkMemory(b *testing.B) {
	l, _ := benchLive(b, 20_000, 4<<10, false)
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for b.Loop() {
		l = newLive(l.cfg)
		before := heap()
		lookAll(b, l)
		b.ReportMetric((heap()-before)/20_000, "B/session")
	}
	runtime.KeepAlive(l)
}

// BenchmarkLarge lists a session of 200 MB, opens it at its end, and shows what is added.
func BenchmarkLarge(b *testing.B) {
	l, _ := benchLive(b, 1, 200<<20, false)
	b.Run("list", func(b *testing.B) {
		for range b.N {
			lookAll(b, newLive(l.cfg))
		}
	})
	lookAll(b, l)
	it := l.Snapshot().Items[0]
	b.Run("open", func(b *testing.B) {
		for range b.N {
			if page, err := l.Snapshot().Page(b.Context(), it.Key(), Query{}); err != nil || len(page.Messages) != DefaultLimit {
				b.Fatal(page, err)
			}
		}
	})
	b.Run("append", func(b *testing.B) {
		f, err := os.OpenFile(it.File, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for i := range b.N {
			fmt.Fprintf(f, `{"timestamp":"2026-11-23T03:%02d:00Z","type":"response_item","payload":{"type":"message","role":"user","id":"a%d","content":[{"type":"input_text","text":"new %d"}]}}`+"\n", i%60, i, i)
			for _, p := range l.programs {
				p.Look(b.Context(), follow.Todo{Paths: []string{"2026/11/01/" + filepath.Base(it.File)}})
			}
			page, err := l.Snapshot().Page(b.Context(), it.Key(), Query{Limit: 1})
			if err != nil || len(page.Messages) != 1 || page.Messages[0].ID != fmt.Sprintf("a%d", i) {
				b.Fatal(page, err)
			}
		}
	})
}

// BenchmarkSearch searches a session of 200 MB for what is nowhere, and for what is in every
// message until a page is full.
func BenchmarkSearch(b *testing.B) {
	l, _ := benchLive(b, 1, 200<<20, false)
	lookAll(b, l)
	s := l.Snapshot()
	for _, word := range []string{"nowhere", "kaf\u00e9haus", "0000"} {
		b.Run(word, func(b *testing.B) {
			b.SetBytes(200 << 20)
			for range b.N {
				found := 0
				_, _, err := s.Search(b.Context(), s.Items[0], 0, 1<<40, []needle.Needle{needle.New(word)}, func(*session.Message) bool {
					found++
					return found <= 50
				})
				if err != nil || found > 0 != (word == "0000") {
					b.Fatal(found, err)
				}
			}
		})
	}
}

// BenchmarkGrow publishes one more line in one of 20,000 sessions.
func BenchmarkGrow(b *testing.B) {
	l, _ := benchLive(b, 20_000, 1<<10, false)
	lookAll(b, l)
	file := l.Snapshot().Items[0].File
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for i := 0; b.Loop(); i++ {
		fmt.Fprintf(f, `{"timestamp":"2026-11-23T03:%02d:00Z","type":"response_item","payload":{"type":"message","role":"user","id":"a%d","content":[{"type":"input_text","text":"new"}]}}`+"\n", i%60, i)
		for _, p := range l.programs {
			if rel, err := filepath.Rel(p.dir.Path, file); err == nil && filepath.IsLocal(rel) {
				p.Look(b.Context(), follow.Todo{Paths: []string{filepath.ToSlash(rel)}})
			}
		}
	}
}
