//go:build unix

package hooks_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/hooks"
)

// run runs a plan with short timeouts and returns its output.
func run(t *testing.T, p *hooks.Plan) (hooks.Report, string) {
	t.Helper()
	var out bytes.Buffer
	r := p.Run(context.Background(), hooks.Options{Env: os.Environ(), Out: &out, Grace: 200 * time.Millisecond})
	return r, out.String()
}

// TestLinks: links lead from the worktree into the main checkout, and to no
// other place (ATSF H1, H6: the others are made all the same).
func TestLinks(t *testing.T) {
	project, tree := place(t, `{"symlinks":[
		{"source": "../outside"},
		{"source": "/etc/passwd"},
		{"source": "file", "target": "../escaped"},
		{"source": "file", "target": "/tmp/escaped"},
		{"source": "absent"},
		{"source": "link"},
		{"source": "linkdir/secret"},
		{"source": "file", "target": "treelink/in"},
		{"source": "file", "target": "treefile/in"},
		{"source": "file", "target": "existing"},
		{"source": "file", "target": "dangling"},
		{"source": ".git/config", "target": "config"},
		{"source": "fifo"},
		{"source": "file"},
		{"source": "deps", "target": "a/b/deps"},
		{"source": "deps", "target": "a/b/deps/inner"}
	]}`)
	outside := filepath.Join(filepath.Dir(project), "outside")
	write(t, filepath.Join(outside, "secret"), "secret")
	write(t, filepath.Join(project, "file"), "text")
	write(t, filepath.Join(project, "deps", "x"), "text")
	write(t, filepath.Join(project, ".git", "config"), "")
	symlink(t, filepath.Join(outside, "secret"), filepath.Join(project, "link"))
	symlink(t, outside, filepath.Join(project, "linkdir"))
	symlink(t, outside, filepath.Join(tree, "treelink"))
	write(t, filepath.Join(tree, "treefile"), "mine")
	write(t, filepath.Join(tree, "existing"), "mine")
	symlink(t, "nowhere", filepath.Join(tree, "dangling"))
	if err := syscall.Mkfifo(filepath.Join(project, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := read(t, project, tree)
	r, _ := run(t, &p)
	want := []string{
		`failed: .*`, `failed: .*`, `failed: .*`, `failed: .*`,
		`failed: the source does not exist`, `failed: the source is itself a link`, `failed: the source leads through "linkdir", which is a link`,
		`failed: the target leads through "treelink", which is a link`, `failed: the target leads through "treefile", which is no directory`,
		`skipped: the target exists`, `skipped: the target exists`, `failed: .*`, `failed: the source is neither a file nor a directory`,
		`done: link`, `done: link`, `failed: the target leads through "a/b/deps", which is a link`,
	}
	for i, got := range r.Links {
		text := fmt.Sprintf("%s: %s", got.Status, got.Detail)
		if head, any := strings.CutSuffix(want[i], ".*"); any && (!strings.HasPrefix(text, head) || text == head) || !any && text != want[i] {
			t.Errorf("%s -> %s: %q, want %q", p.Links[i].Source, p.Links[i].Target, text, want[i])
		}
	}
	for at, to := range map[string]string{"file": "file", "a/b/deps": "deps"} {
		if got, err := os.Readlink(filepath.Join(tree, at)); err != nil || got != filepath.Join(project, to) {
			t.Errorf("%s leads to %q (%v)", at, got, err)
		}
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("outside: %v, %v", entries, err)
	}
	if readFile(t, filepath.Join(tree, "existing")) != "mine" {
		t.Error("an existing target was changed")
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(tree), "escaped")); err == nil {
		t.Error("a link escaped")
	}
	// A second run changes nothing.
	r, _ = run(t, &p)
	if got := r.Links[13]; got.Status != hooks.Skipped {
		t.Errorf("again: %+v", got)
	}
}

// TestLinkRace: what became a link after the plan was made is not followed.
func TestLinkRace(t *testing.T) {
	project, tree := place(t, `{"symlinks":[{"source":"dir/file"},{"source":"file","target":"sub/file"}]}`)
	write(t, filepath.Join(project, "dir", "file"), "")
	write(t, filepath.Join(project, "file"), "")
	outside := filepath.Join(filepath.Dir(project), "outside")
	write(t, filepath.Join(outside, "file"), "secret")
	p := read(t, project, tree)
	rename(t, filepath.Join(project, "dir"), filepath.Join(project, "old"))
	symlink(t, outside, filepath.Join(project, "dir"))
	symlink(t, outside, filepath.Join(tree, "sub"))
	r, _ := run(t, &p)
	if r.Links[0].Status != hooks.Failed || r.Links[1].Status != hooks.Failed {
		t.Errorf("%+v", r.Links)
	}
}

// TestCommands: one after the other, in the worktree, by the shell; a failure
// skips the rest unless it may be ignored (ATSF H3, H4, H6).
func TestCommands(t *testing.T) {
	project, tree := place(t, `{"postSetupCommands":[
		{"command": "pwd > where; echo $PWD >> where; echo one >> order"},
		{"command": "echo two >> order; echo out; echo err >&2; cat; exit 3", "continueOnError": true},
		{"command": "echo never >> order", "platforms": ["win32"]},
		{"command": "-x"},
		{"command": "echo four >> order"}
	]}`)
	p := read(t, project, tree)
	r, out := run(t, &p)
	want := []struct {
		status hooks.Status
		detail string
		exit   int
	}{{hooks.Done, "", 0}, {hooks.Failed, "exit status 3", 3}, {hooks.Skipped, "not for this system", -1}, {hooks.Failed, "exit status 127", 127}, {hooks.Skipped, "command 4 failed", -1}}
	for i, w := range want {
		if got := r.Commands[i]; got.Status != w.status || got.Detail != w.detail || got.Exit != w.exit {
			t.Errorf("command %d: %+v, want %+v", i+1, got, w)
		}
	}
	if got := readFile(t, filepath.Join(tree, "order")); got != "one\ntwo\n" {
		t.Errorf("order %q", got)
	}
	if got := readFile(t, filepath.Join(tree, "where")); got != tree+"\n"+tree+"\n" {
		t.Errorf("where %q, want %q", got, tree)
	}
	if r.Commands[1].Output != "out\nerr\n" || !strings.Contains(out, "  | out\n  | err\n") {
		t.Errorf("output %q, shown %q", r.Commands[1].Output, out)
	}
}

// TestHanging: a command that hangs is ended in time with everything that it
// started, whatever that does with signals or its output (ATSF H3, H4, Z10).
func TestHanging(t *testing.T) {
	const loop = `while :; do sleep 0.05; done`
	for name, command := range map[string]string{
		"the shell itself":          `exec 9>fifo; ` + loop,
		"ignores TERM":              `trap "" TERM; exec 9>fifo; ` + loop,
		"grandchild holds output":   `(exec 9>fifo; ` + loop + `) & wait`,
		"grandchild ignores TERM":   `(trap "" TERM; exec 9>fifo; ` + loop + `) & wait`,
		"detached from the output":  `(trap "" TERM; exec 9>fifo; ` + loop + `) >/dev/null 2>&1 & wait`,
		"grandchild outlives shell": `(exec 9>fifo; ` + loop + `) & exit 0`,
		"deep":                      `sh -c 'sh -c "trap \"\" TERM HUP; exec 9>fifo; ` + loop + `" & ` + loop + `'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			project, tree := place(t, fmt.Sprintf(`{"postSetupCommands":[{"command":%q,"timeout":700},{"command":"echo after > after"}]}`, command))
			fifo := filepath.Join(tree, "fifo")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			// What holds the other end is alive.
			ended := make(chan error, 1)
			go func() {
				f, err := os.Open(fifo)
				if err == nil {
					_, err = io.Copy(io.Discard, f)
					f.Close()
				}
				ended <- err
			}()
			p := read(t, project, tree)
			start := time.Now()
			r, _ := run(t, &p)
			// Should nothing have come to open it on a slow machine.
			if f, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
				f.Close()
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			select {
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("a process is alive")
			}
			if strings.Contains(name, "outlives") {
				if r.Commands[0].Status != hooks.Done || r.Commands[0].Detail != "what it left running was ended" || r.Commands[1].Status != hooks.Done {
					t.Errorf("%+v", r.Commands)
				}
				return
			}
			if r.Commands[0].Status != hooks.Failed || r.Commands[0].Detail != "timed out after 700ms" || r.Commands[1].Status != hooks.Skipped {
				t.Errorf("%+v", r.Commands)
			}
		})
	}
}

// TestInterrupted: Ctrl-C ends the command that runs and skips the others.
func TestInterrupted(t *testing.T) {
	project, tree := place(t, `{"postSetupCommands":[{"command":"echo up; sleep 1000","continueOnError":true},{"command":"echo after > after","continueOnError":true}]}`)
	p := read(t, project, tree)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	up := writerFunc(func(b []byte) { cancel() })
	r := p.Run(ctx, hooks.Options{Env: os.Environ(), Out: up, Grace: 200 * time.Millisecond})
	if r.Commands[0].Detail != "interrupted" || r.Commands[1].Detail != "interrupted" || r.Commands[1].Status != hooks.Skipped {
		t.Errorf("%+v", r.Commands)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

// TestOutput: what commands write cannot act on a terminal, and cannot fill
// memory.
func TestOutput(t *testing.T) {
	project, tree := place(t, `{"postSetupCommands":[
		{"command": "printf 'a\\033[2Jb\\r50%%\\r100%%\\r\\nc\\342\\200\\256d\\377 no end'"},
		{"command": "head -c 5000000 /dev/zero | tr '\\0' 'x'; printf '\\nlast\\n'"}
	]}`)
	p := read(t, project, tree)
	r, out := run(t, &p)
	const want = "  | a⟨U+001B⟩[2Jb\n  | 50%\n  | 100%\n  | c⟨U+202E⟩d⟨0xFF⟩ no end\n"
	if !strings.HasPrefix(out, want) {
		t.Errorf("shown %.200q", out)
	}
	if len(out) > 1200<<10 || !strings.HasSuffix(out, "… the rest of the output is not shown\n") {
		t.Errorf("shown %d bytes, ending in %.80q", len(out), out[len(out)-60:])
	}
	if tail := r.Commands[1].Output; len(tail) != 8<<10 || !strings.HasSuffix(tail, "x\nlast\n") {
		t.Errorf("kept %d bytes", len(tail))
	}
	if r.Refused != nil || slices.ContainsFunc(r.Commands, func(c hooks.Result) bool { return c.Status == hooks.Failed }) {
		t.Errorf("%+v", r.Commands)
	}
}

// TestConfigFIFO: a FIFO or link in the place of config.json is not waited for.
func TestConfigFIFO(t *testing.T) {
	project, tree := place(t, "")
	mkdir(t, filepath.Join(project, ".agent"))
	if err := syscall.Mkfifo(filepath.Join(project, ".agent", "config.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := hooks.Read(project, tree, "linux"); err == nil {
		t.Error("read a FIFO")
	}
	other, _ := place(t, `{"postSetupCommands":[{"command":"x"}]}`)
	rename(t, filepath.Join(project, ".agent"), filepath.Join(project, "old"))
	symlink(t, filepath.Join(other, ".agent"), filepath.Join(project, ".agent"))
	if p, err := hooks.Read(project, tree, "linux"); err == nil || !p.Empty() {
		t.Errorf("read through a link: %+v", p)
	}
}
