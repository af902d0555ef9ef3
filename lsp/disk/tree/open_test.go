package tree

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// TestFolder opens nothing but what it is asked for, also where that took the
// place of something else after it was listed.
func TestFolder(t *testing.T) {
	b := newFixture(t)
	b.put("folder/file.json", "inside")
	b.put("file.json", "text")
	b.put("empty.json", "")
	if runtime.GOOS != "windows" {
		disktest.FIFO(t, b.Path("fifo"))
		for _, to := range []string{"folder", "file.json", "nowhere"} {
			if err := os.Symlink(to, b.Path("to-"+to)); err != nil {
				t.Fatal(err)
			}
		}
	}
	kinds := map[string]bool{"fifo": true, "to-folder": true, "to-file.json": true, "to-nowhere": true}
	for name, open := range map[string]func(string) (Folder, error){"system": Open, "everywhere": OpenRoot} {
		t.Run(name, func(t *testing.T) {
			f, err := open(b.Root)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			list, more, err := f.Entries(100)
			if err != nil || more {
				t.Fatal(err)
			}
			for _, e := range append(list, fakeEntry("missing")) {
				sub, err := f.Open(e.Name())
				if err == nil {
					sub.Close()
				}
				if isKind(err) != (e.Name() != "folder" && e.Name() != "missing") || (err == nil) != (e.Name() == "folder") {
					t.Errorf("open %s as a folder: %v", e.Name(), err)
				}
				data, i, err := f.Read(e.Name(), nil, 3)
				plain := e.Name() == "file.json" || e.Name() == "empty.json"
				if isKind(err) != (kinds[e.Name()] || e.Name() == "folder") || (err == nil) != plain {
					t.Errorf("read %s: %v", e.Name(), err)
				}
				if e.Name() == "file.json" && (string(data) != "text" || i.Size != 4) {
					t.Errorf("%q %+v", data, i)
				}
				if st, err := f.Stat(e.Name()); err == nil && st.Kind != e.Type() {
					t.Errorf("%s is %v, not %v", e.Name(), st.Kind, e.Type())
				}
			}
			if _, err := f.Stat("missing"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v", err)
			}
			if data, _, err := f.Read("file.json", nil, 2); string(data) != "tex" || err != nil {
				t.Errorf("%q %v", data, err)
			}
			if _, more, err := f.Entries(1); err != nil || name == "everywhere" && !more {
				t.Errorf("more: %v, %v", more, err)
			}
		})
	}
}

// TestElement reaches nothing outside of a folder, whatever it is asked for.
func TestElement(t *testing.T) {
	b := newFixture(t)
	b.put("x.txt", "outside")
	b.put("d/e/y.txt", "deeper")
	for way, open := range map[string]func(string) (Folder, error){"system": Open, "everywhere": OpenRoot} {
		for _, name := range []string{"", "..", "../x.txt", "e/y.txt", "e/..", b.Path("x.txt"), "y\x00.txt", "/"} {
			t.Run(way+" "+name, func(t *testing.T) {
				f, err := open(b.Path("d"))
				b.must(err)
				defer f.Close()
				if sub, err := f.Open(name); !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("opened: %v, %v", sub, err)
				}
				if data, _, err := f.Read(name, nil, 10); !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("read: %q, %v", data, err)
				}
				if i, err := f.Stat(name); !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("told of: %v, %v", i, err)
				}
			})
		}
	}
}

type fakeEntry string

func (e fakeEntry) Name() string             { return string(e) }
func (fakeEntry) IsDir() bool                { return false }
func (fakeEntry) Type() fs.FileMode          { return 0 }
func (fakeEntry) Info() (fs.FileInfo, error) { return nil, fs.ErrNotExist }

func isKind(err error) bool {
	_, ok := errors.AsType[*disk.KindError](err)
	return ok
}
