package index

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// TestLiveMark holds that the editor and the command line agree on late messages, and on the
// message that a reply answers (rules N6 and P1).
func TestLiveMark(t *testing.T) {
	d, err := sampstore.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	appendLog := func(stem string, lines ...string) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(d.Path(), samp.LogName(stem)), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(strings.Join(lines, "")); err != nil {
			t.Fatal(err)
		}
	}
	appendLog("a", recordLine(100, "a", "first"))
	stateDir := t.TempDir()
	// shows reads the new mail with a state, and checks the new and the late messages.
	shows := func(stateDir string, fresh, late []string) {
		t.Helper()
		state, err := sampstore.OpenReadState(stateDir, d, "x")
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.ReadNew(t.Context(), "x", samp.V1, time.Unix(1_000_000, 0), state)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		bodies := func(list []sampstore.Unread) (out []string) {
			for m, err := range got.Messages(t.Context(), list) {
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, strings.Clone(m.Body))
			}
			return out
		}
		if diff := cmp.Diff([][]string{fresh, late}, [][]string{bodies(got.Fresh), bodies(got.Late)}); diff != "" {
			t.Errorf("new and late (-want +got):\n%s", diff)
		}
		for _, err := range got.Commit() {
			t.Error(err)
		}
	}
	shows(stateDir, []string{"first"}, nil)
	appendLog("a", recordLine(200, "a", "second"), recordLine(300, "a", "third"))
	shows(t.TempDir(), []string{"second", "third"}, nil)
	appendLog("b", recordLine(50, "b", "synced late"), recordLine(99_999_999_999, "b", "from the future"))
	l := Open(Config{Path: d.Path(), Me: "x", StateDir: stateDir, Logger: slog.New(slog.DiscardHandler)})
	defer l.Close()
	if err := l.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	late := func() (list []string) {
		l.mu.RLock()
		var all []uint32
		for n := range uint32(l.idx.entries.n) {
			all = append(all, n)
		}
		read := l.describe(all)
		l.mu.RUnlock()
		for _, m := range read.messages() {
			if m.Late {
				list = append(list, m.Body)
			}
		}
		return list
	}
	if diff := cmp.Diff([]string{"synced late"}, late()); diff != "" {
		t.Errorf("late (-want +got):\n%s", diff)
	}
	if newest, tied := l.Newest("", 1_000_000); newest == nil || newest.Body != "third" {
		t.Errorf("the reply answers %+v, %v", newest, tied)
	}
	// A watermark that the editor moved counts as Signalbox's own: mail that comes then is late.
	if err := l.SetRead(nil, []string{"x"}, true); err != nil {
		t.Fatal(err)
	}
	if err := l.MoveWatermark(t.Context(), time.Unix(1_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	appendLog("c", recordLine(250, "c", "later still"))
	if err := l.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"later still"}, late()); diff != "" {
		t.Errorf("late (-want +got):\n%s", diff)
	}
	shows(stateDir, nil, []string{"later still"})
}
