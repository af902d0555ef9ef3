package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/ptytest"
)

// TestTerminal runs testdata/terminal: scripts of what a person sees on a terminal. A
// script runs a command on a terminal of its own by "exec terminal COLUMNS command args…".
// What the terminal shows is the output, and what is on stdin is typed. The pager is off
// where a script sets none: nobody would end it.
func TestTerminal(t *testing.T) {
	params := scriptParams()
	params.Dir = filepath.Join("..", "..", "testdata", "terminal")
	setup := params.Setup
	params.Setup = func(e *testscript.Env) error {
		e.Setenv("PAGER", "cat")
		return setup(e)
	}
	testscript.Run(t, params)
}

// terminalMain is the command terminal.
func terminalMain() {
	columns, err := strconv.ParseUint(os.Args[1], 10, 16)
	if err != nil {
		fatal(err)
	}
	typed, err := io.ReadAll(os.Stdin)
	if err != nil {
		fatal(err)
	}
	err = ptytest.Run(exec.Command(os.Args[2], os.Args[3:]...), uint16(columns), 24, string(typed), os.Stdout)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(125)
}
