package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// said counts the messages of a log by their beginning.
type said struct {
	mu    sync.Mutex
	count map[string]int
}

func (s *said) Enabled(context.Context, slog.Level) bool { return true }
func (s *said) WithAttrs([]slog.Attr) slog.Handler       { return s }
func (s *said) WithGroup(string) slog.Handler            { return s }

func (s *said) Handle(_ context.Context, r slog.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == nil {
		s.count = make(map[string]int)
	}
	s.count[r.Message]++
	return nil
}

func (s *said) times(message string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[message]
}

const (
	usedSaved    = "the saved index is used"
	notUsedSaved = "the saved index is not used"
	changedInner = "logs were changed before their ends"
)

// lookups is what an index finds for every id that it shows.
func lookups(live *store.Live) []string {
	var list []string
	threads, _ := live.Threads(store.Filter{}, store.Cursor{}, 1000)
	for _, th := range threads {
		page, _ := live.Page(th.Name, nil, nil, 100000)
		for i := range page.Messages {
			m := &page.Messages[i]
			for _, f := range live.Find(m.Key) {
				list = append(list, "find "+describe(&f))
			}
			got, err := live.Get(store.KeyOf(&m.Found))
			list = append(list, fmt.Sprint("get ", describe(&got), err, live.HasOriginal(&m.Record)))
		}
	}
	slices.Sort(list)
	return list
}

// holdAgainst compares an index with one that was made of the logs alone, and
// with a plain pass over them.
func (m *model) holdAgainst(live *store.Live) {
	m.t.Helper()
	fresh := m.reopen()
	defer fresh.Close()
	for _, l := range []*store.Live{fresh, live} {
		m.must(l.Sync(m.t.Context()))
	}
	if diff := cmp.Diff(look(fresh), look(live)); diff != "" {
		m.t.Errorf("index (-of the logs alone +got):\n%s", diff)
	}
	if diff := cmp.Diff(lookups(fresh), lookups(live)); diff != "" {
		m.t.Errorf("look-ups (-of the logs alone +got):\n%s", diff)
	}
	if diff := cmp.Diff(m.plain(), bare(live)); diff != "" {
		m.t.Errorf("index (-plain pass +got):\n%s", diff)
	}
}

// TestCheckpointModel saves the index in the middle of a directory's random
// life, lets more happen while nobody looks, goes on from what was saved, and
// holds the outcome against an index of the logs alone: at once, and while the
// life goes on.
func TestCheckpointModel(t *testing.T) {
	log := &said{}
	t.Run("lives", func(t *testing.T) {
		for seed := range uint64(12) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				m := newModel(t, seed+5000)
				for round := range 6 {
					m.random(m.rnd.IntN(8), true)
					m.sync()
					m.live.Close()
					if m.rnd.IntN(4) > 0 {
						_, err := store.SaveCheckpoint(m.live)
						m.must(err)
						m.trace = append(m.trace, "save")
					}
					m.random(m.rnd.IntN(5), false)
					m.live = m.following(1<<40, slog.New(log))
					m.holdAgainst(m.live)
					m.random(1, true)
					m.holdAgainst(m.live)
					if t.Failed() {
						t.Fatalf("in round %d:\n%s", round, strings.Join(m.trace, "\n"))
					}
				}
			})
		}
	})
	if log.times(usedSaved) < 30 {
		t.Errorf("a saved index was used %d times", log.times(usedSaved))
	}
	if n := log.times(notUsedSaved); n > 0 {
		t.Errorf("a saved index was not usable %d times", n)
	}
}

// TestCheckpointInner: a log that was changed in its midst and then grew, so
// that its ends are what they were, is read again.
func TestCheckpointInner(t *testing.T) {
	m := newModel(t, 9007)
	path := filepath.Join(m.dir, "log-alice.jsonl")
	text := ""
	for i := range 9 {
		text += line(int64(i), "alice", "bob", "t", fmt.Sprint("some words and number ", i))
	}
	m.append("log-alice.jsonl", text)
	m.touch(path)
	m.sync()
	m.live.Close()
	_, err := store.SaveCheckpoint(m.live)
	m.must(err)
	m.write("log-alice.jsonl", strings.Replace(text, "number 4", "number X", 1), line(20, "alice", "bob", "t", "more"))
	m.touch(path)
	log := &said{}
	live := m.following(1<<40, slog.New(log))
	m.holdAgainst(live)
	if log.times(usedSaved) != 1 || log.times(changedInner) != 1 {
		t.Errorf("the log says %v", log.count)
	}
	page, err := live.Page("t", nil, nil, 100)
	m.must(err)
	if len(page.Messages) != 10 || page.Messages[4].Body != "some words and number X" {
		t.Errorf("%d messages, the fifth says %q", len(page.Messages), page.Messages[4].Body)
	}
}

