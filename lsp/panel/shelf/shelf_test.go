package shelf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock is a time that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func open(t *testing.T, path string, changed func()) *Shelf {
	t.Helper()
	if changed == nil {
		changed = func() {}
	}
	s := Open(Config{Path: path, Poll: time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Changed: changed})
	t.Cleanup(s.Close)
	return s
}

func key(name string) Key {
	return Key{mail.ThreadRef(mail.SAMP, "store", name), "me"}
}

func put(t *testing.T, s *Shelf, k Key, e Entry) {
	t.Helper()
	if err := s.Put(t.Context(), map[Key]Entry{k: e}, nil); err != nil {
		t.Fatal(err)
	}
}

// letters are the messages of a thread, the newest first.
func letters(digests ...uint64) Mail { return Mail(slices.Values(digests)) }

// many are messages whose digests go from one number to another.
func many(from, to int) Mail {
	return func(yield func(uint64) bool) {
		for i := from; i < to && yield(uint64(i)*0x9e3779b97f4a7c15); i++ {
		}
	}
}

func TestState(t *testing.T) {
	for name, c := range map[string]struct {
		entry Entry
		mail  Mail
		now   int64
		want  State
	}{
		"archived":                           {Entry{Archived: 10}.WithMail(letters(1, 2)), letters(1, 2), 20, Archived},
		"archived, in another order":         {Entry{Archived: 10}.WithMail(letters(1, 2)), letters(2, 1), 20, Archived},
		"archived, mail came":                {Entry{Archived: 10}.WithMail(letters(1, 2)), letters(1, 2, 3), 20, InInbox},
		"archived, mail was cut":             {Entry{Archived: 10}.WithMail(letters(1, 2)), letters(2), 20, Archived},
		"archived, all was cut":              {Entry{Archived: 10}.WithMail(letters(1, 2)), nil, 20, Archived},
		"archived, cut and came":             {Entry{Archived: 10}.WithMail(letters(1, 2, 3)), letters(9, 1), 20, InInbox},
		"archived, came with an older time":  {Entry{Archived: 10}.WithMail(letters(1, 2, 3)), letters(1, 9), 20, InInbox},
		"archived, without mail":             {Entry{Archived: 10}.WithMail(nil), letters(1), 20, InInbox},
		"archived by an older version":       {Entry{Archived: 10, Mail: 2}, letters(1, 2), 20, Archived},
		"archived by an older version, came": {Entry{Archived: 10, Mail: 2}, letters(1, 2, 3), 20, InInbox},
		"very long":                          {Entry{Archived: 10}.WithMail(many(0, 12_000)), many(0, 12_000), 20, Archived},
		"very long, mail came":               {Entry{Archived: 10}.WithMail(many(0, 12_000)), many(-1, 11_999), 20, InInbox},
		"very long, cut and came":            {Entry{Archived: 10}.WithMail(many(0, 12_000)), many(-5, 11_000), 20, InInbox},
		"very long, old mail came":           {Entry{Archived: 10}.WithMail(many(0, 12_000)), many(0, 12_001), 20, InInbox},
		"snoozed":                            {Entry{Until: 30}, nil, 29, Snoozed},
		"snoozed, at the time":               {Entry{Until: 30}, nil, 30, Due},
		"snoozed, mail came":                 {Entry{Until: 30}, letters(1), 29, InInbox},
		"came back, mail came":               {Entry{Until: 30}, letters(1), 40, InInbox},
		"nothing":                            {Entry{}, nil, 40, InInbox},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.entry.State(c.mail, c.now); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "shelf.json")
	s := open(t, path, nil)
	if snap := s.Snapshot(); len(snap.Entries) != 0 || snap.Err != nil {
		t.Fatal(snap)
	}
	put(t, s, key("a"), Entry{Archived: 5, Mail: 3})
	put(t, s, key("b \"\n\u202e"), Entry{Until: 7})
	if err := s.Put(t.Context(), map[Key]Entry{key("c"): {Until: 9}}, []Key{key("a")}); err != nil {
		t.Fatal(err)
	}
	want := map[Key]Entry{key("b \"\n\u202e"): {Until: 7}, key("c"): {Until: 9}}
	for name, have := range map[string]*Shelf{"same": s, "restarted": open(t, path, nil)} {
		if diff := cmp.Diff(want, have.Snapshot().Entries); diff != "" {
			t.Error(name, diff)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Error(info.Mode(), err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Error(left, err)
	}
}

// TestBroken holds that a file that cannot be read is named, and never written over.
func TestBroken(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"no JSON":        {"{", "no list of threads"},
		"empty":          {"", "no list of threads"},
		"cut short":      {`{"version":1,"threads":[{"protocol":"samp","sto`, "no list of threads"},
		"binary":         {"\x00\xff", "no list of threads"},
		"newer version":  {`{"version":3,"threads":[]}`, "version 3"},
		"both":           {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","archived":1,"until":2}]}`, "thread 1: is to be archived"},
		"neither":        {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a"}]}`, "thread 1: is to be archived"},
		"huge time":      {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","until":9e18}]}`, "no list of threads"},
		"late time":      {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","until":900000000000000000}]}`, "no calendar"},
		"other mail":     {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","until":9,"mail":1,"known":"AAAAAAAAAAAAAAAAAAAAAA=="}]}`, "knows other mail"},
		"half a digest":  {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","until":9,"mail":1,"known":"AAAA"}]}`, "knows other mail"},
		"less than none": {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","until":9,"mail":-1}]}`, "less than no mail"},
		"twice": {`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","until":9},` +
			`{"protocol":"samp","store":"s","id":"t/a","until":8}]}`, "thread 2: is in it twice"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "shelf.json")
			s := open(t, path, nil)
			put(t, s, key("known"), Entry{Archived: 1})
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, s := range []*Shelf{s, open(t, path, nil)} {
				err := s.Snapshot().Err
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "shelf.json") {
					t.Errorf("got %v, want %q", err, c.want)
				}
				if err := s.Put(t.Context(), map[Key]Entry{key("new"): {Until: 9}}, nil); err == nil {
					t.Error("it was written over")
				}
			}
			if len(s.Snapshot().Entries) != 1 {
				t.Error("what was known is forgotten")
			}
			if got, _ := os.ReadFile(path); string(got) != c.content {
				t.Errorf("it was changed to %q", got)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			put(t, s, key("new"), Entry{Until: 9})
			if snap := s.Snapshot(); snap.Err != nil || len(snap.Entries) != 1 {
				t.Error("not usable once it was removed:", snap)
			}
		})
	}
}

func TestNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shelf.json")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	s := open(t, path, nil)
	if err := s.Snapshot().Err; err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Error(err)
	}
	if err := s.Put(t.Context(), map[Key]Entry{key("a"): {Until: 9}}, nil); err == nil {
		t.Error("written")
	}
}

// TestKilled ends a writer at each of its steps. The file is then as it was before,
// or as it should be, and the next writer clears away what was left.
func TestKilled(t *testing.T) {
	killed := errors.New("killed")
	for _, step := range []disk.Op{disk.OpCreate, disk.OpWrite, disk.OpSync, disk.OpRename, disk.OpSyncDir} {
		t.Run(string(step), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "shelf.json")
			s := open(t, path, nil)
			put(t, s, key("a"), Entry{Archived: 1})
			renamed := false
			s.file.Disk.Layer = disktest.Before(func(c *disk.Change) error {
				if c.Op == step && (disktest.Unfinished(c) || renamed) {
					return killed
				}
				renamed = renamed || c.Op == disk.OpRename
				return nil
			})
			if err := s.Put(t.Context(), map[Key]Entry{key("b"): {Archived: 2}}, nil); !errors.Is(err, killed) {
				t.Fatal(err)
			}
			s.file.Disk.Layer = nil
			snap := open(t, path, nil).Snapshot()
			if _, ok := snap.Entries[key("a")]; !ok || snap.Err != nil {
				t.Fatal("lost:", snap)
			}
			put(t, s, key("c"), Entry{Archived: 3})
			if _, ok := open(t, path, nil).Snapshot().Entries[key("c")]; !ok {
				t.Error("not written after that")
			}
		})
	}
}

// TestOthersWrite holds that windows see each other's changes, and lose none.
func TestOthersWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shelf.json")
	var all sync.WaitGroup
	for w := range 4 {
		s := open(t, path, nil)
		all.Go(func() {
			for i := range 8 {
				if err := s.Put(context.Background(), map[Key]Entry{key(fmt.Sprint(w, "-", i)): {Archived: 1}}, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := len(open(t, path, nil).Snapshot().Entries); got != 32 {
		t.Errorf("%d threads, want 32", got)
	}
}

// TestAnnounced holds that a shelf announces changes by others and threads that come back, and not
// its own changes.
func TestAnnounced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shelf.json")
	changed := make(chan struct{}, 10)
	at := &clock{at: time.UnixMilli(1000)}
	mine := Open(Config{
		Path: path, Poll: time.Millisecond, Now: at.now, Logger: slog.New(slog.DiscardHandler), Changed: func() { changed <- struct{}{} },
	})
	defer mine.Close()
	put(t, mine, key("a"), Entry{Until: 5000})
	put(t, open(t, path, nil), key("b"), Entry{Archived: 1})
	<-changed
	at.mu.Lock()
	at.at = time.UnixMilli(5000)
	at.mu.Unlock()
	<-changed
	select {
	case <-changed:
		t.Error("told of its own change")
	default:
	}
}

// TestModel does whatever users do at random, and holds the file against a map.
func TestModel(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		path := filepath.Join(t.TempDir(), "shelf.json")
		shelves := []*Shelf{open(t, path, nil), open(t, path, nil)}
		want := map[Key]Entry{}
		for range 60 {
			s := shelves[r.IntN(2)]
			k := key(fmt.Sprint(r.IntN(5)))
			if r.IntN(3) == 0 {
				if err := s.Put(t.Context(), nil, []Key{k}); err != nil {
					t.Fatal(err)
				}
				delete(want, k)
			} else {
				want[k] = Entry{Until: 1 + r.Int64N(9)}.WithMail(many(0, r.IntN(3)))
				put(t, s, k, want[k])
			}
			if diff := cmp.Diff(want, shelves[r.IntN(2)].Snapshot().Entries); diff != "" {
				t.Fatal(diff)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","owner":"me","archived":1,"mail":2}]}`))
	f.Add([]byte(`{"version":1,"threads":[{"protocol":"samp","store":"s","id":"t/a","archived":1,"mail":2,"known":"AAAAAAAAAAE="}]}`))
	f.Add([]byte(`{"version":1}`))
	f.Add([]byte(`{"version":3}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parse(data)
		if err != nil {
			return
		}
		again, err := parse(format(entries))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(entries, again); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTooMany(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "shelf.json"), nil)
	many := map[Key]Entry{}
	for i := range maxEntries + 1 {
		many[key(fmt.Sprint(i))] = Entry{Archived: 1}
	}
	if err := s.Put(t.Context(), many, nil); err == nil || !strings.Contains(err.Error(), "the limit") {
		t.Error(err)
	}
	if _, err := os.Stat(s.cfg.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
