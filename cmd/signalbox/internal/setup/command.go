// Package setup tells agents' programs of Signalbox: its tools, its hooks and a section in
// their instructions.
//
// Start with [Command]. What each program reads is in clients.go; package edit changes
// single values in the files, and the journal remembers the way back.
package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
	"github.com/spf13/cobra"
)

type setup struct {
	*cli.Options
	machine
	journal *journal

	dry, yes, check, remove, shared bool
	// editor and renew are for editors: see [Facts] and renewCopy.
	editor, renew bool
	// passing is set if this program lies where it does not stay, so that the clients
	// get a copy.
	passing bool
	// onlyPerson leaves all clients alone.
	onlyPerson bool
	person     string
	// said is what the flag --answers has, "" if it was not given.
	said string
	// failed is set if a client could not be set up.
	failed bool
}

// Command returns "signalbox setup".
func Command(o *cli.Options) *cobra.Command {
	s := &setup{Options: o}
	cmd := &cobra.Command{
		Use:         "setup [CLIENT…]",
		Annotations: cli.Uses("as", "json", "color"),
		Short:       "Connect the agents on this machine to their mail",
		Long: `Connect the agents on this machine to their mail: give the programs that run them
the tools of "signalbox mcp", the hooks of "signalbox hook", and a section in their
instructions. Every change is shown before it is made, nothing else in a file
changes, and --remove takes it back.

CLIENT is ` + strings.Join(clientNames()[:5], ", ") + `,
` + strings.Join(clientNames()[5:], ", ") + `. Without one it is every client that is found here. An agent
has the name of the git work tree that it works in ("signalbox help names"). If two
work in one, --as gives one of them another name.`,
		Example: `  signalbox setup
  signalbox setup claude codex --person dev
  signalbox setup codex --as reviewer
  signalbox setup claude --answers off
  signalbox setup --remove`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.FixedCompletions(clientNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return s.run(cmd.Context(), args)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&s.dry, "dry-run", false, "show what would change, and change nothing")
	f.BoolVarP(&s.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&s.check, "check", false, "say what is set up, and change nothing")
	f.BoolVar(&s.remove, "remove", false, "take back what setup did")
	f.BoolVar(&s.shared, "project", false, "write files of this repository, to be committed, instead of your own")
	f.StringVar(&s.person, "person", "", "the `alias` that you read and write as, for agents that ask you")
	f.StringVar(&s.said, "answers", "", "whether you answer from Signalbox what agents ask for: `on, off`, or the seconds for which a program's own dialog may wait for it")
	f.BoolVar(&s.onlyPerson, "only-person", false, "write who the person is, and leave all clients alone")
	f.StringVar(&s.command, "command", "", "the `program` that clients start (default: this one)")
	f.BoolVar(&s.editor, "editor", false, "for editors: copy this program to where it stays, and say as JSON what can be set up")
	f.BoolVar(&s.renew, "renew-copy", false, "for editors: bring that copy up to date, if there is one")
	for _, name := range []string{"command", "only-person", "editor", "renew-copy"} {
		_ = f.MarkHidden(name)
	}
	cmd.MarkFlagsMutuallyExclusive("dry-run", "check", "editor", "renew-copy")
	cmd.MarkFlagsMutuallyExclusive("check", "remove")
	return cmd
}

func (s *setup) run(ctx context.Context, names []string) error {
	if err := s.resolve(names); err != nil {
		return err
	}
	if s.renew {
		return s.renewCopy()
	}
	chosen, err := s.choose(names)
	if err != nil {
		return err
	}
	if s.journal, err = openJournal(s.Env.StateDir()); err != nil {
		return err
	}
	if s.editor {
		return s.facts(ctx, chosen)
	}
	switch {
	case s.check:
		return s.checkAll(chosen)
	case s.remove:
		return s.change(ctx, chosen)
	}
	if len(chosen) == 0 && s.person == "" && s.said == "" {
		return fmt.Errorf("no client was found on this machine: name one of %s", strings.Join(clientNames(), ", "))
	}
	if err := s.askPerson(ctx); err != nil {
		return err
	}
	return s.change(ctx, chosen)
}

// resolve checks the flags and finds out what to write.
func (s *setup) resolve(names []string) error {
	s.getenv, s.home = s.Env.Getenv, s.Env.Home
	s.machine = s.here()
	for flag, alias := range map[string]string{"--as": s.As, "--person": s.person} {
		if err := samp.CheckAlias(alias); alias != "" && err != nil {
			return cli.Usage(fmt.Errorf("%w, given by %s", err, flag))
		}
	}
	if s.answers = userconfig.Answers(s.said); s.said == "" {
		s.answers = s.Config().Answers
	}
	if err := s.answers.Check(); err != nil {
		return cli.Usage(err)
	}
	if s.as = s.As; s.as != "" && len(names) != 1 && !s.shared {
		return cli.Usage(errors.New("--as names the agent of one client, or of one project: name the client, or give --project"))
	}
	root, err := workTree(s.Env.Work)
	if err == nil {
		s.repository = root
	}
	if s.shared {
		if err != nil {
			return err
		}
		s.project = root
		// A committed file names no path of this machine.
		s.command = "signalbox"
	}
	if s.command == "" {
		command, err := s.self()
		s.command = command
		return err
	}
	return nil
}

func workTree(folder string) (string, error) {
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%q lies in no git work tree, and --project means one", folder)
		}
	}
}

// self returns the path by which clients start this program: the one on the PATH if it is the
// same, since that stays when a new version comes, and a copy's if it lies in a cache.
func (s *setup) self() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if s.passing = inCache(self); s.passing {
		return s.copyPath(), nil
	}
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if path := onPath(s.machine, name); path != "" && disk.SameFile(path, self) {
		return path, nil
	}
	if path, err := exec.LookPath(os.Args[0]); err == nil && filepath.IsAbs(path) {
		return path, nil
	}
	return self, nil
}

