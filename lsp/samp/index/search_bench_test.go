package index_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

func local() query.Calendar {
	return query.Calendar{Begin: func(y, m, d int) int64 { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).UnixMilli() }}
}

// BenchmarkSearch measures the first page of a search. It takes the store of
// "make bench" where there is one, else a smaller one of its own. The first
// measurement is of reading the same bytes and nothing else.
func BenchmarkSearch(b *testing.B) {
	dir := os.Getenv("SIGNALBOX_BENCH_STORE")
	if dir == "" {
		dir = b.TempDir()
		fill(b, dir, 100_000)
	}
	b.Run("plain-read", func(b *testing.B) {
		defer cpuPerOp(b)()
		for b.Loop() {
			b.SetBytes(readAll(b, dir))
		}
	})
	live := openBench(b, dir)
	defer live.Close()
	if live.Stats().Messages == 0 {
		b.Fatalf("no messages in %q", dir)
	}
	for _, c := range []struct{ name, query string }{
		{"common-word", "build"},
		{"two-common-words", "build parser"},
		{"rare-word", "topic-1606"},
		{"no-hit", "quetzal"},
		{"no-hit-phrase", `"the build is on fire"`},
		{"no-hit-common-letters", "reastone"},
		{"no-hit-not-ascii", "kaféhaus"},
		{"sender", "from:agent03"},
		{"unread", "is:unread"},
		{"day", "on:2026-04-11"},
		{"sender-and-no-hit", "from:agent03 quetzal"},
		{"without-word", "-the -of -a"},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := query.Parse(c.query, local())
			var page index.SearchPage
			defer cpuPerOp(b)()
			for b.Loop() {
				var err error
				if page, err = live.Search(b.Context(), &q, nil, 50, index.SearchBudget); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(page.Read)/1e6, "MB-read")
			b.ReportMetric(float64(len(page.Messages)), "hits")
		})
	}
}

// BenchmarkSearchEscapes searches for a missing word in a log whose writer escapes all
// characters outside ASCII, as json.dumps does: every line must be decoded.
func BenchmarkSearchEscapes(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 50_000)
	for i := range 10 {
		path := filepath.Join(dir, fmt.Sprintf("log-agent%d.jsonl", i))
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(data, []byte("again"), []byte(`\u0061gain`)), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	live := openBench(b, dir)
	defer live.Close()
	for _, word := range []string{"quetzal", "reastone"} {
		b.Run(word, func(b *testing.B) {
			q := query.Parse(word, local())
			defer cpuPerOp(b)()
			for b.Loop() {
				if page, err := live.Search(b.Context(), &q, nil, 50, index.SearchBudget); err != nil || len(page.Messages) > 0 {
					b.Fatalf("%d were found: %v", len(page.Messages), err)
				}
			}
		})
	}
}

// cpuPerOp reports the CPU time of one run, beside its duration.
func cpuPerOp(b *testing.B) func() {
	before := cpuTime()
	return func() {
		if used := cpuTime() - before; used > 0 {
			b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "cpu-ms/op")
		}
	}
}

// readAll reads all logs with two goroutines, as a search does, and throws the
// bytes away.
func readAll(b *testing.B, dir string) int64 {
	names, err := filepath.Glob(filepath.Join(dir, "log-*.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	jobs := make(chan string, len(names))
	for _, name := range names {
		jobs <- name
	}
	close(jobs)
	var mu sync.Mutex
	var wg sync.WaitGroup
	total, failed := int64(0), error(nil)
	for range 2 {
		wg.Go(func() {
			buf := make([]byte, 256<<10)
			for name := range jobs {
				n, err := readOne(name, buf)
				mu.Lock()
				total += n
				if err != nil {
					failed = fmt.Errorf("read %q: %w", name, err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if failed != nil {
		b.Fatal(failed)
	}
	return total
}

func readOne(name string, buf []byte) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, buf)
}
