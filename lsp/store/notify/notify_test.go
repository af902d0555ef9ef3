package notify

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestEvents tells of a new file.
func TestEvents(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	dir := t.TempDir()
	if err := w.Add(dir); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case e := <-w.Events:
		if e.Name != file || !e.Has(fsnotify.Create) {
			t.Error(e)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing is told")
	}
}

// TestTroubles holds that errors nobody listens to keep nobody waiting, and that
// the first is not lost.
func TestTroubles(t *testing.T) {
	errs := make(chan error)
	w := &Watcher{nil, make(chan error, 1), make(chan struct{})}
	go w.drain(errs)
	first := errors.New("first")
	for _, err := range []error{first, errors.New("second"), errors.New("third")} {
		select {
		case errs <- err:
		case <-time.After(20 * time.Second):
			t.Fatal("telling an error waits for a listener")
		}
	}
	close(errs)
	<-w.done
	if got := <-w.Troubles(); !errors.Is(got, first) {
		t.Error(got)
	}
}

// TestMoved moves folders away and removes them, which fsnotify has errors to
// tell of, while others are added and nobody listens for errors.
func TestMoved(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	listener := make(chan struct{})
	go func() {
		defer close(listener)
		for e := range w.Events {
			_ = e // only taken
		}
	}()
	dir := t.TempDir()
	ended := make(chan error)
	go func() {
		var err error
		for i := 0; i < 300 && err == nil; i++ {
			from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
			err = errors.Join(os.Mkdir(from, 0o700), w.Add(from), os.Rename(from, to), os.Remove(to))
			_ = w.Remove(from)
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("adding waits for a listener")
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	<-listener
}
