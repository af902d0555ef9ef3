//go:build shells && linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/ptytest"
)

// shellFixture is a folder with mail, and a program that a shell completes.
type shellFixture struct {
	t    *testing.T
	home string
	env  []string
}

func newShellFixture(t *testing.T) *shellFixture {
	t.Helper()
	home, bin := t.TempDir(), os.Getenv("SIGNALBOX_BIN")
	if bin == "" {
		t.Fatal("SIGNALBOX_BIN names no program")
	}
	d := &shellFixture{t: t, home: home, env: []string{
		"HOME=" + home, "PATH=" + filepath.Dir(bin) + ":" + os.Getenv("PATH"), "AGENT_MESSAGE_DIR=" + filepath.Join(home, "msgs"),
		"SIGNALBOX_AS=bob", "TERM=dumb", "LC_ALL=C.UTF-8", "PS1=ready> ", "ZDOTDIR=" + home,
	}}
	d.write("msgs/log-alice.jsonl", `{"id": "59db5a478b3291ea", "ts": 1775000900, "from": "alice", "to": "bob", "thread": "t", "body": "Is the build green?"}
{"id": "59ff71f67f8a36fd", "ts": 1775000100, "from": "alice", "to": "bob", "thread": "t", "body": "`+"`touch pwned` $(touch pwned) 'x; \\u001b[31m"+`"}
`)
	return d
}

func (d *shellFixture) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// talk types keys into a shell on a terminal, each once the terminal showed the text
// before it, and returns all that it showed.
func (d *shellFixture) talk(shell []string, steps ...[2]string) string {
	d.t.Helper()
	keys, tty, err := ptytest.Open(200, 50)
	if err != nil {
		d.t.Fatal(err)
	}
	defer keys.Close()
	cmd := exec.Command(shell[0], shell[1:]...)
	cmd.Dir, cmd.Env = d.home, d.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = ptytest.Session()
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	tty.Close()
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	var shown bytes.Buffer
	buf, seen := make([]byte, 4096), 0
	for _, step := range steps {
		for {
			if at := strings.Index(shown.String()[seen:], step[0]); at >= 0 {
				seen += at + len(step[0])
				break
			}
			n, err := keys.Read(buf)
			shown.Write(buf[:n])
			if err != nil {
				d.t.Fatalf("%s ended before it showed %q:\n%s", shell[0], step[0], shown.String())
			}
		}
		if _, err := keys.WriteString(step[1]); err != nil {
			d.t.Fatal(err)
		}
	}
	for {
		n, err := keys.Read(buf)
		shown.Write(buf[:n])
		if err != nil {
			break
		}
	}
	_ = cmd.Wait() // it ends with what its last command ended with
	return shown.String()
}

// harmless holds that nothing of what a message says was run.
func (d *shellFixture) harmless() {
	d.t.Helper()
	if _, err := os.Stat(filepath.Join(d.home, "pwned")); err == nil {
		d.t.Error("a message was run as a command")
	}
}

func TestShellBash(t *testing.T) {
	d := newShellFixture(t)
	d.write("rc", "PS1='ready> '\nsource /usr/share/bash-completion/bash_completion\nsource <(signalbox completion bash)\nbind 'set enable-bracketed-paste off'\n")
	d.talk([]string{"bash", "--noprofile", "--rcfile", filepath.Join(d.home, "rc"), "-i"},
		[2]string{"ready> ", "signalbox cat 59\t\t"},
		[2]string{"59db5a478b3291ea", ""},
		[2]string{"(alice: Is the build green?)", "d\t\r"},
		[2]string{"message 59db5a478b3291ea", ""},
		[2]string{"ready> ", "signalbox send al\t hello\r"},
		[2]string{"sent bob→alice", "exit\r"})
	d.harmless()
}

func TestShellZsh(t *testing.T) {
	d := newShellFixture(t)
	d.write(".zshrc", "PS1='ready> '\nunsetopt zle_bracketed_paste\nzstyle ':completion:*' list-prompt ''\nautoload -Uz compinit && compinit -u\nsource <(signalbox completion zsh)\n")
	d.env = append(d.env, "TERM=xterm")
	d.talk([]string{"zsh", "-i"},
		[2]string{"ready> ", "signalbox cat 59\t\t"},
		[2]string{"alice: Is the build green?", "\x15signalbox cat 59d\t\r"},
		[2]string{"message 59db5a478b3291ea", ""},
		[2]string{"ready> ", "exit\r"})
	d.harmless()
}

// TestShellFish asks the shell's own engine, which needs no terminal.
func TestShellFish(t *testing.T) {
	d := newShellFixture(t)
	ask := func(line string) string {
		cmd := exec.Command("fish", "--no-config", "-c", fmt.Sprintf("signalbox completion fish | source; complete -C %q", line))
		cmd.Dir, cmd.Env = d.home, d.env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if got := ask("signalbox cat 59d"); got != "59db5a478b3291ea\talice: Is the build green?\n" {
		t.Errorf("cat: %q", got)
	}
	if got := ask("signalbox cat "); strings.Count(got, "\n") != 2 || strings.Contains(got, "\x1b") {
		t.Errorf("cat: %q", got)
	}
	if got := ask("signalbox send al"); got != "alice\n" {
		t.Errorf("send: %q", got)
	}
	d.harmless()
}

// TestShellMan holds that man and mandoc have nothing against the manual pages.
func TestShellMan(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Getenv("SIGNALBOX_BIN"), "man", dir)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1764000000")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 50 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	if out, err := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput(); err != nil {
		t.Errorf("mandoc: %v: %s", err, out)
	}
}
