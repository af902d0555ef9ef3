package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	transcript "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

const (
	// defaultWait is how long a call waits by default, in seconds. Clients end a call after
	// a minute.
	defaultWait = 45
	maxWait     = 3600
	// progressEvery is how often a client is notified that a call still waits. Some clients
	// then allow it more time.
	progressEvery = 5 * time.Second
)

type waitIn struct {
	Seconds *int   `json:"seconds,omitempty" jsonschema:"how long to wait; 45 unless given. Many clients end a call after 60"`
	From    string `json:"from,omitempty" jsonschema:"only for mail of this sender"`
	Thread  string `json:"thread,omitempty" jsonschema:"only for mail of this thread"`
}

func (s *server) waitForMail(ctx context.Context, req *mcp.CallToolRequest, in waitIn) (result, error) {
	if _, err := s.Alias(); err != nil {
		return result{}, err
	}
	wait, err := seconds(in.Seconds)
	if err != nil {
		return result{}, err
	}
	if wait == 0 {
		return s.checkMail(ctx, req, checkIn{From: in.From, Thread: in.Thread, Limit: maxLimit})
	}
	m, list, err := s.await(ctx, req, wait, s.Box().Wait, func(f *samp.Found) bool { return matches(f, in.From, in.Thread) })
	if err != nil {
		return result{}, err
	}
	if m == nil {
		return result{fmt.Sprintf("No mail came in %s. Go on with other work, or wait again.", wait), mailOut{You: s.ChooseAlias().Value, Messages: []messageData{}, Pending: true}}, nil
	}
	text, out, err := s.show(ctx, m, list, maxLimit, false)
	return result{text, out}, err
}

func seconds(given *int) (time.Duration, error) {
	n := defaultWait
	if given != nil {
		n = *given
	}
	if n < 0 || n > maxWait {
		return 0, fmt.Errorf("%d seconds cannot be waited: give 0 to %d", n, maxWait)
	}
	return time.Duration(n) * time.Second, nil
}

// accepting waits until there is mail that a function accepts. It returns none if its context ends.
type accepting func(context.Context, func(*samp.Found) bool) (*box.Waiting, []box.Unread, error)

// await waits for mail, and reports progress to the client. The mail is nil if none came.
func (s *server) await(ctx context.Context, req *mcp.CallToolRequest, wait time.Duration, until accepting, accept func(*samp.Found) bool) (*box.Waiting, []box.Unread, error) {
	s.out.settle()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if token := req.Params.GetProgressToken(); token != nil {
		go reportProgress(ctx, req.Session, token, wait)
	}
	return until(ctx, accept)
}

func reportProgress(ctx context.Context, session *mcp.ServerSession, token any, wait time.Duration) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for done := progressEvery; ; done += progressEvery {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: done.Seconds(), Total: wait.Seconds(), Message: "waiting for mail",
			})
		}
	}
}

type askIn struct {
	Question string   `json:"question" jsonschema:"what you need to know, with all that is needed to answer it: the reader does not see your work"`
	Options  []string `json:"options,omitempty" jsonschema:"2 to 12 answers to choose from, one line each; other answers stay possible"`
	To       string   `json:"to,omitempty" jsonschema:"whom to ask; the developer unless given"`
	Thread   string   `json:"thread,omitempty" jsonschema:"the thread to ask in; a question that you asked there before is overtaken by this one"`
	Urgent   bool     `json:"urgent,omitempty" jsonschema:"the developer is notified at once: only when work is lost or something breaks without an answer"`
	Wait     *int     `json:"wait_seconds,omitempty" jsonschema:"how long to wait for the answer; 45 unless given, 0 not to wait"`
}

func (s *server) ask(ctx context.Context, req *mcp.CallToolRequest, in askIn) (result, error) {
	wait, err := seconds(in.Wait)
	if err != nil {
		return result{}, err
	}
	if err := checkText("question", in.Question); err != nil {
		return result{}, err
	}
	in.Options = apart(in.Options)
	text, err := questionText(&in)
	if err != nil {
		return result{}, err
	}
	to, err := s.asked(in.To)
	if err != nil {
		return result{}, err
	}
	overtaken, err := s.Box().Asked(ctx, in.Thread, to)
	if err != nil {
		return result{}, err
	}
	arrivals, err := s.Box().Arrivals(ctx)
	if err != nil {
		return result{}, err
	}
	defer arrivals.Close()
	sent, err := s.Box().Send(ctx, to, in.Thread, text)
	if err != nil {
		return result{}, err
	}
	a, err := s.awaitAnswer(ctx, req, &in, &sent.Record, wait, arrivals)
	switch {
	case err != nil:
		return result{}, err
	case a.mail == nil && a.unwritten != "":
		text = fmt.Sprintf("%s answered here, and it could not be written down as mail: %s", agent.Name(to), agent.Shown(a.unwritten))
		return result{text, mailOut{You: sent.From, Messages: []messageData{}, Thread: sent.Thread, Choice: choice(a.unwritten, in.Options)}}, nil
	case a.mail == nil:
		return pending(sent, overtaken), nil
	}
	text, out, err := s.show(ctx, a.mail, a.list, maxLimit, false)
	if err != nil {
		return result{}, err
	}
	out.Thread, out.Choice = sent.Thread, a.choice
	if out.Choice != "" {
		text = fmt.Sprintf("%s chose: %s\n\n", agent.Name(to), out.Choice) + text
	}
	return result{text, out}, nil
}

