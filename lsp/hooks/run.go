package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Status is the result of a hook, in a word.
type Status string

// The values of a Status.
const (
	Done    Status = "done"
	Skipped Status = "skipped"
	Failed  Status = "failed"
)

// Result is the result of a link or command. Its texts may quote what strangers wrote.
type Result struct {
	Status Status
	// Detail is a lower-case phrase: how it was done, or why not.
	Detail string
	// Exit is the exit code of a command, or -1. Output is the end of its output, at most 8
	// KiB and not made safe.
	Exit    int
	Output  string
	Elapsed time.Duration
}

// Report holds the results of a plan, in its order. Nothing in it is fatal to the worktree or
// the thread (rule H6).
type Report struct {
	// Refused is why nothing was run at all: the config.json has changed.
	Refused  error
	Links    []Result
	Commands []Result
}

// Options say how a plan is run.
type Options struct {
	// Env is the environment of the commands, as from [os.Environ]. Only PWD is added to it.
	Env []string
	// Out gets the output of the commands, made safe for a terminal. nil drops it.
	Out io.Writer
	// Before is called before a command runs, with its index in the plan. It may be nil.
	Before func(i int)
	// Grace is how long processes may take to end after they were asked to, before they are
	// killed. 0 means 2 s.
	Grace time.Duration
}

// Run carries out the plan in the worktree, which must exist: links, then commands, one after
// the other. It refuses if the config.json has changed since it was shown. The caller writes
// the prompt into the thread.
func (p *Plan) Run(ctx context.Context, o Options) Report {
	var r Report
	if r.Refused = p.Changed(); r.Refused != nil {
		return r
	}
	for i := range p.Links {
		r.Links = append(r.Links, p.linked(&p.Links[i]))
	}
	stop := ""
	for i := range p.Commands {
		c := &p.Commands[i]
		switch {
		case ctx.Err() != nil:
			r.Commands = append(r.Commands, Result{Status: Skipped, Detail: "interrupted", Exit: -1})
			continue
		case stop != "":
			r.Commands = append(r.Commands, Result{Status: Skipped, Detail: stop, Exit: -1})
			continue
		case c.Other:
			r.Commands = append(r.Commands, Result{Status: Skipped, Detail: "not for this system", Exit: -1})
			continue
		}
		if o.Before != nil {
			o.Before(i)
		}
		result := p.command(ctx, c, &o)
		r.Commands = append(r.Commands, result)
		if result.Status == Failed && !c.ContinueOnError {
			stop = fmt.Sprintf("command %d failed", i+1)
		}
	}
	return r
}

func (p *Plan) linked(l *Link) Result {
	how, skipped, err := p.link(l)
	switch {
	case err != nil:
		return Result{Status: Failed, Detail: err.Error(), Exit: -1}
	case skipped != "":
		return Result{Status: Skipped, Detail: skipped, Exit: -1}
	}
	return Result{Status: Done, Detail: how, Exit: -1}
}

// command runs one command to its end (rule H4).
func (p *Plan) command(ctx context.Context, c *Command, o *Options) Result {
	if c.Problem != "" {
		return Result{Status: Failed, Detail: c.Problem, Exit: -1}
	}
	grace := o.Grace
	if grace == 0 {
		grace = 2 * time.Second
	}
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	out := output{to: o.Out}
	cmd := shell(limited, c.Text)
	cmd.Dir = p.Worktree
	cmd.Env = append(o.Env[:len(o.Env):len(o.Env)], "PWD="+p.Worktree)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = grace
	g := newGroup(cmd)
	start := time.Now()
	late, left := false, false
	err := cmd.Start()
	if err == nil {
		g.started()
		err = cmd.Wait()
		late = limited.Err() != nil
		// The shell has ended, but its children may still run.
		if late || errors.Is(err, exec.ErrWaitDelay) {
			left = g.end(grace)
		}
		g.close()
	}
	out.flush()
	r := Result{Status: Done, Exit: -1, Output: string(out.tail), Elapsed: time.Since(start)}
	if cmd.ProcessState != nil {
		r.Exit = cmd.ProcessState.ExitCode()
	}
	switch {
	case err != nil && late && ctx.Err() != nil:
		r.Status, r.Detail = Failed, "interrupted"
	case err != nil && late:
		r.Status, r.Detail = Failed, fmt.Sprintf("timed out after %v", c.Timeout)
	case errors.Is(err, exec.ErrWaitDelay) && r.Exit == 0 && left:
		r.Detail = "what it left running was ended"
	case errors.Is(err, exec.ErrWaitDelay) && r.Exit == 0:
		r.Detail = "what it left running was not ended: it has left the command's process group"
	case err != nil:
		r.Status, r.Detail = Failed, err.Error()
	}
	return r
}
