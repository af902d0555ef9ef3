package atsf

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// benchProject makes a repository with worktrees and threads spread over them,
// each with a few lines, written long enough ago to be settled.
func benchProject(b *testing.B, worktrees, threads int) *readFixture {
	b.Helper()
	fx := newReadFixture(b)
	var names []string
	for i := range worktrees - 1 {
		names = append(names, fmt.Sprintf("tree%02d", i))
	}
	fx.repo("p", names...)
	names = append(names, "p")
	long := time.Now().Add(-time.Hour)
	for i := range threads {
		folder, name := names[i%len(names)], fmt.Sprintf("a1b2c3d4-e5f6-4890-abcd-%012d", i)
		fx.thread(folder, name, i, manySaid(5)...)
		if err := os.Chtimes(fx.threadPath(folder, name, atsf.ThreadName), long, long); err != nil {
			b.Fatal(err)
		}
	}
	return fx
}

// BenchmarkScan makes the first list of a project: 5,000 threads over 20
// checkouts, as the command line does, and 20,000 in one directory.
func BenchmarkScan(b *testing.B) {
	for _, c := range []struct {
		worktrees, threads int
		cached             bool
	}{{20, 5000, false}, {20, 5000, true}, {1, 20_000, false}} {
		b.Run(fmt.Sprintf("worktrees=%d/threads=%d/cached=%v", c.worktrees, c.threads, c.cached), func(b *testing.B) {
			fx := benchProject(b, c.worktrees, c.threads)
			if !c.cached {
				fx.state = ""
			}
			fx.scan("p")
			for b.Loop() {
				if s := fx.scan("p"); len(s.Items) != c.threads {
					b.Fatal(len(s.Items))
				}
			}
		})
	}
}

// BenchmarkOpenLive makes the first list in the server, from nothing to Ready.
func BenchmarkOpenLive(b *testing.B) {
	for _, c := range []struct{ worktrees, threads int }{{20, 5000}, {1, 20_000}} {
		b.Run(fmt.Sprintf("worktrees=%d/threads=%d", c.worktrees, c.threads), func(b *testing.B) {
			fx := benchProject(b, c.worktrees, c.threads)
			for b.Loop() {
				b.StopTimer()
				if err := os.RemoveAll(fx.state); err != nil {
					b.Fatal(err)
				}
				ready := make(chan struct{}, 100)
				cfg := fx.config("p")
				cfg.Changed = func(Change) { ready <- struct{}{} }
				b.StartTimer()
				live := OpenLive(cfg)
				<-ready
				b.StopTimer()
				if s := live.Snapshot(); !s.Ready || len(s.Items) != c.threads {
					b.Fatal(len(s.Items))
				}
				live.Close()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkPoll looks again at what did not change.
func BenchmarkPoll(b *testing.B) {
	fx := benchProject(b, 20, 5000)
	s := newState(fx.config("p"))
	for b.Loop() {
		if _, err := s.refresh(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChange measures from the write of another program to the announced
// change, the gathering of events included.
func BenchmarkChange(b *testing.B) {
	fx := benchProject(b, 20, 5000)
	l := fx.follow("p")
	l.drain()
	name := l.live.Snapshot().Items[0].Name
	folder := l.live.Snapshot().Items[0].Folder
	f, _ := l.live.Snapshot().Folder(folder)
	at := filepath.Base(f.Path)
	var worst time.Duration
	for b.Loop() {
		start := time.Now()
		fx.appendTo(at, name, said("x", "y")+"\n")
		l.threadChange(at, name)
		worst = max(worst, time.Since(start))
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
}

// BenchmarkMemory measures what 5,000 followed threads take.
func BenchmarkMemory(b *testing.B) {
	fx := benchProject(b, 20, 5000)
	for b.Loop() {
		before := heapInUse()
		l := fx.follow("p")
		b.ReportMetric(float64(heapInUse()-before)/5000, "B/thread")
		l.live.Close()
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkPage reads the newest page of a long log.
func BenchmarkPage(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			fx := newReadFixture(b)
			fx.thread("p", "a", 1, manySaid(n)...)
			d := fx.open("p")
			for b.Loop() {
				if page, err := d.Page(b.Context(), "a", Query{}); err != nil || len(page.Entries) != DefaultLimit && n > DefaultLimit {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFind searches 5,000 threads for a message that none holds.
func BenchmarkFind(b *testing.B) {
	fx := benchProject(b, 20, 5000)
	s := fx.scan("p")
	for b.Loop() {
		if found, err := s.FindMessage(b.Context(), "no such message"); err != nil || len(found) > 0 {
			b.Fatal(err)
		}
	}
}
