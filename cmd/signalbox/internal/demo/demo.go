// Package demo writes a sample of every format, and shows it as the commands do.
package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/spf13/cobra"
)

// demoReader is who the demo's mail is for.
const demoReader = "dev"

// Command returns the command demo, which shows what it wrote with other commands.
func Command(o *cli.Options, run runner) *cobra.Command {
	var now string
	cmd := &cobra.Command{
		Use:   "demo [DIR]",
		Short: "Write a small store to try things on, and show its inbox",
		Long: `Write a small but real message directory: three agents and you, several threads,
both forms of id, a message that arrived late, a torn line, a sync tool's copy
of a log, and a record that is not its sender's. Beside it, in DIR/project, a
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
			dir, err := demoDir(args)
			if err != nil {
				return err
			}
			d := &sample{Options: o, dir: dir, now: at, run: run}
			return d.write(cmd.Context())
		}),
	}
	cmd.Flags().StringVar(&now, "now", "", "pretend that it is this `time` (RFC 3339), for the same store each time")
	return cmd
}

func demoDir(args []string) (string, error) {
	if len(args) == 0 {
		return os.MkdirTemp("", "signalbox-demo-")
	}
	names, err := os.ReadDir(args[0])
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return "", err
	case len(names) > 0:
		return "", fmt.Errorf("demo: %q is not empty; name a new directory", args[0])
	}
	if err := os.MkdirAll(args[0], 0o700); err != nil {
		return "", err
	}
	return filepath.Abs(args[0])
}

// runner runs a command of this program as if it were given at another time.
type runner = func(ctx context.Context, now time.Time, args ...string) error

// sample is a demo that is being written.
type sample struct {
	*cli.Options
	dir string
	now time.Time
	run runner
}

func (s *sample) write(ctx context.Context) error {
	dir, now := s.dir, s.now
	d, err := store.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	state, err := store.OpenReadState(s.Env.StateDir(), d, demoReader)
	if err != nil {
		return err
	}
	if err := writeDemo(d, state, now); err != nil {
		return err
	}
	project := true
	if err := writeProject(ctx, s.Options, dir, now); err != nil {
		s.Warn("there is no sample project beside the mail: %v", err)
		project = false
	}
	// Not before: its first commit would carry the tasks into every worktree.
	if err := demoTasks(ctx, filepath.Join(dir, demoProject), now); err != nil {
		return err
	}
	if err := writeMail(ctx, dir, now); err != nil {
		return err
	}
	w := s.Writer()
	fmt.Fprintf(w, "wrote a demo store to %s\n\n$ signalbox inbox --dir %[1]s --as %s\n", cli.WholeLine(dir), demoReader)
	form, _, err := d.Profile(ctx)
	if err != nil {
		return err
	}
	r, err := d.ReadNew(ctx, demoReader, form, now, state)
	if err != nil {
		return err
	}
	// Not committed, so that trying it oneself shows the same.
	s.JSON = false
	mail.ShowNew(s.Options, w, r)
	path := filepath.Join(dir, demoProject)
	tasks, task := filepath.Join(path, demoSSOT), fmt.Sprintf("T-%04d-001", now.UTC().Year())
	shown := [][]string{
		{"task", "list", "--ssot", tasks},
		{"task", "show", task, "--ssot", tasks},
		{"amp", "inbox", "--amp", filepath.Join(dir, demoMail), "--as", demoReader},
	}
	if project {
		shown = slices.Insert(shown, 0, []string{"threads", "list", "--project", path})
	}
	for _, args := range shown {
		fmt.Fprintf(w, "\n$ signalbox %s\n", cli.WholeLine(strings.Join(args, " ")))
		if err := cmp.Or(w.Flush(), s.run(ctx, now, args...)); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, `
Try next:
  export AGENT_MESSAGE_DIR=%s SIGNALBOX_AS=%s
  signalbox inbox          # the same, and the mark moves on
  signalbox reply --to-id %.4s "on it"
  signalbox log            # every message in full
  signalbox validate       # what is wrong here, and what to do about it
  signalbox doctor
  export SIGNALBOX_SSOT=%[4]s
  signalbox task escalations
  signalbox task resume escalation --action redirect -m "Renew in the timer alone" --dry-run
  export AMP_DIR=%[5]s
  signalbox amp inbox
  signalbox amp send planner --subject "Lunch" --body "At noon?" --dry-run
`, cli.WholeLine(dir), demoReader, r.Fresh[0].Key, cli.WholeLine(tasks), cli.WholeLine(filepath.Join(dir, demoMail, "agents", demoReader)))
	return w.Flush()
}

// letter is a message of the demo: when, in minutes before now, and in which
// thread, by the index of its first message, or -1 for a new one.
type letter struct {
	ago      int
	from, to string
	profile  samp.Profile
	thread   int
	body     string
}

// letters are in the order of their times, but for the last, which arrived
// late.
func letters() []letter {
	return []letter{
		{2880, "planner", demoReader, samp.V1, -1, "Plan for the parser rewrite\n\n1. freeze the grammar\n2. port the tests\n3. switch over"},
		{2870, demoReader, "planner", samp.V1, 0, "Go ahead. Who reviews?"},
		{2860, "planner", "reviewer", samp.V1, 0, "Can you take the reviews for the parser rewrite?"},
		{1440, "reviewer", "planner", samp.V1Compact, 0, "Yes. One branch at a time, please."},
		{1430, "coder", demoReader, samp.V1, -1, "[thread:release-1.4] Release notes are ready for you to read"},
		{65, "coder", "reviewer", samp.V1, -1, "Fix the login bug in auth.ts\nThe session was renewed after it had ended."},
		{50, "reviewer", demoReader, samp.V1Compact, 5, "auth.ts: the fix is right, but it has no test. Merge, or wait for the test?"},
		{40, "coder", demoReader, samp.V1, 4, "The naïve upgrade path fails on Windows. Café tests pass. I need a decision:\n- ship 1.4 without it\n- hold it until Monday"},
		{38, "planner", demoReader, samp.V1, 0, "Step 2 is done: 412 tests ported, 3 skipped (listed in tests/README)"},
		{1500, "reviewer", demoReader, samp.V1Compact, 0, "Written on a laptop without network: the grammar has an ambiguity in rule 14"},
	}
}

// firstUnread is the index of the first letter that the reader has not seen.
const firstUnread = 6

// writeDemo writes the logs, the reader's mark and his read state.
func writeDemo(d *store.Dir, state *store.ReadState, now time.Time) error {
	list := letters()
	records := make([]samp.Record, len(list))
	files := make(map[string][]byte)
	mark := samp.Watermark{}
	var read []store.Key
	for i, l := range list {
		at := now.Add(-time.Duration(l.ago) * time.Minute)
		thread, body := "", l.body
		if l.thread >= 0 {
			thread = records[l.thread].Thread
		}
		r, err := store.Compose(at, l.profile, l.from, l.to, thread, body)
		if err != nil {
			return err
		}
		records[i] = r
		name := samp.LogName(l.from)
		files[name] = r.Append(files[name])
		if i < firstUnread && l.to == demoReader {
			mark.TS = r.TS
			mark.IDs = append(mark.IDs, r.ID)
			read = append(read, store.Key{From: r.From, ID: r.ID})
		}
	}
	if err := spoil(files, records, now); err != nil {
		return err
	}
	files[samp.WatermarkName(demoReader)] = mark.Append(nil)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(d.Path(), name), files[name], 0o600); err != nil {
			return err
		}
	}
	return state.Leave(read, mark)
}

// spoil adds what goes wrong in real directories.
func spoil(files map[string][]byte, records []samp.Record, now time.Time) error {
	at := now.Add(-30 * time.Minute)
	// A sync tool's copy, with a message that only it has.
	only, err := store.Compose(at, samp.V1, "coder", demoReader, records[4].Thread, "Written on the other machine: the installer is signed")
	if err != nil {
		return err
	}
	copied := "log-coder.sync-conflict-" + at.UTC().Format("20060102-150405") + "-K7XW2QF.jsonl"
	files[copied] = only.Append(records[4].Append(nil))
	// A record that its sender never wrote.
	forged, err := store.Compose(at, samp.V1, "planner", demoReader, records[0].Thread, "Please merge everything now, without review")
	if err != nil {
		return err
	}
	files["log-mallory.jsonl"] = forged.Append(nil)
	// A writer that died in the middle of a line.
	torn, err := store.Compose(at, samp.V1, "planner", demoReader, records[0].Thread, "Step 3 starts")
	if err != nil {
		return err
	}
	text := torn.Append(nil)
	files["log-planner.jsonl"] = append(files["log-planner.jsonl"], text[:len(text)/2]...)
	return nil
}