// answer is the answer to a question.
type answer struct {
	// mail is the mail with the answer, nil if none came, and list the messages in it that answer.
	mail *box.Waiting
	list []box.Unread
	// choice is the option that was chosen, if one was.
	choice string
	// unwritten is an answer from a form that could not be written as mail.
	unwritten string
}

// awaitAnswer waits for the answer to a question. The person is also asked in a form.
func (s *server) awaitAnswer(ctx context.Context, req *mcp.CallToolRequest, in *askIn, asked *samp.Record, wait time.Duration, arrivals *box.Arrivals) (a answer, err error) {
	closeForm := func() string { return "" }
	asking, over := context.WithCancel(ctx)
	defer over()
	if asked.To == s.Person() && wait > 0 {
		defer s.waiting(ctx, in)()
		closeForm = s.form(ctx, req.Session, in, asked, over)
	}
	a.mail, a.list, err = s.await(asking, req, wait, arrivals.Wait, func(f *samp.Found) bool {
		// Mail that arrives now may have been written before the question.
		if f.Thread != asked.Thread || f.From != asked.To || f.TS < asked.TS {
			return false
		}
		a.choice = cmp.Or(a.choice, choice(f.Body, in.Options))
		return true
	})
	a.unwritten = closeForm()
	return a, err
}

// apart splits options that came as one text: into lines, or if there is only one, at
// commas. A single option would not be a choice.
func apart(options []string) []string {
	if len(options) != 1 {
		return options
	}
	parts := strings.Split(strings.TrimSpace(options[0]), "\n")
	if len(parts) == 1 {
		parts = strings.Split(parts[0], ",")
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// waiting records that the agent waits for the person, and returns a function that records the end.
func (s *server) waiting(ctx context.Context, in *askIn) func() {
	text := "an answer: " + transcript.Question(in.Question, in.Options)
	id := s.Env.Getenv("CLAUDE_CODE_SESSION_ID")
	return activity.At(s.Env.StateDir()).Asking(ctx, s.ChooseAlias().Value, id, text, s.Now().UnixMilli())
}

func (s *server) asked(to string) (string, error) {
	if to = cmp.Or(to, s.Person()); to == "" {
		return "", fmt.Errorf("nobody said who the developer is: give to, a name that who lists, or have %q run", "signalbox setup")
	}
	return to, nil
}

// questionText returns the text of the question, in a form in which every reader recognises
// a question, and that it is urgent.
func questionText(in *askIn) (string, error) {
	question := in.Question
	if _, asks := mail.Asked(question); !asks && len(in.Options) == 0 {
		question = strings.TrimRight(question, " \t\r\n") + "\n\n" + box.Request
	}
	text, err := mail.WithOptions(question, in.Options)
	if q, _ := mail.Asked(text); in.Urgent && !q.Urgent {
		text = "Urgent: " + text
	}
	return text, err
}

func pending(sent box.Sent, overtaken string) result {
	text := fmt.Sprintf("No answer yet; the question was sent to %s in thread %s. Go on with other work: the answer comes with check_mail. "+
		"If you can do nothing without it, call wait_for_mail with that thread. To ask differently call ask again with that thread.", sent.To, agent.Name(sent.Thread))
	if overtaken != "" {
		text += fmt.Sprintf("\nIt overtakes your question before it: %s", agent.Quoted(overtaken))
	}
	out := mailOut{You: sent.From, Messages: []messageData{}, Pending: true, Thread: sent.Thread}
	if sent.Warning != "" {
		text += "\nWarning: " + sent.Warning
		out.Warnings = []string{sent.Warning}
	}
	return result{text, out}
}

func choice(answer string, options []string) string {
	answer, _, _ = strings.Cut(answer, answeredIn)
	if text := strings.TrimSpace(answer); slices.Contains(options, text) {
		return text
	}
	return ""
}
