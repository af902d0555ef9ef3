package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a directory. Paths are relative to it, with "/".
type fixture struct {
	*disktest.Dir
	t testing.TB
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	b := &fixture{disktest.New(t, "tree"), t}
	b.Mkdir(".")
	return b
}

func (b *fixture) put(file, text string) {
	b.t.Helper()
	b.Put(file, []byte(text))
}

func (b *fixture) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// line is the text of a file.
type line struct {
	path, text string
	stamp      Stamp
	again      bool
}

func (l *line) At() string { return l.path }

var open = Limits{Depth: 5, Files: 1000, Folders: 100, Entries: 1000}

// rules read what ends in .txt, in folders that do not begin with a dot.
func rules(limits Limits) Rules[*line] {
	return Rules[*line]{
		Sort: func(p string, kind fs.FileMode) Sort {
			switch {
			case strings.HasPrefix(Base(p), "."):
				return Skipped
			case kind.IsDir():
				return Entered
			case strings.HasSuffix(p, ".txt"):
				return Wanted
			}
			return Skipped
		},
		Rank:       func(folder string) int { return map[string]int{"first": -1}[folder] },
		NewScanner: func() func(Folder, string, *line, bool) *line { return lookAt },
		Limits:     limits,
	}
}

func lookAt(f Folder, at string, old *line, _ bool) *line {
	if i, err := f.Stat(Base(at)); err == nil && old != nil && i.Stamp == old.stamp && !old.again {
		return old
	}
	data, i, err := f.Read(Base(at), nil, 100)
	text := string(data)
	if kind, ok := errors.AsType[*disk.KindError](err); ok {
		text = kind.Error()
	} else if err != nil {
		return nil
	}
	if old != nil && old.text == text {
		old.stamp, old.again = i.Stamp, i.Young()
		return old
	}
	return &line{at, text, i.Stamp, i.Young()}
}

func (b *fixture) refresh(tr *Tree[*line]) Delta[*line] {
	b.t.Helper()
	f, err := Open(b.Root)
	b.must(err)
	d, err := tr.Refresh(context.Background(), f)
	b.must(err)
	return d
}

// all returns what a tree knows: its files with what they say, and its folders.
func all(tr *Tree[*line]) []string {
	list := []string{}
	tr.Each(func(n *Node[*line], depth int) {
		note := fmt.Sprint(n.Path, "/ ", depth)
		if n.Err != nil {
			note += " " + n.Err.Error()
		}
		list = append(list, note)
		for _, f := range n.Files {
			list = append(list, f.path+" "+f.text)
			if got := tr.File(f.path); got != f {
				list = append(list, "not found")
			}
		}
		if tr.Folder(n.Path) != n {
			list = append(list, "not found")
		}
	})
	return list
}

func paths(files []*line) []string {
	list := []string{}
	for _, f := range files {
		list = append(list, f.path)
	}
	slices.Sort(list)
	return list
}

// TestRefresh reads what is wanted, and only that.
func TestRefresh(t *testing.T) {
	b := newFixture(t)
	b.put("a.txt", "1")
	b.put("d/b.txt", "2")
	b.put("d/e/c.txt", "3")
	b.put("d/c.json", "4")
	b.put(".d/x.txt", "5")
	b.put(".x.txt", "6")
	b.Backdate()
	tr := New(rules(open))
	d := b.refresh(tr)
	if diff := cmp.Diff([]string{"/ 0", "a.txt 1", "d/ 1", "d/b.txt 2", "d/e/ 2", "d/e/c.txt 3"}, all(tr)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.txt", "d/b.txt", "d/e/c.txt"}, paths(d.Added)); diff != "" || len(d.Removed) > 0 || d.Faults || !d.Folders {
		t.Error(diff, d)
	}
	for _, p := range []string{"", "x", "d", "a.txt/x", "d/x/y", "d/"} {
		if tr.File(p) != nil {
			t.Errorf("%q is a file", p)
		}
	}
	if d := b.refresh(tr); len(d.Added)+len(d.Removed) > 0 || d.Faults || d.Folders {
		t.Errorf("looked again: %+v", d)
	}
	b.put("a.txt", "one")
	b.must(os.RemoveAll(b.Path("d/e")))
	d = b.refresh(tr)
	if diff := cmp.Diff([][]string{{"a.txt"}, {"a.txt", "d/e/c.txt"}}, [][]string{paths(d.Added), paths(d.Removed)}); diff != "" || !d.Folders {
		t.Error(diff)
	}
	d = tr.Forget()
	if diff := cmp.Diff([]string{"a.txt", "d/b.txt"}, paths(d.Removed)); diff != "" || tr.Root != nil || len(all(tr)) > 0 || tr.Folder("") != nil {
		t.Error(diff)
	}
}

// TestCancelled leaves what was known as it was.
func TestCancelled(t *testing.T) {
	b := newFixture(t)
	b.put("a.txt", "1")
	tr := New(rules(open))
	b.refresh(tr)
	before := all(tr)
	b.put("b.txt", "2")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f, err := Open(b.Root)
	b.must(err)
	if _, err := tr.Refresh(ctx, f); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(before, all(tr)); diff != "" {
		t.Error(diff)
	}
}

