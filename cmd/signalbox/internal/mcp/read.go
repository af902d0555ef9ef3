package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
)

type threadIn struct {
	Thread string `json:"thread" jsonschema:"the name of a thread, or the id of a message in it"`
	Before string `json:"before,omitempty" jsonschema:"the value that the page before gave, for older messages"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many messages at most; 20 unless given, up to 100"`
}

type threadOut struct {
	Title    string        `json:"title"`
	Count    int           `json:"count"`
	Messages []messageData `json:"messages"`
	// Before asks for the page before this one.
	Before string `json:"before,omitempty"`
}

func (s *server) readThread(ctx context.Context, _ *mcp.CallToolRequest, in threadIn) (result, error) {
	limit, err := limited(in.Limit)
	if err != nil {
		return result{}, err
	}
	p, err := s.Panels(ctx, panel.Options{Settings: panel.Settings{ReadOnly: true}})
	if err != nil {
		return result{}, err
	}
	defer p.Close()
	ref, err := find(ctx, p, in.Thread)
	if err != nil {
		return result{}, err
	}
	page, err := p.Thread(ctx, panel.ThreadParams{Ref: ref, Before: in.Before, Limit: limit})
	if err != nil {
		return result{}, err
	}
	frame := agent.NewFrame(s.value())
	out := threadOut{Title: page.Thread.Title, Count: page.Thread.Count, Messages: []messageData{}, Before: page.Before}
	var b strings.Builder
	fmt.Fprintf(&b, "Thread %s, %s.\n%s", agent.Name(page.Thread.Title), cli.Plural(page.Thread.Count, "message"), frame.Notice())
	if page.Before != "" {
		fmt.Fprintf(&b, "There are older messages: read_thread with before=%s.\n", page.Before)
	}
	for i := range page.Messages {
		m := &page.Messages[i]
		text := agent.Shown(m.Text)
		fmt.Fprintf(&b, "\nFrom %s to %s, %s, message %s:\n%s", agent.Name(m.From), agent.Name(cmp.Or(m.To, "nobody in particular")), agent.Time(m.Time), agent.Name(m.ID), frame.Text(text))
		out.Messages = append(out.Messages, messageData{ID: m.ID, From: m.From, Thread: page.Thread.Name, Time: agent.Time(m.Time), Text: text})
	}
	return result{b.String(), out}, nil
}

func several(id string, list []panel.Several) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is the id of several messages, for ids are not signed. Give the sender, too:", agent.Name(id))
	for i := range list {
		fmt.Fprintf(&b, "\n%s (from %s, %s)", agent.Name(list[i].Token), agent.Name(list[i].From), agent.Time(list[i].Time))
	}
	return b.String()
}

func find(ctx context.Context, p *door.Panels, token string) (panel.Ref, error) {
	links, err := p.Resolve(ctx, []string{token})
	if err != nil {
		return panel.Ref{}, err
	}
	switch l := links[0]; {
	case l.Thread != nil && l.Thread.Protocol == mail.AGN:
		return panel.Ref{}, fmt.Errorf("%q is a task: task_show shows it", token)
	case l.Thread != nil:
		return *l.Thread, nil
	case l.Status == panel.LinkAmbiguous:
		return panel.Ref{}, errors.New(several(token, l.Several))
	}
	return panel.Ref{}, fmt.Errorf("nothing is called %q: search_mail finds threads by their words", token)
}

type searchIn struct {
	Query string `json:"query" jsonschema:"words that all stand in a message, \"a phrase\", from:NAME, to:NAME, thread:NAME, is:unread, after:DAY, before:DAY, and for what agents did in:BRANCH, client:codex, tool:bash, file:PATH; a minus before a term excludes it"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many messages at most; 20 unless given, up to 100"`
}

type searchOut struct {
	Messages []messageData `json:"messages"`
	More     bool          `json:"more"`
	LeftOut  []string      `json:"left_out,omitempty"`
}

func (s *server) searchMail(ctx context.Context, _ *mcp.CallToolRequest, in searchIn) (result, error) {
	limit, err := limited(in.Limit)
	if err != nil {
		return result{}, err
	}
	p, err := s.Panels(ctx, panel.Options{Settings: panel.Settings{ReadOnly: true}, Once: true})
	if err != nil {
		return result{}, err
	}
	defer p.Close()
	page, err := p.Search(ctx, panel.SearchParams{Query: in.Query, Limit: limit})
	if err != nil {
		return result{}, err
	}
	return s.found(&page), nil
}

func (s *server) found(page *panel.SearchPage) result {
	frame := agent.NewFrame(s.value())
	out := searchOut{Messages: []messageData{}, More: page.NextCursor != ""}
	var b strings.Builder
	for _, problem := range page.Problems {
		out.LeftOut = append(out.LeftOut, problem.Message)
		fmt.Fprintf(&b, "Left out of the query: %s\n", problem.Message)
	}
	if len(page.Hits) == 0 {
		b.WriteString("Nothing was found.\n")
		return result{b.String(), out}
	}
	fmt.Fprintf(&b, "%s, the newest first. read_thread shows all of one.\n%s", cli.Plural(len(page.Hits), "message"), frame.Notice())
	for i := range page.Hits {
		h := &page.Hits[i]
		thread := cmp.Or(h.Name, h.Title)
		_, id, _ := h.Message.Message()
		fmt.Fprintf(&b, "\nFrom %s, %s, thread %s, message %s:\n%s", agent.Name(h.From), agent.Time(h.Time), agent.Name(thread), agent.Name(id), frame.Text(h.Lines()))
		out.Messages = append(out.Messages, messageData{ID: id, From: h.From, Thread: thread, Time: agent.Time(h.Time), Text: h.Lines()})
	}
	if out.More {
		b.WriteString("\nThere are more: narrow the query.\n")
	}
	return result{b.String(), out}
}
