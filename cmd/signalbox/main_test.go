package main

import (
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/mail"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"golang.org/x/text/width"
)

func TestMain(m *testing.M) {
	if _, ok := mail.DropInName(os.Args[0]); ok {
		// By a name that a script gave it.
		main()
	}
	testscript.Main(m, map[string]func(){
		"signalbox":         checkedMain,
		"agent-message-cmd": main,
		"terminal":          terminalMain,
	})
}

// TestScripts runs testdata/cli: one script for each command or rule. Each
// starts with the reader bob, the directory $WORK/msgs, and UTC.
func TestScripts(t *testing.T) {
	testscript.Run(t, scriptParams())
}

func scriptParams() testscript.Params {
	return testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "cli"),
		RequireExplicitExec: true,
		Setup:               setupScript,
		Condition: func(cond string) (bool, error) {
			return cond == "root" && os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"execrc":    execCode,
			"linkself":  linkSelf,
			"chop":      chop,
			"copytree":  copyTree,
			"fits":      fits,
			"swap":      swap,
			"repeat":    repeat,
			"setmember": setMember,
			"same":      same,
			"mode":      holdMode,
			"nosecret":  noSecret,
			"clientbox": clientBox,
			"rawbytes":  rawBytes,
			"talk":      talkTo,
			"waits":     waitFor,
		},
	}
}

func setupScript(e *testscript.Env) error {
	e.Setenv("TZ", "UTC")
	e.Setenv("SIGNALBOX_AS", "bob")
	e.Setenv(checkSchemas, "1")
	e.Setenv(testProcess, strconv.Itoa(os.Getpid()))
	e.Setenv("SIGNALBOX_STATE_DIR", filepath.Join(e.WorkDir, "state"))
	e.Setenv("AGENT_MESSAGE_DIR", filepath.Join(e.WorkDir, "msgs"))
	fixtures, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		return err
	}
	e.Setenv("ATSF", filepath.Join(fixtures, "atsf"))
	e.Setenv("AGN", filepath.Join(fixtures, "agn"))
	e.Setenv("AMP", filepath.Join(fixtures, "amp"))
	for name, text := range map[string]string{
		"long.txt":   strings.Repeat("é", 65537) + "\n",
		"latin1.txt": "caf\xe9\n",
		"crlf.txt":   "windows\r\ntext\r\n",
	} {
		if err := os.WriteFile(filepath.Join(e.WorkDir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// execCode is exec for an exit code that is not 0: ! execrc CODE command args.
// The script goes on only if the code is that one.
func execCode(ts *testscript.TestScript, neg bool, args []string) {
	if !neg || len(args) < 2 {
		ts.Fatalf("usage: ! execrc code command [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != want {
		ts.Fatalf("%v: %v, want exit status %d", args[1:], err, want)
	}
}

// waitFor waits until so many requests of agents' programs wait: waits number.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waits number")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	came := make(chan struct{}, 100)
	l := ask.Open(ask.At(ts.Getenv("SIGNALBOX_STATE_DIR")), slog.New(slog.DiscardHandler), func() { came <- struct{}{} })
	defer l.Close()
	for range came {
		if len(l.Now().List) == want {
			return
		}
	}
}

// linkSelf makes a symbolic link to the program under test.
func linkSelf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: linkself path")
	}
	path, err := exec.LookPath("agent-message-cmd")
	ts.Check(err)
	ts.Check(os.Symlink(path, ts.MkAbs(args[0])))
}

// chop cuts off a file's last line end, which a txtar file always has: what is
// left is a torn line.
func chop(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: chop file")
	}
	text := strings.TrimSuffix(ts.ReadFile(args[0]), "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// copyTree copies a directory, so that a script may write to it.
func copyTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: copytree from to")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// fits holds that no line of a file is wider than a number of columns, and that there are
// no more lines than may be: fits file columns [lines]. Wide characters take two columns.
func fits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: fits file columns [lines]")
	}
	most, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := ts.ReadFile(args[0])
	if len(args) == 3 {
		lines, err := strconv.Atoi(args[2])
		ts.Check(err)
		if n := strings.Count(text, "\n"); n > lines {
			ts.Fatalf("%d lines, want at most %d:\n%s", n, lines, text)
		}
	}
	if text == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for l := range strings.Lines(text) {
		columns := 0
		for _, r := range strings.TrimSuffix(l, "\n") {
			columns++
			if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
				columns++
			}
		}
		if columns > most {
			ts.Fatalf("%d columns: %s", columns, l)
		}
	}
}