// random does some steps, each of them seen or not.
func (m *model) random(steps int, seen bool) {
	for range steps {
		m.trace = append(m.trace, m.step())
		if seen {
			m.sync()
		}
	}
}

// life is a directory with all kinds of records, and its checkpoint.
func life(t testing.TB, seed uint64) (m *model, path string, saved []byte) {
	t.Helper()
	m = newModel(t, seed)
	m.random(30, true)
	m.live.Close()
	path, err := store.SaveCheckpoint(m.live)
	m.must(err)
	saved, err = os.ReadFile(path)
	m.must(err)
	return m, path, saved
}

// FuzzCheckpoint damages a saved index. What is not as it was written is not
// used, so that the answers stay as they are. Where the checksums are made to
// fit, nothing says that a number is wrong that could be right; then nothing is
// to panic, or to go round.
func FuzzCheckpoint(f *testing.F) {
	f.Add(uint32(0), byte(1), uint32(0), false)
	f.Add(uint32(20), byte(7), uint32(0), true)
	f.Add(uint32(40), byte(255), uint32(0), true)
	f.Add(uint32(300), byte(3), uint32(100), false)
	f.Add(uint32(3000), byte(128), uint32(0), true)
	m, path, saved := life(f, 9000)
	f.Fuzz(func(t *testing.T, at uint32, bits byte, cut uint32, reseal bool) {
		data := slices.Clone(saved[:len(saved)-int(cut)%len(saved)])
		if len(data) > 0 {
			data[int(at)%len(data)] ^= bits
		}
		// A place of its own, since several run at once.
		mine := &model{box: &box{t: t, dir: m.dir}, state: t.TempDir()}
		own := filepath.Join(mine.state, "index", filepath.Base(path))
		mine.must(os.Mkdir(filepath.Dir(own), 0o700))
		same := string(data) == string(saved)
		if reseal {
			store.Reseal(data)
		} else if _, err := store.LoadCheckpoint(data, "bob"); (err == nil) != same {
			t.Fatalf("damaged: %t, and the error is %v", !same, err)
		}
		mine.must(os.WriteFile(own, data, 0o600))
		live := mine.following(1<<40, slog.New(slog.DiscardHandler))
		mine.must(live.Sync(t.Context()))
		got, found := look(live), lookups(live)
		live.Close()
		if reseal {
			return
		}
		fresh := mine.reopen()
		mine.must(fresh.Sync(t.Context()))
		if diff := cmp.Diff(look(fresh), got); diff != "" {
			t.Errorf("index (-of the logs alone +got):\n%s", diff)
		}
		if diff := cmp.Diff(lookups(fresh), found); diff != "" {
			t.Errorf("look-ups (-of the logs alone +got):\n%s", diff)
		}
		fresh.Close()
	})
}

// TestCheckpointEveryByte damages each byte of a saved index in turn.
func TestCheckpointEveryByte(t *testing.T) {
	_, _, saved := life(t, 9001)
	if n, err := store.LoadCheckpoint(saved, "bob"); err != nil || n == 0 {
		t.Fatalf("%d entries, %v", n, err)
	}
	for at := range saved {
		data := slices.Clone(saved)
		data[at] ^= 1 << (at % 8)
		if _, err := store.LoadCheckpoint(data, "bob"); err == nil {
			t.Fatalf("byte %d was changed, and nothing noticed", at)
		}
		store.Reseal(data)
		_, _ = store.LoadCheckpoint(data, "bob") // does not panic, and ends
	}
}

// TestCheckpointTrust uses no saved index that others could have written or
// that is something else, and leaves what they put there.
func TestCheckpointTrust(t *testing.T) {
	cases := map[string]func(m *model, path string){
		"open file":   func(m *model, path string) { m.must(os.Chmod(path, 0o644)) },
		"open folder": func(m *model, path string) { m.must(os.Chmod(filepath.Dir(path), 0o750)) },
		"link": func(m *model, path string) {
			m.must(os.Rename(path, path+".other"))
			m.must(os.Symlink(path+".other", path))
		},
		"folder": func(m *model, path string) {
			m.must(os.Remove(path))
			m.must(os.Mkdir(path, 0o700))
		},
		"empty": func(m *model, path string) { m.must(os.Truncate(path, 0)) },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name != "empty" && name != "folder" {
				return // it has other rights, which no mode tells
			}
			m, path, _ := life(t, 9002)
			change(m, path)
			log := &said{}
			live := m.following(1<<40, slog.New(log))
			m.holdAgainst(live)
			if log.times(usedSaved) > 0 || log.times(notUsedSaved) != 1 {
				t.Errorf("the log says %v", log.count)
			}
		})
	}
}

