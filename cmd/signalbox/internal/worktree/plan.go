package worktree

import (
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/lsp/hooks"
)

// shortCommit is how many characters of a commit's id are shown.
const shortCommit = 12

// show lists everything that will be done.
func (a *addition) show() error {
	s := a.Sheet()
	s.W.WriteString("This will be done:\n")
	s.Row("worktree", "%s", a.plan.Path)
	commit := a.plan.Commit[:min(shortCommit, len(a.plan.Commit))]
	if a.plan.New {
		s.Row("new branch", "%s, from %s (%s)", a.plan.Branch, a.plan.From, commit)
	} else {
		s.Row("branch", "%s (%s)", a.plan.Branch, commit)
	}
	for _, hook := range a.plan.Hooks {
		if a.plan.GitHooks {
			s.Row("git runs", "%s", hook)
		} else {
			s.Row("git hook", "%s is not run (--git-hooks runs it)", hook)
		}
	}
	for _, program := range a.plan.Programs {
		s.Row("git runs", "%s, on the files that ask for it", program)
	}
	for _, include := range a.plan.Includes {
		s.Row("git reads", "%s, if that applies to the worktree, and may run what it names", include)
	}
	if a.plan.Partial {
		s.Row("git fetch", "is off, although this clone is partial: what it lacks is an error")
	}
	s.Row("thread", "%q, for the agent %s", a.title, a.agent)
	a.showHooks(s)
	a.showStart(s)
	return s.W.Flush()
}

func (a *addition) showHooks(s cli.Sheet) {
	p := &a.hooks
	switch {
	case a.hooksFault != nil:
		s.Row("no hooks", "%v", a.hooksFault)
		return
	case a.noHooks:
		s.Row("no hooks", "left out by --no-hooks")
		return
	case p.Empty():
		return
	}
	fmt.Fprintf(s.W, "By the hooks of\n")
	s.Row("", "%s", p.File)
	for i := range p.Links {
		showLink(s, i, &p.Links[i])
	}
	for i := range p.Commands {
		showCommand(s, i, &p.Commands[i])
	}
	if p.Prompt != "" && a.start.promptFile == "" {
		s.Row("first message", "from the user:")
		s.Text(p.Prompt)
	}
	if len(p.Commands) > 0 {
		s.W.WriteString("Commands run in the worktree, with all that you may do.\n")
	}
}

// showStart lists which program is started, and with which first message.
func (a *addition) showStart(s cli.Sheet) {
	if !a.start.wanted {
		return
	}
	s.W.WriteString("Then, in this terminal:\n")
	if a.start.promptFile != "" {
		s.Row("first message", "from the user:")
		s.Text(a.prompt)
	}
	switch _, prompted := a.argv(); {
	case prompted:
		s.Row("agent", "%s is started with the first message", a.start.program)
	case a.prompt != "":
		s.Row("agent", "%s is started; it takes no first message, which is in the thread", a.start.program)
	default:
		s.Row("agent", "%s is started", a.start.program)
	}
}

func showLink(s cli.Sheet, i int, l *hooks.Link) {
	name := fmt.Sprintf("link %d", i+1)
	switch {
	case l.Problem != "":
		s.Row(name, "is not made: %s", l.Problem)
	case l.TargetExists:
		s.Row(name, "is not made: %s exists", l.Target)
	default:
		s.Row(name, "%s -> %s", l.Target, l.Source)
	}
}

func showCommand(s cli.Sheet, i int, c *hooks.Command) {
	how := fmt.Sprintf("at most %v", c.Timeout.Round(time.Millisecond))
	switch {
	case c.Problem != "":
		how = "is not run: " + c.Problem
	case c.Other:
		how = "is not run: not for this system"
	case c.ContinueOnError:
		how += ", may fail"
	}
	if c.Label != "" {
		how += ": " + c.Label
	}
	s.Row(fmt.Sprintf("command %d", i+1), "%s", how)
	s.Text(c.Text)
}

// madeTree prints the path of the new worktree.
func (a *addition) madeTree() {
	a.Row(a.out, printed.NewWorktree{Worktree: a.tree.Path, Branch: a.tree.Branch, Commit: a.tree.Head, New: a.plan.New}, "worktree %s branch=%s", cli.WholeLine(a.tree.Path), cli.WholeLine(a.tree.Branch))
}

func (a *addition) madeThread(name string) {
	a.Row(a.out, printed.WorktreeThread{Thread: name, Title: a.title, Agent: a.agent}, "thread %s", cli.WholeLine(name))
	// The hooks, which come next, can take long.
	_ = a.out.Flush()
}

// ranHooks prints the results of links and commands.
func (a *addition) ranHooks(r *hooks.Report) {
	if r.Refused != nil {
		a.Warn("no hook was run: %v", r.Refused)
		a.hookLine("hooks", a.hooks.File, &hooks.Result{Status: hooks.Failed, Detail: r.Refused.Error()}, printed.RanHook{Hooks: a.hooks.File})
		return
	}
	for i := range r.Links {
		l := &a.hooks.Links[i]
		a.hookLine("link", l.Target, &r.Links[i], printed.RanHook{Link: l.Target, Source: l.Source})
	}
	for i := range r.Commands {
		c, result := &a.hooks.Commands[i], &r.Commands[i]
		took := result.Elapsed.Milliseconds()
		a.hookLine("command", c.Name(), result, printed.RanHook{Command: c.Text, Label: &c.Label, Exit: &result.Exit, Took: &took, Output: &result.Output})
	}
}

func (a *addition) recordedPrompt(err error) {
	result := hooks.Result{Status: hooks.Done}
	if err != nil {
		result = hooks.Result{Status: hooks.Failed, Detail: err.Error()}
	}
	a.hookLine("prompt", a.prompt, &result, printed.RanHook{Prompt: a.prompt})
}

// hookLine writes the line of one hook. ran holds the members that only this kind of hook has.
func (a *addition) hookLine(kind, name string, r *hooks.Result, ran printed.RanHook) {
	detail := ""
	if r.Detail != "" {
		detail = " (" + cli.WholeLine(r.Detail) + ")"
	}
	ran.Status, ran.Detail = string(r.Status), r.Detail
	a.Row(a.out, ran, "%s %s: %s%s", kind, r.Status, cli.Line(name), detail)
}
