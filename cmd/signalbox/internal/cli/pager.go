package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Page makes a command write through the pager on a terminal, and adds the flag that
// turns this off.
func (o *Options) Page(cmd *cobra.Command) *cobra.Command {
	off := cmd.Flags().Bool("no-pager", false, "write to the terminal itself (PAGER)")
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		program := pagerOf(o.Env)
		screen, ok := o.Stdout.(*os.File)
		if *off || program == "" || !ok || !o.OnScreen() {
			return do(cmd, args)
		}
		p := &pager{screen: screen, program: program, env: o.Env, rows: rowsOf(screen)}
		o.Stdout = p
		defer func() { o.Stdout = screen }()
		err := do(cmd, args)
		if ended := p.end(); err == nil {
			err = failed(ended)
		}
		if p.cmd != nil && isBrokenPipe(err) {
			return nil // the user left the pager early
		}
		return err
	}
	return cmd
}

// pagerOf returns the user's pager, or "" if there is none that can be started: nobody
// would see what is written to it.
func pagerOf(env environ.Env) string {
	program := env.Getenv("PAGER")
	if program == "" && runtime.GOOS != "windows" {
		program = "less"
	}
	words := slices.DeleteFunc(strings.Fields(program), func(word string) bool { return strings.Contains(word, "=") })
	if len(words) == 0 || words[0] == "cat" || env.Getenv("TERM") == "dumb" {
		return ""
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return ""
	}
	return program
}

// defaultRows is the height of a terminal that does not report its height.
const defaultRows = 24

func rowsOf(screen *os.File) int {
	if _, rows, err := term.GetSize(int(screen.Fd())); err == nil && rows > 0 {
		return rows
	}
	return defaultRows
}

// maxUnpaged is the largest output, in bytes, that counts as fitting on a screen.
const maxUnpaged = 64 << 10

// pager writes to the screen if the output fits on it, and otherwise to a pager
// program. Output is held back until it is clear which.
type pager struct {
	screen  *os.File
	program string
	env     environ.Env
	rows    int

	held    bytes.Buffer
	through bool // nothing more is held back: output goes to the screen
	in      io.WriteCloser
	cmd     *exec.Cmd
}

func (p *pager) Write(b []byte) (int, error) {
	switch {
	case p.in != nil:
		return p.in.Write(b)
	case p.through:
		return p.screen.Write(b)
	}
	p.held.Write(b)
	if p.held.Len() < maxUnpaged && bytes.Count(p.held.Bytes(), []byte("\n")) < p.rows {
		return len(b), nil
	}
	p.start()
	return len(b), p.release()
}

// start starts the pager program. If that fails, the output goes to the screen.
func (p *pager) start() {
	cmd := exec.Command("sh", "-c", p.program)
	if runtime.GOOS == "windows" {
		words := strings.Fields(p.program)
		cmd = exec.Command(words[0], words[1:]...)
	}
	cmd.Stdout, cmd.Stderr = p.screen, os.Stderr
	cmd.Env = os.Environ()
	// As git does: quit if one screen is enough, let our colours through, and leave the
	// text on the screen.
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} {
		if p.env.Getenv(name) == "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	// Ctrl-C is for the pager, and must not end this process under it.
	signal.Ignore(os.Interrupt)
	p.in, p.cmd = in, cmd
}

func (p *pager) release() error {
	p.through = true
	held := p.held.Bytes()
	p.held = bytes.Buffer{}
	_, err := p.Write(held)
	return err
}

func (p *pager) end() error {
	err := p.release()
	if p.cmd != nil {
		p.in.Close()
		_ = p.cmd.Wait() // its exit code does not matter
		signal.Reset(os.Interrupt)
	}
	return err
}

// Written writes everything that the pager holds back, so that the caller can rely on
// it being shown. It returns the error of writing.
func (p *Program) Written() error {
	if paged, ok := p.Stdout.(*pager); ok && !paged.through {
		return paged.release()
	}
	return nil
}
