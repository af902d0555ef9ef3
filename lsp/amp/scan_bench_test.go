package amp

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

const (
	benchBoxes    = 5
	benchMessages = 4000
)

// benchRoot makes mailboxes in which every fourth message is a reply, written long ago. Each
// message is only in its receiver's inbox.
func benchRoot(b *testing.B) *readFixture {
	b.Helper()
	root := newReadFixture(b)
	text := "Reconstruct the breathing engine's timing logic and fix the timer when the background hangs. "
	for box := range benchBoxes {
		name := fmt.Sprintf("agent%d", box)
		root.agent(name, name+"@acme.aimaestro.local")
		for i := range benchMessages {
			n := int64(box*benchMessages + i)
			from := fmt.Sprintf("agent%d", (box+1+i%4)%benchBoxes)
			m := note{id: id(n), at: n, from: from + "@acme.aimaestro.local", to: name + "@acme.aimaestro.local", subject: "The timer", text: text + text, received: "2026-11-21T08:32:39Z"}
			if i%4 == 3 {
				m.reply = id(n - 3)
			}
			root.Mkdir("agents/" + name + "/messages/inbox/" + from + "_acme_aimaestro_local")
			if err := os.WriteFile(root.Path("agents/"+name+"/messages/inbox/"+from+"_acme_aimaestro_local/"+m.id+".json"), m.bytes(), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	root.Backdate()
	return root
}

// BenchmarkScan looks for the first time, as the command line does.
func BenchmarkScan(b *testing.B) {
	root := benchRoot(b)
	b.ReportAllocs()
	for b.Loop() {
		if s := root.scan(); s.Messages != benchBoxes*benchMessages {
			b.Fatal(s.Messages)
		}
	}
}

// BenchmarkReadFiles reads the same files and nothing else, as a baseline.
func BenchmarkReadFiles(b *testing.B) {
	root := benchRoot(b)
	for b.Loop() {
		n := 0
		_ = filepath.WalkDir(root.Root, func(at string, e os.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				if _, err = os.ReadFile(at); err == nil {
					n++
				}
			}
			return err
		})
		if n < benchBoxes*benchMessages {
			b.Fatal(n)
		}
	}
}

// BenchmarkPoll looks again at what did not change.
func BenchmarkPoll(b *testing.B) {
	root := benchRoot(b)
	s := newState(Config{Path: root.Root})
	for b.Loop() {
		if _, err := s.look(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOne measures from a reported new file to the snapshot.
func BenchmarkOne(b *testing.B) {
	root := benchRoot(b)
	s := newState(Config{Path: root.Root})
	if _, err := s.look(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	file := "agents/agent0/messages/inbox/agent1_acme_aimaestro_local/msg_1_ab.json"
	data := note{id: "msg_1_ab", text: "x"}.bytes()
	for b.Loop() {
		root.Put(file, data)
		if _, err := s.look(b.Context(), []string{file}); err != nil || s.snapshot().Messages != benchBoxes*benchMessages+1 {
			b.Fatal(err)
		}
		b.StopTimer()
		root.Remove(file)
		if _, err := s.look(b.Context(), []string{file}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkChange measures from the write of another program to the announced
// change, the gathering of events included.
func BenchmarkChange(b *testing.B) {
	root := benchRoot(b)
	changes := make(chan Change, 100)
	l := openLive(Config{Path: root.Root, Changed: func(c Change) { changes <- c }}, overrides{poll: time.Hour})
	defer l.Close()
	for range 2 {
		if err := l.Sync(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	n := int64(benchBoxes * benchMessages)
	for b.Loop() {
		key := "agents/agent0/messages/inbox/agent1_acme_aimaestro_local/" + id(n) + ".json"
		root.Put(key, note{id: id(n), at: n}.bytes())
		for {
			<-changes
			if t, _ := l.Snapshot().Message(key); t != nil {
				break
			}
		}
		n++
	}
}

// BenchmarkTrust returns trust from the cache.
func BenchmarkTrust(b *testing.B) {
	root := benchRoot(b)
	s := root.scan()
	m := s.Threads[0].Messages[0].Message
	for b.Loop() {
		if _, _, err := s.Trust(m, nil, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemory measures the memory of each message.
func BenchmarkMemory(b *testing.B) {
	root := benchRoot(b)
	for b.Loop() {
		before := heapInUse()
		s := newState(Config{Path: root.Root})
		if _, err := s.look(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		snap := s.snapshot()
		b.ReportMetric(float64(heapInUse()-before)/(benchBoxes*benchMessages), "B/message")
		runtime.KeepAlive(s)
		runtime.KeepAlive(snap)
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
