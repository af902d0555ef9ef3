package index_test

import (
	"bufio"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// sizes are the numbers of messages in the benchmarks.
var sizes = []int{1_000, 100_000, 1_000_000}

// fill writes records of about 300 bytes into ten logs, a tenth of them to
// "me", fifty to a thread.
func fill(b *testing.B, dir string, records int) {
	b.Helper()
	const logs = 10
	body := strings.Repeat("the build is red again after the merge, ", 4)
	for l := range logs {
		from := fmt.Sprintf("agent%d", l)
		f, err := os.Create(filepath.Join(dir, samp.LogName(from)))
		if err != nil {
			b.Fatal(err)
		}
		w := bufio.NewWriter(f)
		var buf []byte
		for i := l; i < records; i += logs {
			to := "me"
			if i/logs%10 != 0 {
				to = fmt.Sprintf("agent%d", (l+1)%logs)
			}
			r := samp.Record{
				TS: 1_700_000_000 + int64(i), From: from, To: to, Body: fmt.Sprint(body, i),
				Thread: fmt.Sprintf("2026-04-25-%s-topic-%d", from, i/logs/50),
			}
			r.ID = samp.ID(&r, samp.V1)
			buf = r.Append(buf[:0])
			if _, err := w.Write(buf); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func openBench(b *testing.B, dir string) *index.Live {
	b.Helper()
	live := index.Open(index.Config{Path: dir, Me: "me", StateDir: b.TempDir(), Poll: time.Hour, Logger: slog.New(slog.DiscardHandler)})
	if err := live.Sync(b.Context()); err != nil {
		b.Fatal(err)
	}
	return live
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkIndex measures how long a store takes to be indexed and how much
// memory its index takes.
func BenchmarkIndex(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			fill(b, dir, n)
			before := heap()
			b.ResetTimer()
			var used, best time.Duration
			for range b.N {
				begin, computed := time.Now(), cpuTime()
				live := openBench(b, dir)
				b.StopTimer()
				took := time.Since(begin)
				if used += cpuTime() - computed; best == 0 || took < best {
					best = took
				}
				b.ReportMetric(float64(heap()-before)/float64(n), "index-B/message")
				live.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
			b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// BenchmarkAppended measures the work from one appended message to an index
// that shows it.
func BenchmarkAppended(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			fill(b, dir, n)
			live := openBench(b, dir)
			defer live.Close()
			f, err := os.OpenFile(filepath.Join(dir, samp.LogName("agent0")), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			b.ResetTimer()
			for i := range b.N {
				b.StopTimer()
				if _, err := f.WriteString(line(1_800_000_000+int64(i), "agent0", "me", "new", fmt.Sprint("message ", i))); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if err := live.Sync(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			if got := live.Stats().Messages; got < n+b.N {
				b.Fatalf("%d messages, want %d", got, n+b.N)
			}
		})
	}
}

// BenchmarkPages measures the first page of the inbox and of a thread.
func BenchmarkPages(b *testing.B) {
	for _, n := range sizes {
		dir := b.TempDir()
		fill(b, dir, n)
		live := openBench(b, dir)
		b.Cleanup(live.Close)
		b.Run(fmt.Sprintf("inbox/%d", n), func(b *testing.B) {
			for range b.N {
				threads, _ := live.List(index.Listing{Limit: 50})
				if newest, _, _ := live.Ends(threads); len(newest) == 0 {
					b.Fatal("no threads")
				}
			}
		})
		threads, _ := live.List(index.Listing{Limit: 1})
		b.Run(fmt.Sprintf("thread/%d", n), func(b *testing.B) {
			for range b.N {
				if _, err := live.Page(threads[0].Name, nil, nil, 50); err != nil {
					b.Fatal(err)
				}
			}
		})
		page, err := live.Page(threads[0].Name, nil, nil, 1)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("find/%d", n), func(b *testing.B) {
			for range b.N {
				if len(live.Find(page.Messages[0].Key)) != 1 {
					b.Fatal("not found")
				}
			}
		})
	}
}

// BenchmarkLists measures the first page of a list in each order, behind a shelf with
// 5,000 threads put away, and one from the middle of the list.
func BenchmarkLists(b *testing.B) {
	for _, n := range sizes[1:] {
		dir := b.TempDir()
		fill(b, dir, n)
		live := openBench(b, dir)
		all := must(live.List(index.Listing{Limit: n}))
		away := map[string]bool{}
		for i := range min(5_000, len(all)/2) {
			away[all[i].Name] = true
		}
		shelf := func(name string, _ iter.Seq[uint64]) (hidden, due bool) { return away[name], false }
		for name, sort := range map[string]index.Sort{"newest": index.Newest, "oldest": index.Oldest, "waiting": index.WaitingFirst} {
			whole := must(live.List(index.Listing{Sort: sort, Limit: n}))
			for place, after := range map[string]*index.Place{"first": nil, "middle": behind(sort, whole[len(whole)/2])} {
				b.Run(fmt.Sprint(n, "/", name, "/", place), func(b *testing.B) {
					for b.Loop() {
						live.List(index.Listing{Sort: sort, After: after, Limit: 50, Filter: index.Filter{Shelf: shelf}})
					}
				})
			}
		}
		b.Run(fmt.Sprint(n, "/archived"), func(b *testing.B) {
			only := []string{}
			for name := range away {
				only = append(only, name)
			}
			for b.Loop() {
				live.List(index.Listing{Limit: 50, Filter: index.Filter{Only: only}})
			}
		})
		b.Run(fmt.Sprint(n, "/counted"), func(b *testing.B) {
			only := []string{}
			for name := range away {
				only = append(only, name)
			}
			for b.Loop() {
				live.Tally(only)
			}
		})
		live.Close()
	}
}
