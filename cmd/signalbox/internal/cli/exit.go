package cli

import (
	"context"
	"errors"
	"syscall"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/spf13/cobra"
)

// The exit codes, as `signalbox help exit-codes` lists them.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
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

// ErrUnseen is why nothing is marked as read where nobody sees the output.
var ErrUnseen = errors.New("nothing is marked as read: stdout is closed or dropped, and nobody saw it; run it again with an output")

// Usage marks an error of the caller's: nothing was written.
func Usage(err error) error { return &failure{code: ExitUsage, err: err} }

// WithExit returns an error that ends the process with a code of its own.
func WithExit(code int, err error) error { return &failure{code: code, err: err} }

// Silent ends the process with a code after everything was said.
func Silent(code int) error { return &failure{code: code} }

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
		return Usage(err)
	}
	return &failure{code: ExitFailed, err: err}
}

// ExitCode maps an error to the process's code. said tells that there is
// nothing left to say: no error, or a reader that closed the pipe, who knows.
// What is no failure comes from the flag parser, and so is the caller's.
func ExitCode(err error) (code int, said bool) {
	if err == nil {
		return ExitOK, true
	}
	if errors.Is(err, syscall.EPIPE) {
		return ExitFailed, true
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.code, f.err == nil
	}
	return ExitUsage, false
}

// UnlessEnded drops the error that the end of ctx is.
func UnlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Action returns a command's function. It refuses flags that were given empty, and
// its errors get their exit code.
func Action(do func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := emptyFlags(cmd); err != nil {
			return err
		}
		return failed(do(cmd, args))
	}
}
