package statefile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
)

// stored is a state file that holds one text.
type stored struct {
	*statefile.File
	text  string
	takes int
}

func newStored(t *testing.T) *stored {
	t.Helper()
	k := &stored{}
	k.File = statefile.At(statefile.Config{Path: filepath.Join(t.TempDir(), "state", "f"), What: "test:", Limit: 10, Take: func(data []byte) error {
		k.takes++
		if strings.HasPrefix(string(data), "bad") {
			return errors.New("is bad")
		}
		k.text = string(data)
		return nil
	}})
	return k
}

func (k *stored) set(t *testing.T, text string) error {
	return k.Change(t.Context(), func(replace func([]byte) error) error { return replace([]byte(text)) })
}

// TestLook takes a file in when it changed, and no more often.
func TestLook(t *testing.T) {
	k := newStored(t)
	if err := k.set(t, "one"); err != nil || k.text != "one" {
		t.Fatal(k.text, err)
	}
	takes := k.takes
	for range 3 {
		if err := k.Look(); err != nil || k.takes != takes {
			t.Errorf("%d looks into the file, %v", k.takes-takes, err)
		}
	}
	for i, c := range []struct{ text, fault string }{
		{"two", ""}, {"bad", "is bad"}, {"bad 2", "is bad"}, {"01234567890", "is longer than 10 bytes"}, {"three", ""},
	} {
		at := k.Path() + fmt.Sprint(i)
		if err := errors.Join(os.WriteFile(at, []byte(c.text), 0o600), os.Rename(at, k.Path())); err != nil {
			t.Fatal(err)
		}
		takes = k.takes
		for range 2 {
			err := k.Look()
			if c.fault == "" && (err != nil || k.text != c.text) || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
				t.Errorf("%s: %q %v", c.text, k.text, err)
			}
		}
		if k.takes > takes+1 {
			t.Errorf("%s: looked into %d times", c.text, k.takes-takes)
		}
		if err := k.set(t, c.text); (err != nil) != (c.fault != "") {
			t.Errorf("%s: a file that cannot be understood must stay as it is: %v", c.text, err)
		}
	}
	if err := os.Remove(k.Path()); err != nil {
		t.Fatal(err)
	}
	if err := k.Look(); err != nil || k.text != "" {
		t.Errorf("a file that went: %q %v", k.text, err)
	}
}

// TestReplacing looks at a file that somebody else replaces all the time, as each writer does.
func TestReplacing(t *testing.T) {
	k := newStored(t)
	if err := k.set(t, "0"); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for i := 0; err == nil; i++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
				at := k.Path() + ".new"
				err = errors.Join(os.WriteFile(at, []byte(fmt.Sprint(i%1000)), 0o600), os.Rename(at, k.Path()))
			}
		}
		stopped <- err
	}()
	for k.takes < 5000 {
		if err := k.Look(); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestChange: what is refused is not written.
func TestChange(t *testing.T) {
	k := newStored(t)
	refused := errors.New("refused")
	if err := k.Change(t.Context(), func(func([]byte) error) error { return refused }); !errors.Is(err, refused) {
		t.Error(err)
	}
	if _, err := os.Stat(k.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// syncs counts what is synced.
type syncs int

func (n *syncs) Do(c *disk.Change, do func() error) error {
	if c.Op == disk.OpSync || c.Op == disk.OpSyncDir {
		*n++
	}
	return do()
}

// TestCache syncs nothing of a file that can be lost, once its folder is there.
func TestCache(t *testing.T) {
	for _, cache := range []bool{false, true} {
		text, n := "", syncs(0)
		f := statefile.At(statefile.Config{
			Path: filepath.Join(t.TempDir(), "state", "f"), What: "test:", Limit: 10, Cache: cache,
			Take: func(data []byte) error { text = string(data); return nil },
		})
		f.Disk.Layer = &n
		for _, want := range []string{"one", "two"} {
			n = 0
			if err := f.Change(t.Context(), func(replace func([]byte) error) error { return replace([]byte(want)) }); err != nil || text != want {
				t.Errorf("%q is kept, %v", text, err)
			}
		}
		if (n == 0) != cache {
			t.Errorf("cache %v: %d syncs", cache, n)
		}
	}
}
