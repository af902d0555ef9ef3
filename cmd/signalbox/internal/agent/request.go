package agent

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// outcome returns the decision in words.
func outcome(r *ask.Request, d *ask.Answer) string {
	switch {
	case !d.Allow && r.Kind == ask.Plan:
		return "keeps planning"
	case !d.Allow:
		return "denied"
	case r.Kind == ask.Question:
		return "answered"
	case r.Kind == ask.Plan:
		return "approved"
	case len(d.Rules) > 0:
		return "allowed from now on"
	}
	return "allowed once"
}

// choices returns what a text chooses: options by number or label, several with commas. If a part
// is not an option, it returns the whole text as the person's own answer.
func choices(q *ask.Asked, text string) (list []string) {
	if known(q, text) {
		return []string{text}
	}
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(q.Options) {
			word = q.Options[n-1].Label
		}
		if !known(q, word) {
			return []string{text}
		}
		list = append(list, word)
	}
	return list
}

func known(q *ask.Asked, label string) bool {
	return slices.ContainsFunc(q.Options, func(o ask.Option) bool { return o.Label == label })
}

// maxRow is how many columns a row shows of what a request is for, even on a narrow terminal.
const maxRow = 80

// inRow reports whether a row of "needs" shows everything the person decides on: the request has
// only one argument, apart from a description.
func inRow(r *ask.Request) bool {
	list := slices.DeleteFunc(r.Parts(), func(p ask.Part) bool { return p.Name == "description" })
	if r.Kind != ask.Permission || len(list) != 1 {
		return false
	}
	words, text := r.Wants(), list[0].Text
	return strings.HasSuffix(words, text) && show.Exact(text) == text && show.Line(text) == text && show.Columns(words) <= maxRow
}

// about returns a short text of who asks and what for.
func about(r *ask.Request) string {
	what := r.Tool
	switch parts := r.Parts(); {
	case r.Kind == ask.Question:
		what = r.Questions[0].Text
	case r.Kind == ask.Plan:
		what = "its plan"
	case len(parts) > 0:
		what += " " + parts[0].Text
	}
	return cmp.Or(r.Alias, r.Client) + ": " + show.Exact(what)
}

func requestJSON(r *ask.Request) printed.Request {
	p := printed.Request{
		ID: r.ID, Hash: r.Hash, Client: r.Client, Session: r.Session, Alias: r.Alias, Folder: r.Folder, Worktree: r.Worktree,
		Kind: string(r.Kind), Tool: r.Tool, Input: printed.Raw(r.Input), Long: r.Long, Plan: r.Plan, Modes: r.Modes, Time: r.Since, Until: r.Until,
		Rules: []string{}, Questions: []printed.Question{},
	}
	for _, rule := range r.Rules {
		p.Rules = append(p.Rules, rule.Text)
	}
	for _, q := range r.Questions {
		asked := printed.Question{Text: q.Text, Options: []string{}, Multiple: q.Multiple}
		for _, o := range q.Options {
			asked.Options = append(asked.Options, o.Label)
		}
		p.Questions = append(p.Questions, asked)
	}
	return p
}

func answerJSON(e *ask.Entry) printed.Answer {
	d := &e.Answer
	p := printed.Answer{
		Time: d.At, By: d.By, Where: d.Where, Allow: d.Allow, Reason: d.Reason, Answers: d.Answers, Mode: d.Mode, Rules: []string{},
		Request: requestJSON(&e.Request),
	}
	if p.Answers == nil {
		p.Answers = [][]string{}
	}
	for _, i := range d.Rules {
		if i >= 0 && i < len(e.Request.Rules) {
			p.Rules = append(p.Rules, e.Request.Rules[i].Text)
		}
	}
	return p
}
