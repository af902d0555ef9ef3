package cli

import (
	"testing"
	"time"
)

// lines is a terminal that reports each write.
type lines struct{ wrote chan string }

func (l *lines) Write(b []byte) (int, error) {
	l.wrote <- string(b)
	return len(b), nil
}

// TestWorking says what is done at each tick, and leaves nothing on the terminal.
func TestWorking(t *testing.T) {
	tick, out := make(chan time.Time), &lines{wrote: make(chan string, 8)}
	w := startWork(out, "searching", tick)
	expect := func(want string) {
		t.Helper()
		if got := <-out.wrote; got != want {
			t.Errorf("wrote %q, want %q", got, want)
		}
	}
	tick <- time.Time{}
	expect(erase + "searching …")
	tick <- time.Time{}
	expect(erase + "searching … 1 s")
	// A warning takes the line's place, and the line comes again.
	if _, err := w.Write([]byte("a warning\n")); err != nil {
		t.Fatal(err)
	}
	expect(erase)
	expect("a warning\n")
	tick <- time.Time{}
	expect(erase + "searching … 1 s")

	// Output ends it.
	p := &Program{Stdout: out, work: w}
	b := p.Writer()
	b.WriteString("found\n")
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	expect(erase)
	expect("found\n")
	w.end()
	select {
	case tick <- time.Time{}:
		t.Error("it goes on after its end")
	case got := <-out.wrote:
		t.Errorf("wrote %q after the end", got)
	default:
	}
}
