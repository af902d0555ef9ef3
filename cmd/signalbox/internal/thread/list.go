package thread

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/spf13/cobra"
)

func (t *commands) listCommand() *cobra.Command {
	var f cli.Filter
	all := false
	cmd := &cobra.Command{
		Use: "list",
		Example: `  signalbox threads list
  signalbox threads list --from codex --since 2d
  signalbox threads list --project ../shop --json
  signalbox threads list --all`,
		Short: "All threads of the project and its worktrees, by branch, the newest first",
		Long: `List the threads of the project and of all its git worktrees, by branch. The
threads of a removed worktree stay listed, marked "worktree removed", also when the
repository was moved or renamed. A thread whose thread.json cannot be read is listed
with the reason. The sessions that agents' programs recorded follow the threads of
their branch, with their state. --all lists every repository on this machine, and the
sessions that wait for you first.`,
		Args: cobra.NoArgs,
		RunE: t.Working("reading threads", func(cmd *cobra.Command, _ []string) error {
			if err := f.Read(t.Options, cmd); err != nil {
				return err
			}
			return t.list(cmd.Context(), &f, all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "of all repositories on this machine, those that wait first")
	f.Register(cmd, "from", "thread", "since", "until")
	return t.Page(cmd)
}

// listMemory is the soft memory limit of a list, in bytes: reading 20,000 sessions for the
// first time leaves much garbage.
const listMemory = 96 << 20

func (t *commands) list(ctx context.Context, f *cli.Filter, all bool) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(listMemory))
	recorded, err := t.sessions(ctx, all)
	if err != nil {
		return err
	}
	folders := []string{t.folder()}
	if all {
		folders = checkouts(recorded)
	}
	threads, err := t.at().Threads(ctx, folders...)
	if err != nil {
		return err
	}
	talks := slices.Concat(threads.Talks, recorded.Talks)
	chosen, total := choose(talks, f)
	w := t.Writer()
	l := &talkList{w: w, paint: t.Paint()}
	if t.OnScreen() {
		l.onScreen(t.Options, talks)
	}
	t.problems(threads.Problems)
	for i := range threads.Folders {
		if f := &threads.Folders[i]; f.Err != nil && len(f.Problems) == 0 {
			t.Warn("%s: %v", f.Path, f.Err)
		}
	}
	for _, part := range chosen.parts(all) {
		for _, folder := range part.order(threads.Folders, recorded.Folders, all) {
			l.of(folder, part.talks[folder.ID], t.JSON)
		}
	}
	if l.table != nil {
		l.table.Write()
	}
	if total == 0 && !t.JSON {
		w.WriteString("no threads\n")
	}
	f.More(t.Options, w, chosen.n, total, "thread")
	return w.Flush()
}

func (t *commands) problems(list []talk.Problem) {
	for _, p := range list {
		t.Warn("%s", cli.ProblemText(p.Path, p.Reason, "", p.Rule))
	}
}

// talkList writes a list of threads and sessions.
type talkList struct {
	w     *bufio.Writer
	paint cli.Paint
	begun bool
	gone  bool // the current folder was removed
	// table is set on a screen.
	table *cli.Table
	short func(name string) string
	when  func(millis int64) string
}

// of writes the heading, threads and sessions of a folder, if it has any.
func (l *talkList) of(f *talk.Folder, list []*talk.Talk, json bool) {
	if len(list) > 0 && !json {
		l.folder(f)
	}
	l.gone = f.Gone && f.Repository != ""
	if l.table != nil && !json {
		l.rows(list)
		return
	}
	for _, it := range list {
		switch {
		case json && it.Thread != nil:
			l.object(f, it)
		case json:
			l.sessionObject(f, it)
		case it.Thread != nil:
			l.item(it)
		default:
			l.session(it)
		}
	}
}

// folder writes the heading of a folder.
func (l *talkList) folder(f *talk.Folder) {
	name := "folder"
	switch {
	case f.Branch != "":
		name = cli.Line(f.Branch)
	case f.Bare:
		name = "(bare repository)"
	case f.Head != "":
		name = "(detached)"
	case f.Repository != "" || f.Git:
		name = "(branch not known)"
	}
	kind := ""
	switch {
	case f.Gone && f.Repository != "":
		kind = "  [worktree removed]"
	case f.Gone:
		kind = "  [gone]"
	case f.Bare:
	case f.Main:
		kind = "  [main checkout]"
	case f.Git:
		kind = "  [worktree]"
	}
	if l.table != nil {
		if l.begun {
			l.table.Line()
		}
		l.table.Line(cli.Cell{Text: name, Style: cli.Bold}, cli.Cell{Text: cli.Line(f.Path) + kind, Style: cli.Dim})
	} else {
		if l.begun {
			l.w.WriteByte('\n')
		}
		l.w.WriteString(l.paint.In(cli.Bold, name) + "  " + cli.Line(f.Path) + kind + "\n")
	}
	l.begun = true
}

// item writes one thread.
func (l *talkList) item(it *talk.Talk) {
	item := it.Thread
	th := &item.Thread
	fmt.Fprintf(l.w, "  %s  %s  ", cli.WholeLine(item.Name), cli.Minute(item.Updated))
	if item.Fault != nil {
		l.w.WriteString(l.paint.In(cli.Red, "cannot be read: ") + cli.Line(faultText(item.Fault)))
	} else {
		fmt.Fprintf(l.w, "%s  %s", cli.Line(it.Agent), cli.Plural(int(th.Stats.Messages), "message"))
		if n := th.Stats.ToolCalls; n > 0 {
			l.w.WriteString(", " + cli.Plural(int(n), "tool call"))
		}
		l.w.WriteString("  " + cli.Line(th.Title))
	}
	if item.Odd != nil {
		fmt.Fprintf(l.w, "  [threadId is %s]", cli.Line(th.ID))
	}
	if n := len(th.Faults); n > 0 {
		l.w.WriteString("  [" + cli.Plural(n, "fault") + "]")
	}
	if item.Gone && l.gone {
		l.w.WriteString("  [worktree removed]")
	} else if item.Gone {
		l.w.WriteString("  [gone]")
	}
	l.w.WriteByte('\n')
}

// object writes one thread as JSON.
func (l *talkList) object(f *talk.Folder, it *talk.Talk) {
	item := it.Thread
	th := &item.Thread
	fault := ""
	if item.Fault != nil {
		fault = faultText(item.Fault)
	}
	_ = cli.Print(l.w, printed.Thread{ // Flush returns the error
		ID: item.Name, ThreadID: th.ID, Title: th.Title, Agent: th.Agent.ID, AgentName: th.Agent.Name,
		Time: item.Updated, Created: th.Created.Millis,
		Messages: th.Stats.Messages, UserMessages: th.Stats.User, AgentMessages: th.Stats.Agent, ToolCalls: th.Stats.ToolCalls,
		Parent: th.ParentID, Worktree: f.Path, Branch: f.Branch, Main: f.Main, Gone: item.Gone, File: talk.File(f.Path, item.Name), Rule: ruleOf(item.Fault), Reason: fault,
	})
}

// ruleOf returns the rule that an error is about, or "".
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
