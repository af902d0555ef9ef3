package agent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// errQuit ends the dialog.
var errQuit = errors.New("quit")

// oneByOne shows each request and asks what to answer. The enter key alone answers nothing.
func (a *answering) oneByOne(ctx context.Context, list []ask.Request) error {
	if len(list) == 0 {
		_, err := io.WriteString(a.Stdout, "No agent asks for anything.\n")
		return err
	}
	a.typed = bufio.NewReaderSize(a.In, ask.MaxReason)
	given, err := (&numbers{}).give(ctx, a.Options, askRows(list), false)
	if err != nil {
		a.Warn("%v", err)
	}
	for i := range list {
		r := &list[i]
		a.show(r, given[i])
		d, err := a.decide(r)
		if errors.Is(err, errQuit) {
			return nil
		}
		if err != nil {
			return err
		}
		if d == nil {
			continue
		}
		if err := a.give(ctx, r, d); err != nil {
			a.Warn("%v", err) // the request may be over; go on with the next one
		}
	}
	return nil
}

// show writes all of a request to stdout, or with --json to stderr, where the person is asked.
func (a *answering) show(r *ask.Request, number int) {
	w := a.Writer()
	if a.JSON {
		w = bufio.NewWriter(a.Stderr)
	}
	s := cli.Sheet{W: w}
	called := ""
	if number > 0 {
		called = fmt.Sprintf("  [%d]", number)
	}
	fmt.Fprintf(w, "\n%s%s\n", a.Paint().In(cli.Bold, cli.Line(headline(r))), called)
	s.Row("agent", "%s, session %s", r.Client, r.Session)
	s.Row("where", "%s", r.Folder)
	s.Row("since", "%s", a.When(r.Since))
	switch {
	case r.Long > 0:
		s.Row("input", "%d bytes, too long to be shown: it can be denied here, and allowed at its own dialog", r.Long)
	case r.Kind == ask.Question:
		for i := range r.Questions {
			showQuestion(s, i+1, &r.Questions[i])
		}
	case r.Kind == ask.Plan && r.Plan != "":
		s.Text(show.Exact(r.Plan))
	case r.Kind == ask.Plan:
		s.Row("plan", "its program gave no text of it")
	default:
		for _, p := range r.Parts() {
			switch {
			case plain(p.Name):
				s.Row(p.Name, "")
			case p.Name != "": // the name could look like another row
				exactly(s, "argument", p.Name)
			}
			s.Text(show.Exact(p.Text))
		}
	}
	for _, k := range a.risks(r) {
		s.Row("risk", "%s", a.Paint().In(riskStyle(k.Level), cli.WholeLine(riskText(&k))))
	}
	for i, rule := range r.Rules {
		exactly(s, "rule "+strconv.Itoa(i+1), rule.Text)
	}
	_ = w.Flush() // the next write returns the error
}

// risks returns the parts of a request that are hard to undo or to see.
func (b *commands) risks(r *ask.Request) []panel.Risk {
	marked := slices.ContainsFunc(r.Parts(), func(p ask.Part) bool { return show.Exact(p.Text) != p.Text })
	return agents.Risks(r, b.Env.Home, marked)
}

func headline(r *ask.Request) string {
	what := map[ask.Kind]string{ask.Permission: "wants to use " + r.Tool, ask.Question: "asks", ask.Plan: "has a plan"}[r.Kind]
	name := r.Alias
	if name == "" {
		name = r.Client
	}
	return name + " " + show.Exact(what)
}

// exactly writes a row with a text that the person decides on. If a row would not show all of it,
// the text goes below the row.
func exactly(s cli.Sheet, name, text string) {
	text = show.Exact(text)
	if cli.WholeLine(text) == text {
		s.Row(name, "%s", text)
		return
	}
	s.Row(name, "")
	s.Text(text)
}

func showQuestion(s cli.Sheet, number int, q *ask.Asked) {
	several := ""
	if q.Multiple {
		several = " (several)"
	}
	exactly(s, "question "+strconv.Itoa(number), q.Text+several)
	for i, o := range q.Options {
		text := show.Exact(o.Label)
		if o.Description != "" {
			text += ": " + show.Exact(o.Description)
		}
		s.Row("", "%d  %s", i+1, text)
	}
}

// decide asks what to answer. It returns nil if the request is left unanswered.
func (a *answering) decide(r *ask.Request) (*ask.Answer, error) {
	if r.Kind == ask.Question && r.Long == 0 && !r.DenyOnly {
		return a.form(r)
	}
	yes := r.Long == 0 && !r.DenyOnly
	var can []string
	if yes {
		can = append(can, "y: yes, once")
	}
	if yes && len(r.Rules) > 0 {
		can = append(can, "r: yes, and by a rule from now on")
	}
	if yes && len(r.Modes) > 0 {
		can = append(can, "e: yes, and edit without asking")
	}
	for {
		word, err := a.line(strings.Join(append(can, "n: no", "Enter: later", "q: quit"), ", ") + "? ")
		if err != nil {
			return nil, err
		}
		switch word {
		case "":
			return nil, nil
		case "q":
			return nil, errQuit
		case "n":
			why, err := a.line("Why (the agent is told)? ")
			return &ask.Answer{Reason: why}, err
		}
		switch {
		case !yes:
		case word == "y", word == "yes":
			return &ask.Answer{Allow: true}, nil
		case word == "e" && len(r.Modes) > 0:
			return &ask.Answer{Allow: true, Mode: r.Modes[0]}, nil
		case word == "r" && len(r.Rules) > 0:
			return a.rule(r)
		}
	}
}

// rule asks which rule to allow from now on. It returns nil if none is chosen.
func (a *answering) rule(r *ask.Request) (*ask.Answer, error) {
	word, err := a.line("Which rule, by its number (Enter: none)? ")
	if n, wrong := strconv.Atoi(word); err == nil && wrong == nil && n >= 1 && n <= len(r.Rules) {
		return &ask.Answer{Allow: true, Rules: []int{n - 1}}, nil
	}
	return nil, err
}

// form asks for the answer to each question. It returns nil if the request is left unanswered.
func (a *answering) form(r *ask.Request) (*ask.Answer, error) {
	d := &ask.Answer{Allow: true}
	for i := range r.Questions {
		word, err := a.line(fmt.Sprintf("Answer %d: numbers of options, or a text (Enter: later, q: quit)? ", i+1))
		switch {
		case err != nil:
			return nil, err
		case word == "":
			return nil, nil
		case word == "q" && !slices.ContainsFunc(r.Questions[i].Options, func(o ask.Option) bool { return o.Label == "q" }):
			return nil, errQuit
		}
		d.Answers = append(d.Answers, choices(&r.Questions[i], word))
	}
	if err := r.Fits(d); err != nil {
		a.Warn("%v", err)
		return nil, nil
	}
	return d, nil
}

// line asks for a line. The end of the input quits.
func (a *answering) line(question string) (string, error) {
	io.WriteString(a.Stderr, question)
	word, err := a.typed.ReadSlice('\n')
	if err != nil {
		return "", errQuit
	}
	return strings.TrimSpace(string(word)), nil
}
