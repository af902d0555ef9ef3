package main

import (
	"errors"
	"syscall"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The exit codes, as `signalbox help exit-codes` lists them.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// failure is an error that ends the process with a code of its own. A nil err
// means that everything has been said.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// errUnseen is why nothing is marked as read where nobody sees the output.
var errUnseen = errors.New("nothing is marked as read: stdout is closed or dropped, and nobody saw it; run it again with an output")

// usage marks an error of the caller's: nothing was written.
func usage(err error) error { return &failure{code: exitUsage, err: err} }

// silent ends the process with a code after everything was said.
func silent(code int) error { return &failure{code: code} }

// failed gives an error of a command's run its code: that of a broken alias
// rule is the caller's.
func failed(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	if f, ok := errors.AsType[*canon.Fault](err); ok && f.Rule == "L2" {
		return usage(err)
	}
	return &failure{code: exitFailed, err: err}
}

// exitCode maps an error to the process's code. said tells that there is
// nothing left to say: no error, or a reader that closed the pipe, who knows.
// What is no failure comes from the flag parser, and so is the caller's.
func exitCode(err error) (code int, said bool) {
	if err == nil {
		return exitOK, true
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed, true
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.code, f.err == nil
	}
	return exitUsage, false
}
