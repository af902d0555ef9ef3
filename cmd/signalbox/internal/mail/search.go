package mail

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"unicode/utf16"

	"github.com/spf13/cobra"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
)

type seeking struct {
	*cli.Options
	project, ssot, amp string
	filter             cli.Filter
	// agents is set to search only what agents and their programs recorded.
	agents bool
}

// SearchThreads returns the command "threads search".
func SearchThreads(o *cli.Options) *cobra.Command {
	s := &seeking{Options: o, agents: true}
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find what agents said and did in the project and its worktrees",
		Long: `Find messages of agents' threads and of the sessions that their programs recorded,
the newest first, with the lines around what matches: words, in any order, of their
text, thinking, commands, changes and answers of tools.

  "a phrase"   in:BRANCH|AGENT|THREAD  client:codex  tool:bash  tool:edit
  file:PATH  from:user  thread:NAME  before:DAY  after:2h  on:DAY

The rest is as in "signalbox search"; docs/search.md explains all of it. The command
ends with 1 if nothing was found.`,
		Example: `  signalbox threads search 'login timeout in:main'
  signalbox threads search tool:edit file:src/login.go
  signalbox threads search 'tool:execute "npm test" after:2d'`,
		RunE: s.action(),
	}
	s.flags(cmd)
	cmd.PreRun = func(cmd *cobra.Command, _ []string) { s.project, _ = cmd.Flags().GetString("project") }
	return o.Page(cmd)
}

func (s *seeking) flags(cmd *cobra.Command) {
	s.filter.Always = cli.PageRows
	s.filter.Register(cmd, "from", "thread", "since", "until")
}

func searchCommand(o *cli.Options) *cobra.Command {
	s := &seeking{Options: o}
	cmd := &cobra.Command{
		Use:         "search QUERY...",
		Annotations: cli.Uses("dir", "as", "json", "color"),
		Example: `  signalbox search login timeout
  signalbox search '"build is red" from:ci after:2026-11-01'
  signalbox search -- is:unread -from:ci`,
		Short: "Find messages of all formats by words, sender, thread, date and more",
		Long: `Find messages: mail, signed mail, task messages, and what agents said in the
project and its worktrees, the newest first. All words must be in one message, in
its text, subject, sender or thread, in any case and however accents are composed.

  "a phrase"  from:NAME  to:NAME  thread:NAME  in:WORKTREE|THREAD  protocol:samp
  is:unread  is:read  is:mine  is:suspicious  before:DAY  after:DAY  on:DAY
  client:codex  tool:bash  file:PATH  for what agents did

A minus before a term means that it must not hold; "--" before the query keeps it
from being read as a flag. docs/search.md explains all of it. The command ends with
1 if nothing was found.`,
		RunE: s.action(),
	}
	f := cmd.Flags()
	s.flags(cmd)
	f.StringVar(&s.project, "project", "", "a `folder` of the project (default: the working directory)")
	f.StringVar(&s.ssot, "ssot", "", "`directory` of the task messages (SIGNALBOX_SSOT)")
	f.StringVar(&s.amp, "amp", "", "`directory` of the mailboxes (AMP_DIR)")
	for _, name := range []string{"project", "ssot", "amp"} {
		_ = cmd.MarkFlagDirname(name)
	}
	return o.Page(cmd)
}

func (s *seeking) action() func(*cobra.Command, []string) error {
	return s.Working("searching", func(cmd *cobra.Command, args []string) error {
		if err := s.filter.Read(s.Options, cmd); err != nil {
			return err
		}
		// The flags come last, so that the positions of problems are those of the typed query.
		query := strings.TrimSpace(strings.Join(args, " ") + " " + s.filter.Text)
		if query == "" {
			return cli.WrongUse(cmd)
		}
		return s.run(cmd.Context(), query)
	})
}

func (s *seeking) open(ctx context.Context, command string, options panel.Options) (*door.Panels, error) {
	if s.project != "" {
		folder := s.Absolute(s.project)
		if info, err := os.Stat(folder); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s: %q is no directory", command, folder)
		}
		options.Folders = []string{folder}
	}
	whole := func(path string) string {
		if path == "" {
			return ""
		}
		return s.Absolute(path)
	}
	options.SSOT, options.Amp = whole(s.ssot), whole(s.amp)
	if s.agents {
		options.Sources = sources.Agents() // to index no mail, which may be a million messages
	}
	p, err := s.Panels(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	return p, nil
}

// searchMemory is the soft memory limit of a search, in bytes.
const searchMemory = 76 << 20

func (s *seeking) run(ctx context.Context, query string) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(searchMemory))
	p, err := s.open(ctx, "search", panel.Options{Settings: panel.Settings{ReadOnly: true}, Once: true})
	if err != nil {
		return err
	}
	defer p.Close()
	w := s.Writer()
	list := newHits(ctx, s, w)
	more, first := false, true
	err = p.SearchAll(ctx, panel.SearchParams{Query: query, Limit: s.filter.Limit()}, func(page *panel.SearchPage) error {
		if first {
			s.problems(query, page.Problems)
		}
		first, more = false, page.NextCursor != ""
		for i := range page.Hits {
			if err := list.add(&page.Hits[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	list.end(more)
	if err := w.Flush(); err != nil || list.found > 0 {
		return err
	}
	s.nothing(query)
	return cli.Silent(cli.ExitFailed)
}

func (s *seeking) nothing(query string) {
	wider := "--dir, --project, --ssot and --amp name other places to look in"
	switch {
	case s.agents:
		wider = "\"signalbox search\" looks in mail and tasks, too, and --project in another project"
	case strings.Contains(query, ":"):
		wider = "look wider without what narrows it, such as from:, in: or after:"
	case len(strings.Fields(query)) > 1:
		wider = "look wider with fewer words"
	}
	s.Warn("no messages match %q; %s", query, wider)
}

func (s *seeking) problems(query string, list []panel.SearchProblem) {
	units := utf16.Encode([]rune(query))
	for _, pr := range list {
		s.Warn("left out %q at character %d: %s", string(utf16.Decode(units[pr.Offset:pr.Offset+pr.Length])), pr.Offset+1, pr.Message)
	}
}
