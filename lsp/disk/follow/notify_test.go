//go:build !js

package follow

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTroubles holds that errors nobody listens to keep nobody waiting, and that
// the first is not lost.
func TestTroubles(t *testing.T) {
	errs := make(chan error)
	w := &system{nil, make(chan error, 1), make(chan struct{})}
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
	if got := <-w.troubles; !errors.Is(got, first) {
		t.Error(got)
	}
}

// TestMoved moves folders away and removes them, which fsnotify has errors to
// tell of, while others are added and nobody listens for errors.
func TestMoved(t *testing.T) {
	w, err := newSystem()
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

// TestMovedAndMadeAnew holds that a folder is watched by its new name where another took the
// old one before the system told of either. The system has one watch for a folder.
func TestMovedAndMadeAnew(t *testing.T) {
	for _, gone := range []bool{false, true} {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		do(os.Mkdir(in("bob"), 0o700))
		w := newWatcher(&Config{Path: dir, Budget: 10, Notifier: System})
		defer w.close()
		folders := []string{"", "bob"}
		w.refresh(folders)
		do(os.Rename(in("bob"), in("eve")))
		do(os.Mkdir(in("bob"), 0o700))
		folders = []string{"", "bob", "eve"}
		w.refresh(folders)
		if gone {
			do(os.Remove(in("bob")))
			folders = []string{"", "eve"}
			w.refresh(folders)
		}
		// Whatever is told by now, and the next look.
		for told := true; told; {
			select {
			case e := <-w.event:
				w.about(e)
			case <-time.After(200 * time.Millisecond):
				told = false
			}
		}
		if w.lost {
			w.refresh(folders)
		}
		do(os.WriteFile(in("eve/1.json"), nil, 0o600))
		for seen := false; !seen; {
			select {
			case e := <-w.event:
				at, _ := w.about(e)
				seen = at == "eve/1.json"
			case <-time.After(20 * time.Second):
				t.Fatalf("gone %v: nobody told of a file in the folder", gone)
			}
		}
	}
}
