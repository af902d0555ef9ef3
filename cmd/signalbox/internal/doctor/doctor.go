// Package doctor checks all directories that the other commands use, reports which were
// chosen and why, and writes missing ignore rules for sync tools.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/ignorefile"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/spf13/cobra"
)

// Command returns the command doctor.
func Command(o *cli.Options) *cobra.Command {
	var fix, report bool
	cmd := &cobra.Command{
		Use:         "doctor",
		Annotations: cli.Uses("dir", "as", "profile", "json", "color"),
		Example: `  signalbox doctor
  signalbox doctor --fix
  signalbox doctor --report`,
		Short: "Say what was chosen and why, and what is wrong around the directory",
		Long: `Say which directory, alias and profile were chosen and why, and look for what
goes wrong around a message directory: permissions, sync tools, clocks, logs
that are no files, and all that "signalbox validate" checks. Say too which
worktrees of the working directory's project hold threads of agents, which
directory its tasks are in, which mailboxes of signed mail there are, which agents'
programs are set up or switched off, which files of sessions cannot be read, and
whether this work tree's name differs from its folder's. Exit code 1 if a rule of
the mail is broken.

--fix adds the rules that keep what belongs to one machine from being carried by sync
tools (.stignore of Syncthing, .gitignore). No line of yours is changed.

--report prints what to attach when you report a fault: versions, counts and broken
rules. No mail, name or path is in it, and nothing is sent.`,
		Args: cobra.NoArgs,
		RunE: o.Working("checking", func(cmd *cobra.Command, _ []string) error {
			c := &checkup{Options: o, Findings: o.Findings(), fix: fix}
			if report {
				return c.report(cmd.Context())
			}
			return c.End(c.look(cmd.Context()))
		}),
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "write the rules for sync tools")
	cmd.Flags().BoolVar(&report, "report", false, "print what to attach to a report of a fault, without mail, names and paths")
	cmd.MarkFlagsMutuallyExclusive("fix", "report")
	return cmd
}

type checkup struct {
	*cli.Options
	*cli.Findings
	// fix is set if doctor writes the rules for sync tools.
	fix bool
	// summary is what was counted in the message directory, nil if there is none.
	summary *box.Report
}

