package follow

import (
	"errors"
	"syscall/js"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// TestBrowserNotify: what the editor reports reaches whoever watches the path or its folder, and
// a burst that is too long is an overflow.
func TestBrowserNotify(t *testing.T) {
	if _, _, _, err := System(); err == nil {
		t.Fatal("a host that reports nothing is watched")
	}
	js.Global().Set("signalboxWatches", true)
	defer js.Global().Delete("signalboxWatches")
	n, events, troubles, err := System()
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if err := n.Add("/w/mail"); err != nil {
		t.Fatal(err)
	}
	report := func(path string, kind int) { js.Global().Call("signalboxChanged", path, kind) }
	report("/w/other/x", 1)
	report("/w/mail/log-a.jsonl", 2)
	report("/w/mail", 3)
	for _, want := range []fsnotify.Event{{Name: "/w/mail/log-a.jsonl", Op: fsnotify.Create}, {Name: "/w/mail", Op: fsnotify.Remove}} {
		if got := <-events; got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	for range maxWaiting + 1 {
		report("/w/mail/log-a.jsonl", 1)
	}
	if err := <-troubles; !errors.Is(err, fsnotify.ErrEventOverflow) {
		t.Error(err)
	}
}

// TestBrowserPoll: a slow look postpones no other.
func TestBrowserPoll(t *testing.T) {
	if got := untilPoll(2*time.Second, time.Minute); got != 2*time.Second {
		t.Error(got)
	}
}
