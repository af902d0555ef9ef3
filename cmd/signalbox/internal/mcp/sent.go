package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

type sentMailIn struct {
	To     string `json:"to,omitempty" jsonschema:"only mail to this name"`
	Thread string `json:"thread,omitempty" jsonschema:"only mail of this thread"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many messages at most; 20 unless given, up to 100"`
}

type sentMailOut struct {
	Messages []outgoing `json:"messages"`
	More     int        `json:"more"` // how many older ones there are
}

// outgoing is a message that the agent sent, and what became of it.
type outgoing struct {
	ID      string        `json:"id"`
	To      string        `json:"to"`
	Thread  string        `json:"thread"`
	Time    string        `json:"time"`
	Receipt panel.Receipt `json:"receipt"`
}

func (s *server) sentMail(ctx context.Context, _ *mcp.CallToolRequest, in sentMailIn) (result, error) {
	limit, err := limited(in.Limit)
	if err != nil {
		return result{}, err
	}
	list, total, err := s.Box().Outgoing(ctx, limit, func(m *samp.Found) bool {
		return (in.To == "" || m.To == in.To) && (in.Thread == "" || m.Thread == in.Thread)
	})
	if err != nil {
		return result{}, err
	}
	out := sentMailOut{Messages: []outgoing{}, More: total - len(list)}
	var b strings.Builder
	if len(list) == 0 {
		b.WriteString("You have sent no such message.\n")
	}
	for i := range list {
		m := &list[i]
		at := agent.Time(show.Millis(m.TS))
		fmt.Fprintf(&b, "- to %s, %s, thread %s, message %s: %s. It begins: %s\n", agent.Name(m.To), at, agent.Name(m.Thread), agent.Name(m.Key),
			m.Receipt.Words(agent.Time), agent.Quoted(samp.FirstLine(m.Body)))
		out.Messages = append(out.Messages, outgoing{m.Key, m.To, m.Thread, at, m.Receipt})
	}
	if out.More > 0 {
		fmt.Fprintf(&b, "%s not listed: give thread or to.\n", cli.Plural(out.More, "older message"))
	}
	return result{b.String(), out}, nil
}