// TestCheckpointPrivate: what is saved is the user's alone and says nothing of
// what messages say.
func TestCheckpointPrivate(t *testing.T) {
	m, path, saved := life(t, 9003)
	if strings.Contains(string(saved), "body") || !strings.Contains(string(saved), "log-alice") {
		t.Error("it has bodies, or no logs")
	}
	if runtime.GOOS != "windows" {
		for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			info, err := os.Stat(p)
			m.must(err)
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s has the mode %o, want %o", p, got, want)
			}
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	m.must(err)
	if len(left) != 1 {
		t.Errorf("the folder holds %v", left)
	}
}

// TestCheckpointProfile: ids that records lack are of the form in use, so that
// an index of the other one is not gone on from.
func TestCheckpointProfile(t *testing.T) {
	m, _, _ := life(t, 9004)
	log := &said{}
	live := store.OpenLive(store.Config{
		Path: m.dir, Me: "bob", StateDir: m.state, Profile: samp.V1Compact, Poll: time.Hour, Logger: slog.New(log),
	})
	defer live.Close()
	m.must(live.Sync(t.Context()))
	if log.times(usedSaved) > 0 || log.times(notUsedSaved) != 1 {
		t.Errorf("the log says %v", log.count)
	}
}

// TestCheckpointSwept: what nobody used for long is removed when another one is
// saved, and what a killed process left.
func TestCheckpointSwept(t *testing.T) {
	m, path, _ := life(t, 9005)
	old := time.Now().Add(-31 * 24 * time.Hour)
	for name, gone := range map[string]bool{"0123456789ab.index": true, ".signalbox-index-ABC": true, "notes.txt": false} {
		p := filepath.Join(filepath.Dir(path), name)
		m.must(os.WriteFile(p, nil, 0o600))
		m.must(os.Chtimes(p, old, old))
		_, err := store.SaveCheckpoint(m.live)
		m.must(err)
		if _, err := os.Stat(p); (err != nil) != gone {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckpointMoved: an index that changes while it is saved leaves the file
// as it was, and nothing beside it.
func TestCheckpointMoved(t *testing.T) {
	m, path, saved := life(t, 9008)
	for parts := range 7 {
		if moved, err := store.SaveMoved(m.live, parts); !moved {
			t.Fatalf("after %d parts: %v", parts, err)
		}
		now, err := os.ReadFile(path)
		m.must(err)
		left, err := os.ReadDir(filepath.Dir(path))
		m.must(err)
		if string(now) != string(saved) || len(left) != 1 {
			t.Errorf("after %d parts the file is another one, or one of %d", parts, len(left))
		}
	}
	if _, err := store.SaveMoved(m.live, 100); err != nil {
		t.Error(err)
	}
}

// TestCheckpointSaved: an index that read much is saved by itself, and the next
// process goes on from it, whoever its reader is.
func TestCheckpointSaved(t *testing.T) {
	m := newModel(t, 9006)
	m.live.Close()
	m.append("log-alice.jsonl", line(1, "alice", "bob", "t", "one")+line(2, "alice", "carol", "t", "two"))
	live := m.following(1, slog.New(slog.DiscardHandler))
	var files []string
	for len(files) == 0 {
		m.must(live.Sync(t.Context()))
		var err error
		files, err = filepath.Glob(filepath.Join(m.state, "index", "*.index"))
		m.must(err)
	}
	live.Close()
	m.append("log-alice.jsonl", line(3, "alice", "carol", "t", "three"))
	log := &said{}
	for _, me := range []string{"bob", "carol"} {
		live := store.OpenLive(store.Config{
			Path: m.dir, Me: me, StateDir: m.state, Profile: samp.V1, Poll: time.Hour, Logger: slog.New(log),
		})
		m.must(live.Sync(t.Context()))
		if got, want := live.Stats().Unread, map[string]int{"bob": 1, "carol": 2}[me]; got != want {
			t.Errorf("%s has %d unread messages, want %d", me, got, want)
		}
		live.Close()
	}
	if log.times(usedSaved) != 2 {
		t.Errorf("the log says %v", log.count)
	}
}