// TestBounds stops at each limit, says so once, and reads what has a rank first.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		limits Limits
		want   map[string]string
		files  int
	}{
		"none":    {open, map[string]string{}, 9},
		"depth":   {Limits{2, 100, 100, 100}, map[string]string{"the folder lies more than 2 folders deep, and is not looked into": "d/e/f"}, 8},
		"files":   {Limits{9, 4, 100, 100}, map[string]string{"the directory holds more than 4 files, and the others are not looked at": "d"}, 4},
		"folders": {Limits{9, 100, 3, 100}, map[string]string{"the directory holds more than 3 folders, and the others are not looked into": "d/e"}, 6},
		"entries": {Limits{9, 100, 100, 2}, map[string]string{"more than 2 names are in the folder, and the others are not looked at": ""}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t)
			for _, at := range []string{"a", "d/b", "d/c", "d/d", "d/e/x", "d/e/y", "d/e/f/x", "first/1", "first/2"} {
				b.put(at+".txt", at)
			}
			tr := New(rules(c.limits))
			for i := range 2 {
				d := b.refresh(tr)
				if diff := cmp.Diff(c.want, tr.Bounds); diff != "" {
					t.Error(diff)
				}
				if d.Faults != (i == 0 && name != "none") {
					t.Errorf("look %d: %+v", i, d)
				}
			}
			files, _ := tr.Root.count()
			if c.files >= 0 && files != c.files || c.files >= 0 && tr.File("first/2.txt") == nil {
				t.Errorf("%d files: %q", files, all(tr))
			}
			f, err := Open(b.Root)
			b.must(err)
			defer f.Close()
			if _, ok := tr.RefreshSome(t.Context(), f, []string{"a.txt"}); ok != (name == "none") {
				t.Errorf("a look at some is enough: %v", ok)
			}
		})
	}
}

// TestDenied says which folder cannot be looked into, and looks again though no
// time reports that it can be.
func TestDenied(t *testing.T) {
	b := newFixture(t)
	b.put("d/a.txt", "1")
	b.Backdate()
	tr := New(rules(open))
	look := func(denied string) Delta[*line] {
		t.Helper()
		f, err := Open(b.Root)
		b.must(err)
		d, err := tr.Refresh(t.Context(), &deny{f, denied})
		b.must(err)
		return d
	}
	for i := range 2 {
		if d := look("d"); d.Faults != (i == 0) || len(d.Added) > 0 {
			t.Errorf("%+v", d)
		}
	}
	if n := tr.Folder("d"); n == nil || !errors.Is(n.Err, fs.ErrPermission) {
		t.Errorf("%+v", n)
	}
	if d := look(""); !d.Faults || len(d.Added) != 1 {
		t.Errorf("%+v", d)
	}
}

// deny is a folder in which one may not be opened.
type deny struct {
	Folder
	name string
}

func (d *deny) Open(name string) (Folder, error) {
	if name == d.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.Folder.Open(name)
}

// TestID: a directory is the same before it is made and after, and by each of its
// names.
func TestID(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "a", "b")
	before := ID(at)
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "way")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{at, filepath.Join(dir, "way", "b"), at + string(filepath.Separator)} {
		if got := ID(path); got != before || len(got) != 12 {
			t.Errorf("%s is %s, and was %s", path, got, before)
		}
	}
	if ID(dir) == before {
		t.Error("two directories have one ID")
	}
}

// TestSome changes a directory at random, and looks at what changed alone: that is
// known then what a look at everything finds, and the deltas add up to it.
func TestSome(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := newFixture(t)
			rng := rand.New(rand.NewPCG(seed, 1))
			tr := New(rules(open))
			known := map[string]string{}
			take := func(d Delta[*line]) {
				for _, l := range d.Removed {
					delete(known, l.path)
				}
				for _, l := range d.Added {
					known[l.path] = l.text
				}
			}
			take(b.refresh(tr))
			for range 200 {
				at := path.Join([]string{"", "d", "d/e", "f"}[rng.IntN(4)], fmt.Sprint(rng.IntN(4), ".txt"))
				switch rng.IntN(6) {
				case 0:
					b.must(os.RemoveAll(b.Path(at)))
				case 1:
					if at = path.Dir(at); at != "." {
						b.must(os.RemoveAll(b.Path(at)))
					}
				default:
					b.put(at, fmt.Sprint(rng.IntN(3)))
				}
				f, err := Open(b.Root)
				b.must(err)
				if at == "." {
					at = "0.txt"
				}
				d, ok := tr.RefreshSome(t.Context(), f, []string{at})
				f.Close()
				take(d)
				if !ok {
					take(b.refresh(tr))
				}
				fresh := New(rules(open))
				b.refresh(fresh)
				if diff := cmp.Diff(all(fresh), all(tr)); diff != "" {
					t.Fatal(diff)
				}
				if tr.files != fresh.files || tr.folders != fresh.folders || len(known) != fresh.files {
					t.Fatalf("%d files and %d folders, of which %d were told, not %d and %d", tr.files, tr.folders, len(known), fresh.files, fresh.folders)
				}
				for p, text := range known {
					if l := tr.File(p); l == nil || l.text != text {
						t.Fatalf("%s was told to be %q", p, text)
					}
				}
			}
		})
	}
}
