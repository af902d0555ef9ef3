package samp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// tailed is a directory and a tail of it.
type tailed struct {
	t *testing.T
	*Dir
	*Tail
}

func (d tailed) write(stem, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.Dir.Path(), samp.LogName(stem)), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// gives polls once and compares the messages.
func (d tailed) gives(want ...string) Mail {
	d.t.Helper()
	m, err := d.Poll(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, bodies(m.Messages)); diff != "" {
		d.t.Errorf("poll (-want +got):\n%s", diff)
	}
	return m
}

func newTail(t *testing.T, d *Dir, me string) *Tail {
	tail := NewTail(d.Path(), me, samp.V1)
	t.Cleanup(func() { tail.Close() })
	return tail
}

// TestTailOfAnotherDirectory follows whatever directory is at the path.
func TestTailOfAnotherDirectory(t *testing.T) {
	dir := storeOf(t, nil)
	d := tailed{t, dir, newTail(t, dir, "me")}
	d.write("a", lineOf("a", "me", "one", 1))
	d.gives("one")
	if err := os.RemoveAll(dir.Path()); err != nil {
		t.Fatal(err)
	}
	d.gives()
	if err := os.Mkdir(dir.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	d.write("a", lineOf("a", "me", "one", 1)+lineOf("a", "me", "two", 2))
	d.gives("two")
}

// TestTail follows a log through all kinds of changes (rule C1).
func TestTail(t *testing.T) {
	dir := storeOf(t, nil)
	d := tailed{t, dir, newTail(t, dir, "me")}
	one, two, three := lineOf("a", "me", "one", 1), lineOf("a", "me", "two", 2), lineOf("a", "me", "three", 3)
	d.gives()
	d.write("a", one+lineOf("a", "you", "not mine", 1))
	d.gives("one")
	d.gives()
	d.write("a", one+lineOf("a", "you", "not mine", 1)+two+three[:9])
	d.gives("two")
	d.write("a", one+lineOf("a", "you", "not mine", 1)+two+three)
	d.gives("three")
	d.write("a", two+one)
	d.gives()
	d.write("a", two+one+lineOf("a", "me", "four", 4))
	d.gives("four")
	if err := os.Remove(filepath.Join(dir.Path(), "log-a.jsonl")); err != nil {
		t.Fatal(err)
	}
	d.gives()
	d.write("a", one+two+three+lineOf("a", "me", "five", 5))
	d.gives("five")
	d.write("b", lineOf("b", "me", "late", 0))
	d.write("a.copy", one+lineOf("a", "me", "only in a copy", 6))
	d.gives("late", "only in a copy")
	d.write("c", "garbage\n")
	if m := d.gives(); m.Malformed != 1 {
		t.Errorf("%d malformed", m.Malformed)
	}
}

// TestTailForged announces a forged record once. The record hides no message.
func TestTailForged(t *testing.T) {
	dir := storeOf(t, nil)
	d := tailed{t, dir, newTail(t, dir, "me")}
	d.write("mallory", lineOf("a", "me", "x", 1))
	if m := d.gives(); len(m.Suspicious) != 1 {
		t.Errorf("%d suspicious", len(m.Suspicious))
	}
	d.write("mallory", lineOf("a", "me", "x", 1)+"\n")
	if m := d.gives(); len(m.Suspicious) != 0 {
		t.Errorf("%d suspicious, again", len(m.Suspicious))
	}
	d.write("a", lineOf("a", "me", "x", 1))
	d.gives("x")
	d.write("eve", lineOf("a", "me", "x", 1))
	if m := d.gives(); len(m.Suspicious) != 0 {
		t.Error("a replica of what was shown is suspicious")
	}
}

// TestTailAll returns everybody's mail.
func TestTailAll(t *testing.T) {
	dir := storeOf(t, nil)
	d := tailed{t, dir, newTail(t, dir, "")}
	d.write("a", lineOf("a", "me", "one", 1)+"\nbad\n"+lineOf("a", "you", "two", 2))
	d.gives("one", "two")
}

// TestFollow ends when its context ends, and when show fails.
func TestFollow(t *testing.T) {
	dir := storeOf(t, nil)
	d := tailed{t, dir, newTail(t, dir, "me")}
	ctx, cancel := context.WithCancel(context.Background())
	var got []string
	err := d.Follow(ctx, time.Millisecond, func(m Mail) error {
		got = append(got, bodies(m.Messages)...)
		switch len(got) {
		case 0:
			d.write("a", lineOf("a", "me", "one", 1))
		case 1:
			d.write("b", lineOf("b", "me", "two", 2))
		case 2:
			cancel()
		}
		return nil
	})
	if err != nil || len(got) != 2 {
		t.Errorf("got %q, %v", got, err)
	}
	broken := errors.New("broken")
	if err := d.Follow(context.Background(), time.Hour, func(Mail) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestSkip returns only later messages, including an unfinished last line once it is finished.
func TestSkip(t *testing.T) {
	line := lineOf("a", "me", "unfinished", 2)
	for name, begun := range map[string]string{
		"whole lines":           lineOf("a", "me", "old", 1),
		"an unfinished line":    lineOf("a", "me", "old", 1) + line[:20],
		"an unfinished first":   line[:20],
		"a long unfinished end": lineOf("a", "me", "old", 1) + strings.Repeat(" ", 9*tailSize) + line[:20],
		"an empty log":          "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := storeOf(t, nil)
			d := tailed{t, dir, newTail(t, dir, "me")}
			d.write("a", begun)
			if err := d.Skip(); err != nil {
				t.Fatal(err)
			}
			d.gives()
			rest, want := lineOf("a", "me", "new", 3), []string{"new"}
			if strings.HasSuffix(begun, line[:20]) {
				rest, want = line[20:]+rest, []string{"unfinished", "new"}
			}
			d.write("a", begun+rest)
			d.write("b", lineOf("b", "me", "of a new log", 4))
			d.gives(append(want, "of a new log")...)
		})
	}
}
