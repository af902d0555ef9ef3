package mail

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"unicode/utf16"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/spf13/cobra"
)

// seeking is a search in all formats.
type seeking struct {
	*cli.Options
	project, ssot, amp string
	limit              int
	// agents is set to find only what agents and their programs recorded.
	agents bool
}

// SearchThreads returns the command search of threads of agents.
func SearchThreads(o *cli.Options) *cobra.Command {
	s := &seeking{Options: o, agents: true}
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find what agents said and did in the project and its worktrees",
		Long: `Find messages of agents' threads and of the sessions that their programs recorded,
the newest first: words of their text, thinking and tool calls. The query is that of
"signalbox search". The command ends with 1 if nothing was found.`,
		Example: `  signalbox threads search 'login timeout in:main'`,
		RunE:    s.action(),
	}
	cmd.Flags().IntVar(&s.limit, "limit", 50, "at most `n` messages, 0 for all")
	cmd.PreRun = func(cmd *cobra.Command, _ []string) { s.project, _ = cmd.Flags().GetString("project") }
	return cmd
}

// wants reports whether a message is looked for.
func (s *seeking) wants(h *panel.SearchHit) bool {
	return !s.agents || h.Protocol == string(mail.ATSF) || h.Protocol == string(mail.Session)
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
its text, subject, sender or thread, in any case.

  "a phrase"   from:NAME  to:NAME  thread:NAME  in:WORKTREE  protocol:samp
  is:unread  is:read  is:mine  is:suspicious  before:DAY  after:DAY  on:DAY

A minus before a term means that it must not hold; "--" before the query keeps it
from being read as a flag. docs/search.md explains all of it. The command ends with
1 if nothing was found.`,
		RunE: s.action(),
	}
	f := cmd.Flags()
	f.IntVar(&s.limit, "limit", 50, "at most `n` messages, 0 for all")
	f.StringVar(&s.project, "project", "", "a `folder` of the project (default: the working directory)")
	f.StringVar(&s.ssot, "ssot", "", "`directory` of the task messages (SIGNALBOX_SSOT)")
	f.StringVar(&s.amp, "amp", "", "`directory` of the mailboxes (AMP_DIR)")
	for _, name := range []string{"project", "ssot", "amp"} {
		_ = cmd.MarkFlagDirname(name)
	}
	return cmd
}

// action runs the command.
func (s *seeking) action() func(*cobra.Command, []string) error {
	return cli.Action(func(cmd *cobra.Command, args []string) error {
		query := strings.Join(args, " ")
		if strings.TrimSpace(query) == "" {
			return cli.WrongUse(cmd)
		}
		if s.limit < 0 {
			return cli.Usage(fmt.Errorf("--limit is %d, and must not be negative", s.limit))
		}
		return s.run(cmd.Context(), query)
	})
}

// open opens the panels for a command, as the editor's server does.
func (s *seeking) open(ctx context.Context, command string, settings panel.Settings) (*panel.Panels, error) {
	var folders []string
	if s.project != "" {
		folder := s.Absolute(s.project)
		if info, err := os.Stat(folder); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s: %q is no directory", command, folder)
		}
		folders = []string{folder}
	}
	whole := func(path string) string {
		if path == "" {
			return ""
		}
		return s.Absolute(path)
	}
	p, err := s.Panels(ctx, panel.Options{SSOT: whole(s.ssot), Amp: whole(s.amp), Folders: folders, Settings: settings})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	return p, nil
}

func (s *seeking) run(ctx context.Context, query string) error {
	p, err := s.open(ctx, "search", panel.Settings{ReadOnly: true})
	if err != nil {
		return err
	}
	defer p.Close()
	w := s.Writer()
	paint := s.Paint()
	params := panel.SearchParams{Query: query}
	for found := 0; ; {
		params.Limit = panel.MaxPage
		if s.limit > 0 {
			params.Limit = min(panel.MaxPage, s.limit-found)
		}
		page, err := p.Search(ctx, params)
		if err != nil {
			return err
		}
		if params.Cursor == "" {
			s.problems(query, page.Problems)
		}
		for i := range page.Hits {
			if !s.wants(&page.Hits[i]) {
				continue
			}
			if err := s.hit(w, paint, &page.Hits[i]); err != nil {
				return err
			}
			found++
		}
		if page.NextCursor == "" || s.limit > 0 && found >= s.limit {
			if err := w.Flush(); err != nil || found > 0 {
				return err
			}
			s.nothing(query)
			return cli.Silent(cli.ExitFailed)
		}
		params.Cursor = page.NextCursor
	}
}

// nothing says that nothing was found, and how to look wider.
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

// problems warns about the parts of a query that were left out.
func (s *seeking) problems(query string, list []panel.SearchProblem) {
	units := utf16.Encode([]rune(query))
	for _, pr := range list {
		s.Warn("left out %q at character %d: %s", string(utf16.Decode(units[pr.Offset:pr.Offset+pr.Length])), pr.Offset+1, pr.Message)
	}
}

// hit writes one message: its time, sender and place, and the line that matches.
func (s *seeking) hit(w *bufio.Writer, paint cli.Paint, h *panel.SearchHit) error {
	if s.JSON {
		return cli.WriteJSON(w, h)
	}
	mark := " "
	if h.Unread {
		mark = "*"
	}
	who := h.From
	if h.To != "" {
		who += " -> " + h.To
	}
	fmt.Fprintf(w, "%s %s  %-4s  %s  %s", mark, cli.Minute(h.Time), h.Protocol, cli.Line(who), paint.In(cli.Bold, cli.Line(h.Title)))
	if h.Trust.Level == "warn" {
		w.WriteString("  " + paint.In(cli.Red, "["+cli.Line(h.Trust.Label)+"]"))
	}
	w.WriteString("\n    ")
	at := 0
	units := utf16.Encode([]rune(h.Snippet))
	for _, m := range h.Marks {
		w.WriteString(string(utf16.Decode(units[at:m[0]])) + paint.In(cli.Yellow, string(utf16.Decode(units[m[0]:m[0]+m[1]]))))
		at = m[0] + m[1]
	}
	w.WriteString(string(utf16.Decode(units[at:])) + "\n")
	return nil
}
