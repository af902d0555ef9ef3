package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

// The exit codes, as `signalbox help exit-codes` lists them.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
)

// failure is an error with an exit code. A nil err means that there is nothing left to print.
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

// ErrUnseen reports that nothing was marked as read because nobody sees the output.
var ErrUnseen = errors.New("run it again with an output: nothing is marked as read, because stdout is closed or dropped and nobody saw it")

// Usage returns the error for wrong arguments. It is returned before anything is written.
func Usage(err error) error { return &failure{code: ExitUsage, err: err} }

// WithExit returns an error with an exit code.
func WithExit(code int, err error) error { return &failure{code: code, err: err} }

// Silent returns an error that ends the process with a code and prints nothing.
func Silent(code int) error { return &failure{code: code} }

// failed returns err with an exit code, which is 1 unless err has one.
func failed(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	return &failure{code: ExitFailed, err: err}
}

// ExitCode returns the exit code for an error. silent is set if there is nothing to
// print: there was no error, it was printed already, or the reader closed the pipe.
// Errors without a code come from the flag parser: they are usage errors.
func ExitCode(err error) (code int, silent bool) {
	if err == nil {
		return ExitOK, true
	}
	if isBrokenPipe(err) {
		return ExitFailed, true
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.code, f.err == nil
	}
	return ExitUsage, false
}

// UnlessEnded returns err, or nil if ctx has ended.
func UnlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Action returns the RunE of a command. It refuses empty flags and gives errors their exit code.
func Action(do func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := emptyFlags(cmd); err != nil {
			return err
		}
		return failed(do(cmd, args))
	}
}
