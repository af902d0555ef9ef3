// Package home shows the user's mail, needs and agents on one screen: the output of
// "signalbox" without a command. Start with [Show].
package home

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
)

const (
	// readTimeout is how long the stores are read before the screen is shown with what was
	// read so far. 200,000 messages take about as long.
	readTimeout = 300 * time.Millisecond

	// The rows of each part. All parts and the prompt fit into 24 lines.
	newRows, needRows, agentRows = 3, 4, 3
)

type screen struct {
	*cli.Options
	w *bufio.Writer

	status panel.Status
	mail   panel.InboxPage
	needs  panel.NeedsPage
	agents []panel.AgentItem
	// partial is set if reading did not finish in time.
	partial bool
}

// Show writes who the user is, new mail, what needs them, their agents, and commands to
// run next. It marks nothing as read.
func Show(ctx context.Context, o *cli.Options) error {
	if me := o.Who(); me.Err != nil {
		return cli.Usage(me.Err)
	}
	p := o.OpenPanels(panel.Options{Settings: panel.Settings{ReadOnly: true}})
	s := &screen{Options: o, w: o.Writer()}
	if err := errors.Join(s.read(ctx, p), p.Close()); err != nil {
		return err
	}
	s.identity()
	if s.exists() {
		s.news()
		s.needing()
		s.working()
	}
	s.next()
	return s.w.Flush()
}

func (s *screen) read(ctx context.Context, p *door.Panels) error {
	err := s.settle(ctx, p)
	if err != nil {
		return err
	}
	if s.status, err = p.Status(ctx); err != nil {
		return err
	}
	if s.mail, err = p.Inbox(ctx, panel.InboxParams{Filter: panel.InboxFilter{Unread: true}, Limit: newRows}); err != nil {
		return err
	}
	if s.needs, err = p.Needs(ctx, panel.NeedsParams{Limit: needRows}); err != nil {
		return err
	}
	at, err := p.Agents(ctx, panel.AgentsParams{})
	s.agents = at.Agents
	slices.SortStableFunc(s.agents, func(a, b panel.AgentItem) int { return cmp.Compare(rank(a.State), rank(b.State)) })
	return err
}

