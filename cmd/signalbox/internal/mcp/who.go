package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

type whoOut struct {
	You    string      `json:"you"`
	Origin string      `json:"you_from"`
	Person string      `json:"person,omitempty"`
	Others []box.Other `json:"others"`
}

type whoIn struct {
	Name string `json:"name,omitempty" jsonschema:"tell about this name only; about all unless given"`
}

func (s *server) who(ctx context.Context, _ *mcp.CallToolRequest, in whoIn) (result, error) {
	me := s.Who()
	out := whoOut{You: me.Value, Origin: me.Origin, Person: s.Person(), Others: []box.Other{}}
	others, err := s.Box().Others(ctx)
	if err != nil {
		return result{}, err
	}
	var b strings.Builder
	if err := me.Check(); err != nil {
		fmt.Fprintf(&b, "You can read and send no mail: %s.\n", agent.Shown(err.Error()))
	} else {
		fmt.Fprintf(&b, "You are %s (%s).\n", me.Value, me.Origin)
	}
	if text := me.Remark(); text != "" {
		fmt.Fprintf(&b, "Your name: %s.\n", agent.Shown(text))
	}
	if out.Person == "" {
		b.WriteString("Nobody said who the developer is.\n")
	} else {
		fmt.Fprintf(&b, "The developer is %s.\n", out.Person)
	}
	for i := range others {
		o := &others[i]
		if o.Alias != me.Value && (in.Name == "" || o.Alias == in.Name) {
			out.Others = append(out.Others, *o)
			b.WriteString("- " + about(o) + "\n")
		}
	}
	return result{b.String(), out}, nil
}

func about(p *box.Other) string {
	parts := []string{p.Alias}
	if p.Heard != 0 {
		parts = append(parts, "last wrote "+agent.Time(p.Heard))
	}
	if p.Tree != "" && len(p.Doing) == 0 {
		text := "no session under way in " + agent.Quoted(p.Tree)
		if p.Branch != "" {
			text += " on branch " + agent.Name(p.Branch)
		}
		parts = append(parts, text)
	}
	for _, d := range p.Doing {
		text := string(d.State)
		if d.For != "" {
			text += " for " + agent.Name(d.For)
		}
		text += " since " + agent.Time(d.Since) + " in " + d.Client
		if d.Branch != "" {
			text += " on branch " + agent.Name(d.Branch)
		}
		parts = append(parts, text)
	}
	if p.Reach == agents.Continue {
		parts = append(parts, "whose session has ended")
	}
	return strings.Join(parts, ", ") + p.Reach.More()
}
