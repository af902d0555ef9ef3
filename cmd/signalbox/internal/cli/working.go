package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// workTick is how often a long command updates its progress line, which appears after half
// a second.
const workTick = time.Second / 2

// Working is [Action] for a command that may take long. Until it writes output, it shows
// on the terminal what it is doing, such as "searching", and for how long.
func (o *Options) Working(what string, do func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return Action(func(cmd *cobra.Command, args []string) error {
		if !o.ErrTerminal {
			return do(cmd, args)
		}
		tick := time.NewTicker(workTick)
		defer tick.Stop()
		w := startWork(o.Stderr, what, tick.C)
		o.Stderr, o.work = w, w
		defer func() {
			w.end()
			o.Stderr, o.work = w.out, nil
		}()
		return do(cmd, args)
	})
}

// work is a progress line on a terminal. It is rewritten at each tick, and erased before
// anything else is written.
type work struct {
	what string
	tick <-chan time.Time
	quit chan struct{}
	done sync.WaitGroup
	once sync.Once

	mu    sync.Mutex // guards everything below
	out   io.Writer
	shown bool
}

// erase goes back to the beginning of a line and empties it.
const erase = "\r\x1b[K"

func startWork(out io.Writer, what string, tick <-chan time.Time) *work {
	w := &work{what: what, tick: tick, quit: make(chan struct{}), out: out}
	w.done.Go(w.run)
	return w
}

func (w *work) run() {
	for n := 1; ; n++ {
		select {
		case <-w.quit:
			return
		case <-w.tick:
			line := erase + w.what + " …"
			if s := time.Duration(n) * workTick / time.Second; s > 0 {
				line += fmt.Sprintf(" %d s", s)
			}
			w.mu.Lock()
			io.WriteString(w.out, line)
			w.shown = true
			w.mu.Unlock()
		}
	}
}

// Write erases the line and writes to the terminal.
func (w *work) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clear()
	return w.out.Write(b)
}

func (w *work) clear() {
	if w.shown {
		io.WriteString(w.out, erase)
		w.shown = false
	}
}

func (w *work) end() {
	w.once.Do(func() { close(w.quit) })
	w.done.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clear()
}

// output is stdout. Writing to it ends the progress line.
type output struct{ *Program }

func (p output) Write(b []byte) (int, error) {
	if p.work != nil {
		p.work.end()
	}
	return p.Stdout.Write(b)
}
