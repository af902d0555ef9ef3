package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/spf13/cobra"
)

func (t *talks) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "All threads of the project and its worktrees, by branch, the newest first",
		Long: `List the threads of the project and of all its git worktrees, by branch. Those of
a worktree that was removed stay listed, as gone. A thread whose thread.json
cannot be read is listed with what is wrong.`,
		Args: cobra.NoArgs,
		RunE: action(func(cmd *cobra.Command, _ []string) error {
			if err := given(cmd); err != nil {
				return err
			}
			return t.list(cmd.Context())
		}),
	}
}

func (t *talks) list(ctx context.Context) error {
	snap, err := t.scan(ctx)
	if err != nil {
		return err
	}
	byFolder := make(map[string][]*threads.Item)
	for _, item := range snap.Items {
		byFolder[item.Folder] = append(byFolder[item.Folder], item)
	}
	l := &talkList{w: t.writer(), paint: t.paint()}
	t.problems(snap.Problems)
	for i := range snap.Folders {
		f := &snap.Folders[i]
		t.problems(f.Problems)
		if f.Err != nil && len(f.Problems) == 0 {
			t.warn("%s: %v", f.Path, f.Err)
		}
		if len(byFolder[f.ID]) == 0 {
			continue
		}
		if !t.json {
			l.folder(f)
		}
		for _, item := range byFolder[f.ID] {
			if t.json {
				l.object(f, item)
			} else {
				l.item(item)
			}
		}
	}
	if len(snap.Items) == 0 && !t.json {
		l.w.WriteString("no threads\n")
	}
	return l.w.Flush()
}

func (t *talks) problems(list []threads.Problem) {
	for _, p := range list {
		text := p.Reason
		if p.Path != "" {
			text = p.Path + " " + text
		}
		if p.Rule != "" {
			text += " (" + p.Rule + ")"
		}
		t.warn("%s", text)
	}
}

// talkList writes threads as lists show them.
type talkList struct {
	w     *bufio.Writer
	paint paint
	begun bool
}

// folder begins the threads of a folder.
func (l *talkList) folder(f *threads.Folder) {
	if l.begun {
		l.w.WriteByte('\n')
	}
	l.begun = true
	name := "folder"
	switch {
	case f.Branch != "":
		name = line(f.Branch)
	case f.Repository != "" || f.Git:
		name = "(detached)"
	}
	l.w.WriteString(l.paint.in(bold, name) + "  " + line(f.Path))
	switch {
	case f.Gone && f.Archived:
		l.w.WriteString("  [gone, archived]")
	case f.Gone:
		l.w.WriteString("  [gone]")
	case f.Main:
		l.w.WriteString("  [main checkout]")
	case f.Git:
		l.w.WriteString("  [worktree]")
	}
	l.w.WriteByte('\n')
}

// item writes one thread.
func (l *talkList) item(item *threads.Item) {
	th := &item.Thread
	fmt.Fprintf(l.w, "  %s  %s  ", threadName(item.Name), time.UnixMilli(item.Updated).Format("2006-01-02 15:04"))
	if item.Fault != nil {
		l.w.WriteString(l.paint.in(red, "cannot be read: ") + line(faultText(item.Fault)))
	} else {
		agent := th.Agent.Name
		if agent == "" {
			agent = th.Agent.ID
		}
		fmt.Fprintf(l.w, "%s  %s", line(agent), plural(int(th.Stats.Messages), "message"))
		if n := th.Stats.ToolCalls; n > 0 {
			l.w.WriteString(", " + plural(int(n), "tool call"))
		}
		l.w.WriteString("  " + line(th.Title))
	}
	if item.Odd != nil {
		fmt.Fprintf(l.w, "  [threadId is %s]", line(th.ID))
	}
	if n := len(th.Faults); n > 0 {
		l.w.WriteString("  [" + plural(n, "fault") + "]")
	}
	if item.Gone {
		l.w.WriteString("  [gone]")
	}
	l.w.WriteByte('\n')
}

// object writes one thread as --json documents it.
func (l *talkList) object(f *threads.Folder, item *threads.Item) {
	th := &item.Thread
	o := object{w: l.w}
	o.text("id", item.Name).text("threadId", th.ID).text("title", th.Title)
	o.text("agent", th.Agent.ID).text("agentName", th.Agent.Name)
	o.text("createdAt", timeText(th.Created)).text("updatedAt", timeText(th.Updated)).number("updated", item.Updated)
	o.number("messages", th.Stats.Messages).number("userMessages", th.Stats.User)
	o.number("agentMessages", th.Stats.Agent).number("toolCalls", th.Stats.ToolCalls)
	o.text("parentThreadId", th.ParentID).text("folder", f.Path).text("branch", f.Branch)
	o.bool("main", f.Main).bool("gone", item.Gone).text("path", threadPath(f.Path, item.Name))
	rule, fault := ruleOf(item.Fault), ""
	if item.Fault != nil {
		fault = faultText(item.Fault)
	}
	o.text("rule", rule).text("fault", fault).end()
}

// timeText gives a time as new files write it, or what the file says where that
// is none.
func timeText(at atsf.Time) string {
	if at.OK {
		return atsf.FormatTime(at.Millis)
	}
	return at.Text
}

// ruleOf is the rule that an error names, if it does.
func ruleOf(err error) string {
	if f, ok := errors.AsType[*canon.Fault](err); ok {
		return f.Rule
	}
	return ""
}

func faultText(err error) string {
	if f, ok := errors.AsType[*canon.Fault](err); ok {
		return f.Error()
	}
	return err.Error()
}
