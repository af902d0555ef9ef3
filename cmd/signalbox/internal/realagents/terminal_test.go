//go:build agents

package realagents

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/ptytest"
)

// terminal is a program in a pseudo-terminal, as a person starts it.
type terminal struct {
	keys *os.File
	cmd  *exec.Cmd

	mu   sync.Mutex // guards what follows
	sent strings.Builder
	now  *screen
}

// openTerminal starts a program in a terminal and reads all that it shows.
func openTerminal(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	const columns, rows = 120, 40
	keys, tty, err := ptytest.Open(columns, rows)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &terminal{keys: keys, cmd: cmd, now: newScreen(columns, rows)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buffer := make([]byte, 64<<10)
		for {
			n, err := keys.Read(buffer)
			p.mu.Lock()
			p.sent.Write(buffer[:n])
			p.now.write(string(buffer[:n]))
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		keys.Close()
		<-read
		if t.Failed() {
			shown := p.shown()
			t.Logf("the terminal shows\n%s", plain(shown[max(0, len(shown)-6000):]))
		}
	})
	return p
}

// escape is a sequence that moves the cursor, sets a color or a title.
var escape = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[]P_^X][^\x07\x1b]*(?:\x07|\x1b\\\\)|[ -/]*[0-OQ-WYZ\\\\`-~])")

// plain returns the words that a terminal was sent.
func plain(shown string) string {
	return strings.Join(strings.Fields(escape.ReplaceAllString(shown, " ")), " ")
}

func (p *terminal) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent.String()
}

// sees returns the words that the terminal shows at this moment.
func (p *terminal) sees() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now.String()
}

// shows reports whether the terminal shows a text at this moment.
func (p *terminal) shows(text string) bool { return strings.Contains(p.sees(), text) }

// press types keys, a moment apart: a program takes what comes at once for pasted text.
func (p *terminal) press(t *testing.T, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if _, err := p.keys.WriteString(key); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// pressUntil presses keys, which have blanks between them, until something holds: a dialog that
// has just come takes none.
func (p *terminal) pressUntil(t *testing.T, keys, what string, holds func() bool) {
	t.Helper()
	var pressed time.Time
	await(t, what, func() bool {
		if holds() {
			return true
		}
		if time.Since(pressed) > pressAgain {
			p.press(t, strings.Split(keys, " ")...)
			pressed = time.Now()
		}
		return false
	})
}

// pressAgain is how long a program has for a key.
const pressAgain = 3 * time.Second

// close closes the terminal, as closing its window does.
func (p *terminal) close() { _ = p.keys.Close() }
