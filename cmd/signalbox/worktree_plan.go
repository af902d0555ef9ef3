package main

import (
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/hooks"
)

// shortCommit is how much of a commit's id is shown.
const shortCommit = 12

// show shows what will be done, as it will be done.
func (a *addition) show() error {
	s := a.sheet()
	s.w.WriteString("This will be done:\n")
	s.row("worktree", "%s", a.plan.Path)
	commit := a.plan.Commit[:min(shortCommit, len(a.plan.Commit))]
	if a.plan.New {
		s.row("new branch", "%s, from %s (%s)", a.plan.Branch, a.plan.From, commit)
	} else {
		s.row("branch", "%s (%s)", a.plan.Branch, commit)
	}
	for _, hook := range a.plan.Hooks {
		if a.plan.GitHooks {
			s.row("git runs", "%s", hook)
		} else {
			s.row("git hook", "%s is not run (--git-hooks runs it)", hook)
		}
	}
	for _, program := range a.plan.Programs {
		s.row("git runs", "%s, on the files that ask for it", program)
	}
	for _, include := range a.plan.Includes {
		s.row("git reads", "%s, if that applies to the worktree, and may run what it names", include)
	}
	if a.plan.Partial {
		s.row("git fetch", "is off, although this clone is partial: what it lacks is an error")
	}
	s.row("thread", "%q, for the agent %s", a.title, a.agent)
	a.showHooks(s)
	return s.w.Flush()
}

func (a *addition) showHooks(s sheet) {
	p := &a.hooks
	switch {
	case a.hooksFault != nil:
		s.row("no hooks", "%v", a.hooksFault)
		return
	case a.noHooks:
		s.row("no hooks", "left out by --no-hooks")
		return
	case p.Empty():
		return
	}
	fmt.Fprintf(s.w, "By the hooks of\n")
	s.row("", "%s", p.File)
	for i := range p.Links {
		showLink(s, i, &p.Links[i])
	}
	for i := range p.Commands {
		showCommand(s, i, &p.Commands[i])
	}
	if p.Prompt != "" {
		s.row("first message", "from the user:")
		s.text(p.Prompt)
	}
	if len(p.Commands) > 0 {
		s.w.WriteString("Commands run in the worktree, with all that you may do.\n")
	}
}

func showLink(s sheet, i int, l *hooks.Link) {
	name := fmt.Sprintf("link %d", i+1)
	switch {
	case l.Problem != "":
		s.row(name, "is not made: %s", l.Problem)
	case l.TargetExists:
		s.row(name, "is not made: %s exists", l.Target)
	default:
		s.row(name, "%s -> %s", l.Target, l.Source)
	}
}

func showCommand(s sheet, i int, c *hooks.Command) {
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
	s.row(fmt.Sprintf("command %d", i+1), "%s", how)
	s.text(c.Text)
}

// madeTree says that the worktree is there.
func (a *addition) madeTree() {
	if a.json {
		out := object{w: a.out}
		out.text("worktree", a.tree.Path).text("branch", a.tree.Branch).text("commit", a.tree.Head).bool("new", a.plan.New).end()
		return
	}
	fmt.Fprintf(a.out, "worktree %s branch=%s\n", threadName(a.tree.Path), threadName(a.tree.Branch))
}

func (a *addition) madeThread() {
	if a.json {
		out := object{w: a.out}
		out.text("thread", a.thread).text("title", a.title).text("agent", a.agent).end()
	} else {
		fmt.Fprintf(a.out, "thread %s\n", threadName(a.thread))
	}
	// What comes next can take long.
	_ = a.out.Flush()
}

// ranHooks says what became of links and commands.
func (a *addition) ranHooks(r *hooks.Report) {
	if r.Refused != nil {
		a.warn("no hook was run: %v", r.Refused)
		a.hookLine("hooks", a.hooks.File, &hooks.Result{Status: hooks.Failed, Detail: r.Refused.Error()}, func(*object) {})
		return
	}
	for i := range r.Links {
		l := &a.hooks.Links[i]
		a.hookLine("link", l.Target, &r.Links[i], func(out *object) { out.text("source", l.Source) })
	}
	for i := range r.Commands {
		c, result := &a.hooks.Commands[i], &r.Commands[i]
		name := c.Name()
		if a.json {
			name = c.Text
		}
		a.hookLine("command", name, result, func(out *object) {
			out.text("label", c.Label).number("exit", int64(result.Exit)).number("ms", result.Elapsed.Milliseconds()).text("output", result.Output)
		})
	}
}

func (a *addition) recordedPrompt(err error) {
	result := hooks.Result{Status: hooks.Done}
	if err != nil {
		result = hooks.Result{Status: hooks.Failed, Detail: err.Error()}
	}
	a.hookLine("prompt", a.hooks.Prompt, &result, func(*object) {})
}

// hookLine writes the line of one hook. more adds what is its own.
func (a *addition) hookLine(kind, name string, r *hooks.Result, more func(*object)) {
	if a.json {
		out := object{w: a.out}
		more(out.text(kind, name).text("status", string(r.Status)).text("detail", r.Detail))
		out.end()
		return
	}
	fmt.Fprintf(a.out, "%s %s: %s", kind, r.Status, line(name))
	if r.Detail != "" {
		fmt.Fprintf(a.out, " (%s)", threadName(r.Detail))
	}
	a.out.WriteByte('\n')
}
