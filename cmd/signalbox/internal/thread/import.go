package thread

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
	"github.com/spf13/cobra"
)

func (t *commands) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import <session>",
		Short: "Write a session of an agent's program as a thread, and print its id",
		Long: `Write a session that Claude Code, Codex, Gemini CLI or Copilot CLI recorded as a
thread into .agent of the checkout that contains the working directory, or of the
--project, for tools that read ATSF. The program's own file stays as it is. Images
become files in assets/.

What ATSF cannot hold is said at the end: notes and messages between agents become
text, links to subagents are left out. Keys and tokens of known shapes are masked.`,
		Example: `  signalbox threads list
  signalbox threads import d1b4364c`,
		Args:              cli.Args(1, 1),
		ValidArgsFunction: cli.Completing(1, t.offerSessions),
		RunE: t.Working("importing", func(cmd *cobra.Command, args []string) error {
			snap, it, err := t.session(cmd.Context(), args[0], false)
			if err == nil && it == nil {
				err = fmt.Errorf("threads: import: there is no session %q of this project", args[0])
			}
			if err != nil {
				return err
			}
			return t.importSession(cmd.Context(), snap, it)
		}),
	}
}

// importer writes a session as a thread.
type importer struct {
	dir  *threads.Dir
	name string
	last atsf.Time
	ids  map[string]bool
	lost losses
}

// losses count what ATSF cannot hold.
type losses struct{ gaps, notes, senders, subagents, images int }

func (t *commands) importSession(ctx context.Context, snap *transcript.Snapshot, it *transcript.Item) error {
	folder, tree, err := t.place()
	if err != nil {
		return err
	}
	dir, err := threads.CreateDir(folder, CreatedBy(t.Options))
	if err != nil {
		return err
	}
	defer dir.Close()
	in := &importer{dir: dir, ids: make(map[string]bool), last: session.Time(cmp.Or(it.Begun, it.Updated))}
	in.name, err = dir.Create(ctx, threads.NewThread{
		Title: cmp.Or(sessionTitle(it), it.Name), Created: it.Begun,
		Agent:   atsf.Agent{ID: it.Format.Client, Name: cmp.Or(it.Facts.Name, it.Format.Title), Version: it.Version},
		Context: atsf.Context{WorkingDir: folder, RelativeDir: ".", GitBranch: cmp.Or(it.Branch, tree.Branch), GitCommit: tree.Head},
	})
	if err != nil {
		return err
	}
	for q := (transcript.Query{At: "0", Limit: threads.MaxLimit}); ; {
		page, err := snap.Page(ctx, it.Key(), q)
		if err != nil {
			return err
		}
		for i := range page.Messages {
			if err := in.add(ctx, &page.Messages[i]); err != nil {
				return fmt.Errorf("the message at byte %d of %q, after which thread %s ends: %w", page.Messages[i].Offset, it.File, in.name, err)
			}
		}
		if page.After == "" {
			break
		}
		q = transcript.Query{After: page.After, Limit: threads.MaxLimit}
	}
	in.lost.tell(t.Options)
	return t.Result(printed.Imported{
		ID: in.name, Path: threadPath(dir.Folder(), in.name), Client: it.Format.Client, Session: it.ID, File: it.File,
	}, "%s", in.name)
}

// add writes one message.
func (in *importer) add(ctx context.Context, m *session.Message) error {
	if m.Gap != "" {
		in.lost.gaps++
		return nil
	}
	m.Mask()
	in.lost.count(m)
	out := m.ATSF()
	if len(out.Content) == 0 {
		return nil
	}
	if !out.Time.OK || out.Time.Millis < in.last.Millis {
		out.Time = in.last // a log is in the order of time
	}
	in.last = out.Time
	if out.ID == "" || in.ids[out.ID] {
		out.ID = threads.NewID()
	}
	in.ids[out.ID] = true
	if err := in.images(ctx, &out); err != nil {
		return err
	}
	return in.dir.Append(ctx, in.name, out)
}

// images moves the images of a message to assets/. One that is no image that ATSF may hold
// becomes a line of text.
func (in *importer) images(ctx context.Context, m *atsf.Message) error {
	for i := range m.Content {
		b := &m.Content[i]
		if b.Inline == nil {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(string(b.Inline[1 : len(b.Inline)-1]))
		if err == nil {
			var block atsf.Block
			if block, err = in.dir.Attach(ctx, in.name, data); err == nil {
				*b = block
				continue
			}
			if _, fault := errors.AsType[*threads.StaleError](err); fault {
				return err
			}
		}
		in.lost.images++
		*b = atsf.Block{Type: atsf.TypeText, Known: true, Text: "[an image that could not be taken over: " + b.MimeType + "]"}
	}
	return nil
}

func (l *losses) count(m *session.Message) {
	if m.From != "" || m.To != "" {
		l.senders++
	}
	l.subagents += len(m.Started)
	for i := range m.Content {
		if m.Content[i].Type == session.TypeNote {
			l.notes++
		}
	}
}

// tell says what ATSF could not hold.
func (l *losses) tell(o *cli.Options) {
	for _, n := range []struct {
		count int
		what  string
		now   string
	}{
		{l.gaps, "line", "could not be read and left out"},
		{l.notes, "note", "written as text"},
		{l.senders, "message", "from one agent to another: written with sender and receiver as text"},
		{l.subagents, "link", "to a subagent's session: left out"},
		{l.images, "image", "could not be taken over"},
	} {
		if n.count > 0 {
			o.Warn("%s: %s", cli.Plural(n.count, n.what), n.now)
		}
	}
}
