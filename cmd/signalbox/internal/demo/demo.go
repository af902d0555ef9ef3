// Package demo writes a sample of every format, and shows it as the commands do.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/spf13/cobra"
)

const (
	// reader is the alias that the sample's mail is for.
	reader = "dev"
	// The folders of a demo, beside the logs of its message directory.
	projectFolder = "project"
	tasksFolder   = "project/.ssot"
	boxesFolder   = "mail"
)

// Command returns the command demo, which writes sample mail and shows its inbox.
func Command(o *cli.Options, run cli.Runner) *cobra.Command {
	var now string
	cmd := &cobra.Command{
		Use:         "demo [DIR]",
		Annotations: cli.Uses("dir", "color"),
		Example: `  signalbox demo
  signalbox demo /tmp/mail`,
		Short: "Write a small store to try things on, and show its inbox",
		Long: `Write a small but real message directory: three agents and you, several threads,
both forms of id, a message that arrived late, an unfinished line, a sync tool's
copy of a log, and a message that may be forged. Beside it, in DIR/project, a
repository with two worktrees in which agents held conversations (ATSF), if git
is installed, and its tasks (AMP/1.0): one is locked and waits for you. In DIR/mail
are mailboxes with signed mail (amp/0.1): a thread, an attachment, and a message that
somebody changed after it was signed. DIR (or --dir) must be new or empty; without it,
a directory for temporary files is made.`,
		Args: cobra.MaximumNArgs(1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			at := o.Now()
			if now != "" {
				t, err := time.Parse(time.RFC3339, now)
				if err != nil {
					return cli.Usage(fmt.Errorf("--now is %q, and must be a time as 2026-04-25T12:00:00Z", now))
				}
				at = t
			}
			if len(args) == 0 && o.Dir != "" {
				// Not AGENT_MESSAGE_DIR: that is where real mail is.
				args = []string{o.Dir}
			}
			dir, err := emptyDir(args)
			if err != nil {
				return err
			}
			d := &demo{Options: o, dir: dir, now: at, run: run}
			return d.make(cmd.Context())
		}),
	}
	cmd.Flags().StringVar(&now, "now", "", "pretend that it is this `time` (RFC 3339), for the same store each time")
	return cmd
}

func emptyDir(args []string) (string, error) {
	if len(args) == 0 {
		return os.MkdirTemp("", "signalbox-demo-")
	}
	names, err := os.ReadDir(args[0])
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return "", err
	case len(names) > 0:
		return "", fmt.Errorf("demo: name a new directory: %q is not empty", args[0])
	}
	if err := os.MkdirAll(args[0], 0o700); err != nil {
		return "", err
	}
	return filepath.Abs(args[0])
}

type demo struct {
	*cli.Options
	dir string
	now time.Time
	run cli.Runner
}

func (d *demo) in(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

func (d *demo) at(now time.Time) *cli.Program {
	p := *d.Program
	p.Now = func() time.Time { return now }
	return &p
}

func (d *demo) make(ctx context.Context) error {
	in := *d.Options
	in.Dir, in.Profile, in.Program = d.dir, samp.V1.String(), d.at(d.now)
	messages, err := in.Box().Open()
	if err != nil {
		return err
	}
	defer messages.Close()
	if err := d.writeMessages(messages); err != nil {
		return err
	}
	project := true
	if err := d.writeProject(ctx); err != nil {
		d.Warn("there is no sample project beside the mail: %v", err)
		project = false
	}
	// After the project: its first commit would otherwise put the tasks into every worktree.
	if err := d.writeTasks(ctx); err != nil {
		return err
	}
	if err := d.writeBoxes(ctx); err != nil {
		return err
	}
	return d.show(ctx, messages, project)
}

// show writes the new mail and commands to try, on one screen.
func (d *demo) show(ctx context.Context, messages *box.Dir, project bool) error {
	w := d.Writer()
	fmt.Fprintf(w, "wrote a demo store to %s\n\n$ signalbox inbox --dir %[1]s --as %s\n", cli.WholeLine(d.dir), reader)
	r, err := messages.New(ctx, reader)
	if err != nil {
		return err
	}
	defer r.Close()
	// Not marked as read, so that the user's own "inbox" shows the same.
	d.JSON = false
	if err := mail.ShowNew(ctx, d.Options, w, r); err != nil {
		return err
	}
	id := ""
	for m, err := range r.Messages(ctx, r.Fresh[:1]) {
		if err != nil {
			return err
		}
		id = m.Key[:cli.MinPrefix]
	}
	threads := "  signalbox threads list        # what agents said in its worktrees\n"
	if !project {
		threads = ""
	}
	fmt.Fprintf(w, `
Try next:
  export AGENT_MESSAGE_DIR=%s SIGNALBOX_AS=%s
  export AMP_DIR=%s
  cd %s
  signalbox                     # where you stand, on one screen
  signalbox inbox               # the same as above, and marks it as read
  signalbox reply --to-id %s "on it"
%s  signalbox task escalations    # what waits for your decision
  signalbox amp inbox           # signed mail, and how far it can be trusted
  signalbox validate            # what is wrong here, and what to do about it
`, cli.WholeLine(d.dir), reader, cli.WholeLine(filepath.Join(d.in(boxesFolder), "agents", reader)), cli.WholeLine(d.in(projectFolder)),
		id, threads)
	return w.Flush()
}
