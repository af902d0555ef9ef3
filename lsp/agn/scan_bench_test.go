package agn

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// benchSizes are a crowded task and a crowded directory.
var benchSizes = []struct{ tasks, messages int }{{1, 10_000}, {1000, 10}}

// benchDir makes a directory of tasks with messages, written long ago.
func benchDir(b *testing.B, tasks, messages int) *readFixture {
	b.Helper()
	fx := newReadFixture(b)
	fx.Mkdir(inMessages)
	for i := range tasks {
		task := fmt.Sprintf("T-2026-%03d", i+1)
		fx.Mkdir(inMessages + "/" + task)
		for j := range messages {
			data := dispatch(task, int64(j), "Reconstruct the breathing engine's timing logic and fix the timer when the background hangs")
			if err := os.WriteFile(fx.Path(own(task, int64(j))), data, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	fx.Backdate()
	return fx
}

func benchEach(b *testing.B, each func(b *testing.B, fx *readFixture, tasks, messages int)) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("tasks=%d/messages=%d", size.tasks, size.messages), func(b *testing.B) {
			each(b, benchDir(b, size.tasks, size.messages), size.tasks, size.messages)
		})
	}
}

// BenchmarkScan looks for the first time, as the command line does.
func BenchmarkScan(b *testing.B) {
	benchEach(b, func(b *testing.B, fx *readFixture, tasks, messages int) {
		for b.Loop() {
			if s := fx.scan(); s.Messages != tasks*messages {
				b.Fatal(s.Messages)
			}
		}
	})
}

// BenchmarkReadFiles reads the same files and nothing else: the measure of the
// others.
func BenchmarkReadFiles(b *testing.B) {
	benchEach(b, func(b *testing.B, fx *readFixture, tasks, messages int) {
		for b.Loop() {
			n := 0
			_ = filepath.WalkDir(fx.Root, func(at string, e os.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					if _, err = os.ReadFile(at); err == nil {
						n++
					}
				}
				return err
			})
			if n != tasks*messages {
				b.Fatal(n)
			}
		}
	})
}

// BenchmarkState follows all tasks through their histories, once.
func BenchmarkState(b *testing.B) {
	benchEach(b, func(b *testing.B, fx *readFixture, tasks, messages int) {
		for b.Loop() {
			b.StopTimer()
			s := fx.scan()
			b.StartTimer()
			for _, t := range s.Tasks {
				t.State(day)
			}
		}
	})
}

// BenchmarkPoll looks again at what did not change.
func BenchmarkPoll(b *testing.B) {
	benchEach(b, func(b *testing.B, fx *readFixture, _, _ int) {
		s := newState(Config{Path: fx.Root})
		for b.Loop() {
			if _, err := s.look(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOne takes in one new file that the system reported, up to the
// snapshot.
func BenchmarkOne(b *testing.B) {
	benchEach(b, func(b *testing.B, fx *readFixture, tasks, messages int) {
		s := newState(Config{Path: fx.Root})
		if _, err := s.look(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		file := own("T-2026-001", int64(messages))
		data := dispatch("T-2026-001", int64(messages), "x")
		for b.Loop() {
			fx.Put(file, data)
			if _, err := s.look(b.Context(), []string{file}); err != nil || s.snapshot().Messages != tasks*messages+1 {
				b.Fatal(err)
			}
			b.StopTimer()
			fx.Remove(file)
			if _, err := s.look(b.Context(), []string{file}); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
}

// BenchmarkChange measures from the write of another program to the announced
// change, the gathering of events included.
func BenchmarkChange(b *testing.B) {
	benchEach(b, func(b *testing.B, fx *readFixture, _, messages int) {
		changes := make(chan Change, 100)
		l := OpenLive(Config{Path: fx.Root, Poll: time.Hour, Changed: func(c Change) { changes <- c }})
		defer l.Close()
		for range 2 {
			if err := l.Sync(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		n := int64(messages)
		for b.Loop() {
			fx.Put(own("T-2026-001", n), dispatch("T-2026-001", n, "x"))
			for {
				<-changes
				if t, _ := l.Snapshot().Message(dispatchID("T-2026-001", n)); t != nil {
					break
				}
			}
			n++
		}
	})
}

// BenchmarkMemory measures what is kept of each message.
func BenchmarkMemory(b *testing.B) {
	benchEach(b, func(b *testing.B, fx *readFixture, tasks, messages int) {
		for b.Loop() {
			before := heapInUse()
			s := newState(Config{Path: fx.Root})
			if _, err := s.look(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
			snap := s.snapshot()
			b.ReportMetric(float64(heapInUse()-before)/float64(tasks*messages), "B/message")
			runtime.KeepAlive(s)
			runtime.KeepAlive(snap)
		}
	})
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