// inCache reports whether a program lies where npx, or pnpm dlx, keeps what it runs until
// the cache is cleaned.
func inCache(program string) bool {
	folders := strings.Split(filepath.ToSlash(program), "/")
	return slices.Contains(folders, "_npx") || slices.Contains(folders, "dlx")
}

func (s *setup) choose(names []string) (list []*client, err error) {
	if s.onlyPerson {
		return nil, nil
	}
	for _, name := range names {
		c := clientNamed(name)
		if c == nil {
			return nil, cli.Usage(fmt.Errorf("unknown client %q: it is one of %s", name, strings.Join(clientNames(), ", ")))
		}
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	if len(names) > 0 {
		return list, nil
	}
	for i := range clients {
		// All clients read a project's files, whether they are on this machine or not.
		if s.shared || s.remove || clients[i].found(s.machine) {
			list = append(list, &clients[i])
		}
	}
	return list, nil
}

type work struct {
	*client
	changes []planned
	left    []FileState
}

func (s *setup) change(ctx context.Context, chosen []*client) error {
	plan := s.plan(chosen)
	// A program that lies in a cache is copied to where it stays.
	copying := s.passing && !s.remove && s.copyIsDue()
	any := s.person != "" || s.said != "" || copying
	for _, w := range plan {
		any = any || len(w.changes) > 0
	}
	s.showSaid()
	if copying {
		s.say("%s: a copy of this program, which lies in a cache", s.copyPath())
	}
	for _, w := range plan {
		s.show(w)
	}
	if !any && s.failed {
		return s.ended()
	}
	if any && !s.dry {
		if err := s.write(ctx, plan, copying); err != nil {
			return err
		}
	}
	if !s.dry && !s.remove {
		more, err := s.finish(ctx, plan)
		if err != nil {
			return err
		}
		any = any || more
		s.warnOff(plan)
	}
	if !any {
		s.say("Nothing to change.")
	}
	return s.ended()
}

func (s *setup) ended() error {
	if s.failed {
		return cli.Silent(cli.ExitFailed)
	}
	return nil
}

func (s *setup) write(ctx context.Context, plan []work, copying bool) error {
	if err := s.Confirm(s.yes); err != nil {
		return err
	}
	release, err := alone(ctx, s.Env.StateDir())
	if err != nil {
		return err
	}
	defer release()
	if copying {
		if _, err := s.keepCopy(); err != nil {
			return err
		}
	}
	if err := s.writeSaid(ctx); err != nil {
		return err
	}
	for _, w := range plan {
		s.apply(ctx, w)
	}
	return nil
}

// plan works out all changes. A file that several clients share is changed once. A file
// that cannot be changed is named and left alone.
func (s *setup) plan(chosen []*client) (plan []work) {
	seen := make(map[string]bool)
	for _, c := range chosen {
		w := work{client: c}
		for _, f := range c.files(s.machine) {
			if seen[f.path] || s.remove && s.needed(f.path, chosen) {
				continue
			}
			seen[f.path] = true
			s.planFile(&w, f)
		}
		plan = append(plan, w)
	}
	return plan
}

// needed reports whether a client that is not meant reads a file, too, and has something of
// ours in a file that no client that is meant reads.
func (s *setup) needed(path string, chosen []*client) bool {
	going := make(map[string]bool)
	for _, c := range chosen {
		for _, f := range c.files(s.machine) {
			going[f.path] = true
		}
	}
	for i := range clients {
		c := &clients[i]
		if slices.Contains(chosen, c) {
			continue
		}
		reads, has := false, false
		for _, f := range c.files(s.machine) {
			reads = reads || f.path == path
			has = has || !going[f.path] && s.has(f)
		}
		if reads && has {
			return true
		}
	}
	return false
}

func (s *setup) has(f file) bool {
	p, err := load(f, s.project)
	return err == nil && slices.ContainsFunc(f.wants, func(w want) bool {
		_, mine, _ := w.find(p.body(), s.journal.wrote(f.path))
		return mine != ""
	})
}

func (s *setup) planFile(w *work, f file) {
	change := add
	if s.remove {
		change = remove
	}
	p, err := change(f, s.project, s.journal)
	if err != nil {
		s.fail(w.client, f.path, err)
		w.left = append(w.left, FileState{f.path, err.Error()})
	} else if p.changes() {
		w.changes = append(w.changes, p)
	}
}

func (s *setup) apply(ctx context.Context, w work) {
	done := true
	for i := range w.changes {
		if err := w.changes[i].apply(ctx, s.journal, s.remove); err != nil {
			s.fail(w.client, w.changes[i].path, err)
			done = false
		}
	}
	if done && len(w.changes) > 0 {
		s.say("%s: done.", w.title)
	}
}

// finish does what clients need once their files are written. It could not be shown before,
// so that the person is asked once more. It reports whether there was something to do.
func (s *setup) finish(ctx context.Context, plan []work) (bool, error) {
	var more []work
	for _, w := range plan {
		if w.after == nil {
			continue
		}
		files, err := w.after(s.machine)
		if err != nil {
			s.Warn("%s: %v", w.title, err)
			continue
		}
		next := work{client: w.client}
		for _, f := range files {
			s.planFile(&next, f)
		}
		if len(next.changes) > 0 {
			s.show(next)
			more = append(more, next)
		}
	}
	if len(more) == 0 {
		return false, nil
	}
	s.person, s.said = "", "" // they are written
	return true, s.write(ctx, more, false)
}

func (s *setup) fail(c *client, path string, err error) {
	s.failed = true
	s.Warn("%s: %q is left alone: %v", c.title, path, err)
}
