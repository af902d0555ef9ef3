package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/core/samp"
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
}

func (s *server) sendMail(ctx context.Context, _ *mcp.CallToolRequest, in sendIn) (result, error) {
	if err := checkText("text", in.Text); err != nil {
		return result{}, err
	}
	sent, err := s.Send(ctx, in.To, in.Thread, in.Text)
	if err != nil {
		return result{}, err
	}
	return said(sent), nil
}

// checkText refuses a text without a word.
func checkText(name, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s is empty: say what the message is to say", name)
	}
	return nil
}

func said(sent agent.Sent) result {
	text := fmt.Sprintf("Sent to %s in thread %s, message %s.", sent.To, agent.Name(sent.Thread), sent.ID)
	if sent.Warning != "" {
		text += "\nWarning: " + sent.Warning
	}
	return result{text, sentOut{sent.ID, sent.From, sent.To, sent.Thread, sent.Warning}}
}

type replyIn struct {
	Text    string `json:"text" jsonschema:"the answer"`
	Message string `json:"message,omitempty" jsonschema:"the id of the message to answer"`
	Thread  string `json:"thread,omitempty" jsonschema:"answer the newest message to you in this thread, if one sender wrote them all"`
}

func (s *server) reply(ctx context.Context, _ *mcp.CallToolRequest, in replyIn) (result, error) {
	if err := checkText("text", in.Text); err != nil {
		return result{}, err
	}
	all, err := s.All(ctx)
	if err != nil {
		return result{}, err
	}
	target, err := answered(all, in)
	if err != nil {
		return result{}, err
	}
	sent, err := s.Answer(ctx, target, in.Text)
	if err != nil {
		return result{}, err
	}
	return said(sent), nil
}

// answered returns the message that is to be answered. It never guesses between senders.
func answered(all []samp.Found, in replyIn) (*samp.Found, error) {
	switch {
	case in.Message != "":
		if err := checkPrefix(in.Message); err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(m samp.Found) bool { return !strings.HasPrefix(m.Key, in.Message) })
	case in.Thread != "":
		all = slices.DeleteFunc(all, func(m samp.Found) bool { return m.Thread != in.Thread })
	default:
		return nil, errors.New("say what is answered: give message, the id that check_mail showed, or thread")
	}
	if len(all) == 0 {
		return nil, errors.New("no message to you has that id or thread; search_mail finds messages, send_mail begins a thread")
	}
	newest := &all[len(all)-1]
	for i := range all {
		if all[i].From != newest.From || in.Message != "" && all[i].Key != newest.Key {
			return nil, fmt.Errorf("%s and %s both wrote to you there: give message, the id of the one to answer: %s or %s",
				agent.Name(all[i].From), agent.Name(newest.From), agent.Name(all[i].Key), agent.Name(newest.Key))
		}
	}
	return newest, nil
}
