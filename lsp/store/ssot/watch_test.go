package ssot

import (
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

// newFollower follows a bed by hand: nothing runs by itself.
func (b *readBed) newFollower() *follower {
	b.t.Helper()
	s := newState(Config{Path: b.dir, Poll: time.Hour, Changed: func(Change) {}})
	with := outsideWorld()
	with.notifier = func() (notifier, <-chan fsnotify.Event, <-chan error, error) { return deafNotifier{}, nil, nil, nil }
	f := &follower{
		live: &Live{cfg: s.cfg, with: with}, state: s, watch: newWatcher(s.cfg.Path, with),
		settled: time.NewTimer(time.Hour), poll: time.NewTimer(time.Hour),
	}
	b.t.Cleanup(func() { f.settled.Stop(); f.poll.Stop() })
	f.work(b.t.Context())
	f.todo = pending{}
	return f
}

// TestFollowerNote takes events for what they are about.
func TestFollowerNote(t *testing.T) {
	b := newReadBed(t)
	b.put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	tests := []struct {
		name string
		file string
		op   fsnotify.Op
		want []string
		all  bool
	}{
		{"a new file", "messages/T-2026-001/x.json", fsnotify.Create, []string{"messages/T-2026-001/x.json"}, false},
		{"a new folder", "messages/T-2026-002", fsnotify.Create, []string{"messages/T-2026-002"}, false},
		{"a file that is written", "a.json", fsnotify.Write, []string{"a.json"}, false},
		{"the error log", "errors.jsonl", fsnotify.Write, []string{"errors.jsonl"}, false},
		{"a file that is nothing to us", "a.txt", fsnotify.Write, nil, false},
		{"a file that is being written", "messages/.new.json", fsnotify.Create, nil, false},
		{"the directory gone", ".", fsnotify.Remove, nil, true},
		{"the directory's times", ".", fsnotify.Chmod, nil, false},
		{"something beside it", "../other.json", fsnotify.Create, nil, false},
		{"the folder around it", "..", fsnotify.Write, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := b.newFollower()
			f.note(fsnotify.Event{Name: b.path(test.file), Op: test.op})
			if got := f.todo.list(); f.todo.all != test.all || len(got) != len(test.want) || len(got) > 0 && got[0] != test.want[0] {
				t.Errorf("%+v", f.todo)
			}
		})
	}
}

// TestFollowerBack watches a folder anew that was moved away and back: the
// system no longer does, and nothing in it is different.
func TestFollowerBack(t *testing.T) {
	b := newReadBed(t)
	b.put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	f := b.newFollower()
	const folder = "messages/T-2026-001"
	if !f.watch.targets[folder] {
		t.Fatalf("%v", f.watch.targets)
	}
	f.note(fsnotify.Event{Name: b.path(folder), Op: fsnotify.Rename})
	if f.watch.targets[folder] {
		t.Fatalf("%v", f.watch.targets)
	}
	f.work(t.Context())
	if !f.watch.targets[folder] || f.watch.lost {
		t.Errorf("%v", f.watch.targets)
	}
}

// TestFollowerNew watches a new folder before there is anything in it.
func TestFollowerNew(t *testing.T) {
	b := newReadBed(t)
	b.mkdir("messages")
	f := b.newFollower()
	const folder = "messages/T-2026-001"
	b.mkdir(folder)
	f.note(fsnotify.Event{Name: b.path(folder), Op: fsnotify.Create})
	f.work(t.Context())
	if !f.watch.targets[folder] || !f.todo.paths[folder] {
		t.Errorf("%v %v", f.watch.targets, f.todo.paths)
	}
}

// TestPendingList looks at a folder once instead of at much in it.
func TestPendingList(t *testing.T) {
	p := pending{paths: map[string]bool{"a": true, "a/b/c.json": true, "ab": true, "d/1.json": true, "e.json": true}}
	if diff := cmp.Diff([]string{"a", "ab", "d/1.json", "e.json"}, p.list()); diff != "" {
		t.Error(diff)
	}
	for i := range manyEvents {
		p.paths["d/x"+string(rune('a'+i))+".json"] = true
	}
	if diff := cmp.Diff([]string{"a", "ab", "d", "e.json"}, p.list()); diff != "" {
		t.Error(diff)
	}
}
