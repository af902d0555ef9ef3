package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

type sendIn struct {
	To     string `json:"to" jsonschema:"the name of an agent or of the developer, as who lists them"`
	Text   string `json:"text" jsonschema:"what to say; its first line becomes the subject"`
	Thread string `json:"thread,omitempty" jsonschema:"the thread to go on with; without it a new one begins"`
}

type sentOut struct {
	ID      string `json:"id"`
	From    string `json:"from"`
	To      string `json:"to"`
	Thread  string `json:"thread"`
	Warning string `json:"warning,omitempty"`
	// Reach says how the recipient is reached, where it is an agent: send (at its next step),
	// wake, wait, continue (it has ended) or begin (no agent works there yet).
	Reach agents.Way `json:"reach,omitempty"`
}

func (s *server) sendMail(ctx context.Context, _ *mcp.CallToolRequest, in sendIn) (result, error) {
	if err := checkText("text", in.Text); err != nil {
		return result{}, err
	}
	sent, err := s.Box().Send(ctx, in.To, in.Thread, in.Text)
	if err != nil {
		return result{}, err
	}
	return sentResult(sent), nil
}

// checkText refuses a blank text.
func checkText(name, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s is empty: say what the message is to say", name)
	}
	return nil
}

func sentResult(sent box.Sent) result {
	text := fmt.Sprintf("Sent to %s in thread %s, message %s.", sent.To, agent.Name(sent.Thread), sent.ID)
	if sent.Warning != "" {
		text += "\nWarning: " + sent.Warning
	}
	if notice := sent.Reach.Outcome(); notice != "" {
		text += "\n" + agent.Shown(notice) + "."
	}
	return result{text, sentOut{sent.ID, sent.From, sent.To, sent.Thread, sent.Warning, sent.Reach.Way}}
}

type replyIn struct {
	Text    string `json:"text" jsonschema:"the answer"`
	Message string `json:"message,omitempty" jsonschema:"the id of the message to answer, as check_mail showed it; SENDER:ID where several have that id"`
	Thread  string `json:"thread,omitempty" jsonschema:"answer the newest message to you in this thread, if one sender wrote them all"`
}

func (s *server) reply(ctx context.Context, _ *mcp.CallToolRequest, in replyIn) (result, error) {
	if err := checkText("text", in.Text); err != nil {
		return result{}, err
	}
	target, err := s.answered(ctx, in)
	if err != nil {
		return result{}, err
	}
	sent, err := s.Box().Answer(ctx, target, in.Text)
	if err != nil {
		return result{}, err
	}
	return sentResult(sent), nil
}

// answered returns the message to answer. It never guesses between senders.
func (s *server) answered(ctx context.Context, in replyIn) (*samp.Found, error) {
	means := func(m *samp.Found) bool { return len(samp.Matches([]samp.Found{*m}, in.Message)) > 0 }
	switch {
	case in.Message == "" && in.Thread == "":
		return nil, errors.New("say what is answered: give message, the id that check_mail showed, or thread")
	case in.Message == "":
		means = func(m *samp.Found) bool { return m.Thread == in.Thread }
	case len(in.Message) < cli.MinPrefix:
		return nil, fmt.Errorf("message is %q: give the id that check_mail showed, at least %d characters of it", in.Message, cli.MinPrefix)
	}
	var list []samp.Found
	err := s.Box().Each(ctx, func(m *samp.Found) bool {
		if means(m) {
			list = append(list, box.Clone(m))
		}
		return len(list) < maxNamed
	})
	if in.Message != "" {
		list = samp.Matches(list, in.Message)
	}
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, errors.New("no message to you has that id or thread; search_mail finds messages, send_mail begins a thread")
	}
	newest := &list[len(list)-1]
	if in.Message != "" && len(list) > 1 {
		return nil, errors.New("several messages to you have that id" + choose(list))
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].From != newest.From {
			return nil, fmt.Errorf("%s and %s both wrote to you there%s", agent.Name(list[i].From), agent.Name(newest.From), choose(list))
		}
	}
	return newest, nil
}

// maxNamed is how many messages with the id or thread are considered.
const maxNamed = 10000

// maxChosen is how many messages are listed to choose from.
const maxChosen = 5

func choose(list []samp.Found) string {
	var b strings.Builder
	b.WriteString(": give message, one of these:")
	tokens := samp.Tokens(list)
	for i := len(list) - 1; i >= max(0, len(list)-maxChosen); i-- {
		m := &list[i]
		fmt.Fprintf(&b, "\n%s (from %s, %s)", agent.Name(tokens[i]), agent.Name(m.From), agent.Time(show.Millis(m.TS)))
	}
	return b.String()
}
