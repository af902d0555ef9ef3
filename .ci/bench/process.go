package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// sample is what one run took: the time, and the peak resident memory of the process, in
// bytes, or 0 where it is not known.
type sample struct {
	took time.Duration
	peak int64
}

// measure runs something once. What it does before and after the time that it returns is
// not counted.
type measure func() (sample, error)

// process is a program that is run from start to exit.
type process struct {
	args []string
	env  []string
	dir  string
	in   string
	// piped says that somebody reads what it writes: output that nobody reads marks no mail.
	// Else it goes to the null device, which costs a program least.
	piped bool
	// silent says that it may write nothing.
	silent bool
	exit   int
	before func() error
}

func (p process) run() (sample, error) {
	if p.before != nil {
		if err := p.before(); err != nil {
			return sample{}, err
		}
	}
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Env, cmd.Dir = p.env, p.dir
	cmd.Stdin = strings.NewReader(p.in)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	var wrote counter
	if p.piped {
		cmd.Stdout = &wrote
	}
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return sample{}, err
	}
	if code := cmd.ProcessState.ExitCode(); code != p.exit || p.silent && wrote > 0 {
		return sample{}, fmt.Errorf("%s: exit %d in place of %d, %d bytes written: %s", strings.Join(p.args[:min(len(p.args), 8)], " "), code, p.exit, wrote, errs.String())
	}
	return sample{took, peakOf(cmd)}, nil
}

// peakOf is the most memory that an ended process had. What the parent had when it started
// the process counts too, so this program stays small.
func peakOf(cmd *exec.Cmd) int64 {
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss * 1024
}

type counter int64

var _ io.Writer = (*counter)(nil)

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