func (c *checkup) look(ctx context.Context) error {
	where, me := c.Locate(), c.Who()
	c.Fact("directory", where.Value, where.Origin)
	c.identity(ctx, &me, &where)
	c.Fact("read state", c.Env.StateDir(), stateOrigin(c.Env))
	for _, facts := range []func(context.Context) error{c.agentFacts, c.threadFacts, c.sessionFacts, c.taskFacts, c.mailFacts} {
		if err := facts(ctx); err != nil {
			return err
		}
	}
	d, err := c.Box().Open()
	if errors.Is(err, fs.ErrNotExist) {
		c.Add(box.Problem{Rule: "L1", Reason: "the message directory does not exist yet", Advice: "the first \"signalbox send\" makes it"})
		return c.Verdict()
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := c.formFact(ctx, d); err != nil {
		return err
	}
	c.surroundings(d, me.Value)
	c.ignores(ignorefile.Messages(d.Path()))
	report, err := d.Examine(ctx, c.Add)
	if err != nil {
		return err
	}
	c.clocks(ctx, d)
	c.summary = &report
	c.Summary(d.Path(), &report)
	return c.Verdict()
}

// identity reports who reads and writes here, and mail that waits in a directory that is not read.
func (c *checkup) identity(ctx context.Context, me *who.Who, where *who.Place) {
	if me.Agent {
		c.Fact("caller", "an agent", me.Why)
	}
	switch err := me.Check(); {
	case me.Err != nil:
		c.Add(box.Problem{Rule: "L2", Violation: true, Reason: err.Error()})
	case err != nil:
		c.Fact("alias", me.Value, me.Origin)
		c.Add(box.Problem{Rule: "L2", Violation: true, Reason: samp.CheckAlias(me.Value).Error(), Advice: "give a valid one with --as, SIGNALBOX_AS or a line in .agent-message"})
	default:
		c.Fact("alias", me.Value, me.Origin)
	}
	if text := me.Remark(); text != "" {
		c.Add(box.Problem{Rule: "L2", Reason: text})
	}
	text, err := where.Elsewhere(ctx, me.Value, c.Env.StateDir(), c.Now())
	if err != nil {
		c.Warn("%v", err)
	}
	if text = cmp.Or(text, where.OtherNotice()); text != "" {
		c.Add(box.Problem{Rule: "L3", Reason: text})
	}
}

func stateOrigin(env environ.Env) string {
	for _, name := range []string{"SIGNALBOX_STATE_DIR", "XDG_STATE_HOME"} {
		if env.Getenv(name) != "" {
			return name
		}
	}
	return "default"
}

func (c *checkup) formFact(ctx context.Context, d *box.Dir) error {
	if p, ok := samp.ParseProfile(c.Profile); ok {
		c.Fact("profile", p.String(), "--profile or SIGNALBOX_PROFILE")
		return nil
	}
	p, found, err := d.NewestForm(ctx)
	why := "auto: as in the newest record"
	if !found {
		why = "auto: no record here has an id in either form"
	}
	if err == nil {
		c.Fact("profile", p.String(), why)
	}
	return err
}

func (c *checkup) surroundings(d *box.Dir, me string) {
	if info, err := os.Stat(d.Path()); err == nil && runtime.GOOS != "windows" {
		switch mode := info.Mode().Perm(); {
		case mode&0o002 != 0:
			c.Add(box.Problem{
				Rule: "W1", Violation: true, Reason: fmt.Sprintf("the directory's mode is %04o: everybody may write in it", mode),
				Advice: fmt.Sprintf("chmod 700 %q, or 2770 for a group", d.Path()),
			})
		case mode&0o004 != 0:
			c.Add(box.Problem{
				Rule: "W1", Reason: fmt.Sprintf("the directory's mode is %04o: everybody may read the names in it", mode),
				Advice: fmt.Sprintf("chmod 700 %q, unless that is meant", d.Path()),
			})
		}
	}
	if !d.Writable() {
		c.Add(box.Problem{Rule: "N5", Reason: "the directory cannot be written", Advice: "mail can be read; sending fails, and what was read is shown again"})
	}
	if samp.ValidAlias(me) {
		if err := d.CheckWriter(me); err != nil {
			c.Add(box.Problem{Rule: "L2", Violation: true, Reason: err.Error(), Advice: "choose another alias with --as, SIGNALBOX_AS or .agent-message"})
		}
	}
}

// fastClock is how far in the future a record may be before doctor reports it.
const fastClock = 5 * time.Minute

// clocks reports records and watermarks with a time in the future (rule N6).
func (c *checkup) clocks(ctx context.Context, d *box.Dir) {
	limit := c.Now().Add(fastClock).Unix()
	ahead, err := d.CountAfter(ctx, limit)
	if err != nil {
		return
	}
	logs, _, _ := d.Logs()
	for _, l := range logs {
		if a := ahead[l.Stem]; a.Count > 0 {
			c.Add(box.Problem{
				Rule: "N6", File: l.Name, Reason: fmt.Sprintf("%s in the future, up to %s: its writer's clock runs ahead, or this one is late", cli.Plural(a.Count, "record"), time.UnixMilli(show.Millis(a.Newest)).Format(time.DateTime)),
				Advice: "no honest mail is hidden by it; correct the clock",
			})
		}
		if w, found, err := d.Watermark(l.Stem); err == nil && found && w.TS > limit {
			c.Add(box.Problem{
				Rule: "N6", File: samp.WatermarkName(l.Stem), Reason: "it says that mail was read up to a time in the future: other tools may hide new mail until then",
				Advice: "remove the file: all mail is then shown once again",
			})
		}
	}
}
