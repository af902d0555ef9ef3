package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

const (
	defaultLimit = 20
	maxLimit     = 100
)

type checkIn struct {
	From   string `json:"from,omitempty" jsonschema:"only mail of this sender"`
	Thread string `json:"thread,omitempty" jsonschema:"only mail of this thread"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many messages at most; 20 unless given, up to 100"`
	Keep   bool   `json:"keep_unread,omitempty" jsonschema:"do not mark what is returned as read"`
}

// mailOut is mail as data.
type mailOut struct {
	You      string        `json:"you"`
	Messages []messageData `json:"messages"`
	// More counts what matches and is not returned, Other what waits and does not match.
	More     int      `json:"more"`
	Other    int      `json:"other,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Pending  bool     `json:"pending,omitempty"`
	Thread   string   `json:"thread,omitempty"`
	Choice   string   `json:"choice,omitempty"`
}

type messageData struct {
	ID      string   `json:"id"`
	From    string   `json:"from"`
	Thread  string   `json:"thread"`
	Time    string   `json:"time"`
	Text    string   `json:"text"`
	Options []string `json:"options,omitempty"`
	// Answers is the question of the agent's own that the message answers.
	Answers string `json:"answers,omitempty"`
}

func (s *server) checkMail(ctx context.Context, _ *mcp.CallToolRequest, in checkIn) (result, error) {
	limit, err := limited(in.Limit)
	if err != nil {
		return result{}, err
	}
	s.out.settle()
	m, err := s.Box().Waiting(ctx)
	if err != nil {
		return result{}, err
	}
	list := m.Unread
	if in.From != "" || in.Thread != "" {
		if list, err = m.Pick(ctx, func(f *samp.Found) bool { return matches(f, in.From, in.Thread) }); err != nil {
			m.Close()
			return result{}, err
		}
	}
	text, out, err := s.show(ctx, m, list, limit, in.Keep)
	return result{text + s.remark() + s.takenByOthers(), out}, err
}

func limited(given int) (int, error) {
	if given < 0 || given > maxLimit {
		return 0, fmt.Errorf("limit is %d, and must be 1 to %d", given, maxLimit)
	}
	return cmp.Or(given, defaultLimit), nil
}

// remark returns, once, why the agent's name differs from its folder's: not every client has
// hooks that say so when a session starts.
func (s *server) remark() string {
	me := s.Who()
	if text := me.Remark(); text != "" && s.me.first(text) {
		return "\nYour name: " + agent.Shown(text) + ".\n"
	}
	return ""
}

// takenByOthers returns, once for each message, which mail another session of the same name has
// read meanwhile: this session would not get it.
func (s *server) takenByOthers() string {
	var b strings.Builder
	for _, t := range s.Box().TakenByOthers(s.me.session()) {
		if s.me.first(t.Key) {
			fmt.Fprintf(&b, "\nAnother session that goes by your name (%s) has read a message from %s at %s, thread %s, message %s: read_thread shows it.\n",
				agent.Name(t.By), agent.Name(t.From), agent.Time(t.At), agent.Name(t.Thread), agent.Name(t.Key))
		}
	}
	return b.String()
}

func matches(m *samp.Found, from, thread string) bool {
	return (from == "" || m.From == from) && (thread == "" || m.Thread == thread)
}

// show returns mail as a result, and marks it as read once the result was written. It closes the
// mail.
func (s *server) show(ctx context.Context, m *box.Waiting, list []box.Unread, limit int, keep bool) (text string, out mailOut, err error) {
	frame := agent.NewFrame(s.value())
	out = mailOut{You: m.Me, Messages: []messageData{}, Warnings: m.Warnings}
	var b strings.Builder
	n, open := 0, false
	defer func() {
		if !open {
			m.Close()
		}
	}()
	var taken []box.Taken
	questions, err := m.Questions(ctx)
	if err != nil {
		return "", out, err
	}
	for f, err := range m.Texts(ctx, list[:min(len(list), limit)]) {
		if err != nil {
			return "", out, err
		}
		b.WriteString("\n")
		data := dataOf(f)
		if data.Answers = questions.Answered(f); data.Answers != "" {
			fmt.Fprintf(&b, "This answers your question %s.\n", agent.Quoted(data.Answers))
		}
		b.WriteString(frame.Message(f))
		out.Messages = append(out.Messages, data)
		s.me.first(data.ID) // the agent gets it here
		taken = append(taken, box.Taken{From: data.From, Thread: data.Thread, Key: data.ID})
		if n++; b.Len() >= agent.MaxPage {
			break
		}
	}
	shown := slices.Clone(list[:n])
	out.More, out.Other = len(list)-n, len(m.Unread)-len(list)
	if !keep && n > 0 {
		open = true
		s.out.after(frame.Value(), func() {
			defer m.Close()
			if ctx.Err() != nil {
				return // the client cancelled the call, and may not show its result
			}
			// In this order, no other session finds mail missing without a record of who took it.
			// Mail that cannot be marked as read is shown again.
			s.Box().NoteTaken(m.Me, s.me.session(), taken)
			_ = m.Take(shown)
		})
	}
	return head(&out, frame, n) + b.String() + tail(&out), out, nil
}

func head(out *mailOut, frame agent.Frame, n int) string {
	if n == 0 {
		return fmt.Sprintf("No new mail for %s.\n", out.You)
	}
	return fmt.Sprintf("%s for %s.\n%s", cli.Plural(n, "new message"), out.You, frame.Notice())
}

func tail(out *mailOut) string {
	var b strings.Builder
	if out.More > 0 {
		fmt.Fprintf(&b, "\n%s wait: call check_mail again.\n", cli.Plural(out.More, "more message"))
	}
	if out.Other > 0 {
		fmt.Fprintf(&b, "\n%s of others or other threads wait, too.\n", cli.Plural(out.Other, "message"))
	}
	for _, w := range out.Warnings {
		fmt.Fprintf(&b, "\nWarning: %s\n", agent.Name(w))
	}
	if len(out.Messages) > 0 {
		b.WriteString("\nAnswer with reply and the message's id, if an answer is wanted.\n")
	}
	return b.String()
}

func dataOf(m *samp.Found) messageData {
	_, options := mail.Options(strings.Clone(m.Body)) // the text is valid until the next one
	return messageData{
		ID: strings.Clone(m.Key), From: strings.Clone(m.From), Thread: strings.Clone(m.Thread),
		Time: agent.Time(show.Millis(m.TS)), Text: strings.Clone(agent.Shown(m.Body)), Options: options,
	}
}