// settle waits until the panels have read everything, or for readTimeout if they can show
// some mail by then.
func (s *screen) settle(ctx context.Context, p *door.Panels) error {
	short, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	err := p.Sync(short)
	if err == nil {
		err = p.CountUnread(short)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	status, err := p.Status(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(status.Directories, func(d panel.Directory) bool { return d.Messages > 0 }) {
		s.partial = true
		return nil
	}
	return cmp.Or(p.Sync(ctx), p.CountUnread(ctx))
}

// order is the order in which agents are listed.
var order = [...]panel.AgentState{panel.AgentWaiting, panel.AgentWorking, panel.AgentIdle}

func rank(state panel.AgentState) int {
	if at := slices.Index(order[:], state); at >= 0 {
		return at
	}
	return len(order)
}

func (s *screen) exists() bool {
	return len(s.mail.Threads)+s.needs.Total+len(s.agents) > 0 ||
		slices.ContainsFunc(s.status.Directories, func(d panel.Directory) bool { return d.Exists })
}

func (s *screen) identity() {
	who := "You are " + s.Paint().In(cli.Bold, cli.Line(s.status.Alias)) + " (" + cli.Line(s.status.AliasOrigin) + ")"
	if !s.status.AliasValid {
		who = fmt.Sprintf("%q (%s) cannot receive mail: set SIGNALBOX_AS to your name", s.status.Alias, cli.Line(s.status.AliasOrigin))
	}
	if s.exists() && !s.partial && s.status.AliasValid {
		who += ": " + s.status.Waits()
	}
	s.w.WriteString(who + "\n")
	if len(s.status.Directories) > 0 {
		d := &s.status.Directories[0]
		where := "Mail is in "
		if !d.Exists {
			where = "There is no mail yet in "
		}
		s.w.WriteString(cli.Fit(where+s.short(d.Path)+" ("+d.Origin+")", s.Columns()) + "\n")
	}
}

func (s *screen) short(path string) string {
	if rest, ok := strings.CutPrefix(path, s.Env.Home); ok && s.Env.Home != "" && strings.HasPrefix(rest, "/") {
		return "~" + rest
	}
	return path
}

func (s *screen) head(title, text string) {
	if text != "" {
		text = "  " + text
	}
	s.w.WriteString("\n" + s.Paint().In(cli.Bold, title) + text + "\n")
}

// count returns a number with its noun, "at least" that many if reading did not finish.
func (s *screen) count(n int, what string) string {
	text := cli.Plural(n, what)
	if s.partial {
		return "at least " + text
	}
	return text
}

// news writes how many messages are unread, and the newest.
func (s *screen) news() {
	if s.mail.Unread == 0 {
		s.head("New", "nothing")
		return
	}
	s.head("New", s.count(s.mail.Unread, "message"))
	t := s.Table(s.w, cli.Column{}, cli.Column{}, cli.Name(""), cli.Column{Least: 20})
	for i := range s.mail.Threads {
		it := &s.mail.Threads[i]
		what := it.Preview
		if it.Count > 1 {
			what += " [" + it.Title + "]"
		}
		style := ""
		if it.Amp != nil && it.Amp.Trust.Level == panel.TrustWarn {
			what, style = it.Amp.Trust.Label+": "+what, cli.Red
		}
		t.Row(cli.Cell{Text: " "}, cli.Cell{Text: s.When(it.LastTime)}, cli.Cell{Text: cli.Line(it.LastFrom), Style: cli.Bold}, cli.Cell{Text: cli.Line(what), Style: style})
	}
	t.Write()
}

func (s *screen) needing() {
	switch {
	case s.needs.Total == 0 && s.partial:
		s.head("Needs you", "nothing in the newest mail")
		return
	case s.needs.Total == 0:
		s.head("Needs you", "nothing")
		return
	}
	var parts []string
	if s.needs.Blocked > 0 {
		parts = append(parts, s.Paint().In(cli.Red, fmt.Sprint(s.needs.Blocked, " blocked")))
	}
	if s.needs.Questions > 0 {
		parts = append(parts, cli.Plural(s.needs.Questions, "question"))
	}
	text := strings.Join(parts, ", ")
	if s.partial {
		text = "at least " + text
	}
	s.head("Needs you", text)
	agent.NeedRows(s.Options, s.w, s.needs.Items)
}

func (s *screen) working() {
	counts := make([]int, len(order)+1)
	for i := range s.agents {
		counts[rank(s.agents[i].State)]++
	}
	var parts []string
	for i, state := range order {
		if counts[i] > 0 {
			parts = append(parts, fmt.Sprint(counts[i], " ", state))
		}
	}
	s.head("Agents", cmp.Or(strings.Join(parts, ", "), "none at work"))
	t := s.Table(s.w, cli.Column{}, cli.Column{}, cli.Name(""), cli.Column{Least: 10}, cli.Column{Least: 20})
	for i := range s.agents[:min(len(s.agents), agentRows)] {
		a := &s.agents[i]
		doing, style := string(a.State), ""
		if a.State == panel.AgentWaiting {
			style = cli.Yellow
		}
		if a.For != "" {
			doing += " for " + a.For
		}
		if a.Unread > 0 {
			doing += ", " + fmt.Sprint(a.Unread, " unread")
		}
		t.Row(cli.Cell{Text: " "}, cli.Cell{Text: s.When(a.Since)}, cli.Cell{Text: cli.Line(a.Alias), Style: cli.Bold},
			cli.Cell{Text: cli.Line(doing), Style: style}, cli.Cell{Text: cli.Line(cmp.Or(a.Branch, s.short(cmp.Or(a.Worktree, a.Folder)))), Style: cli.Dim})
	}
	t.Write()
}
