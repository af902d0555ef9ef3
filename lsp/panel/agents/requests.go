package agents

import (
	"context"
	"errors"
	"slices"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// maxShown is how many bytes of texts a list has of one request, and maxListed of all.
	maxShown  = 16 << 10
	maxListed = 1 << 20
	// maxWhole is more than the texts of any request take: an input, and what was made from it.
	maxWhole = 16 * ask.MaxInput
	// textCost is added to the bytes of each text.
	textCost = 16
)

// requestItem returns a request as it is shown, with at most most bytes of its texts, and how many
// of these bytes are left. home is the user's own folder.
func requestItem(r *ask.Request, home string, most int) (shown *panel.AgentRequest, left int) {
	it := &panel.AgentRequest{
		ID: r.ID, Hash: r.Hash, Kind: panel.RequestKind(r.Kind), Tool: show.Exact(show.Line(r.Tool)), Input: []panel.Argument{}, Long: r.Long,
		DenyOnly: r.DenyOnly, Since: show.Time(r.Since), Until: show.Time(r.Until),
	}
	part := func(text string) string {
		if len(text) > most {
			text, it.Cut = excerpt.Head(text, most), true
		}
		most = max(0, most-len(text)-textCost)
		exact := show.Exact(text)
		it.Marked = it.Marked || exact != text
		return exact
	}
	for _, p := range r.Parts() {
		if it.Cut {
			break
		}
		it.Input = append(it.Input, panel.Argument{Name: part(p.Name), Text: part(p.Text)})
	}
	it.Plan = part(r.Plan)
	if html := show.HTML(it.Plan); !it.Cut && len(it.Plan) <= show.BodyShown && len(html) <= 2*show.BodyShown {
		it.PlanHTML = html
	}
	for _, rule := range r.Rules {
		it.Rules = append(it.Rules, part(rule.Text))
	}
	for _, q := range r.Questions {
		asked := panel.RequestQuestion{Header: part(q.Header), Text: part(q.Text), Multiple: q.Multiple, Closed: q.Closed}
		for _, o := range q.Options {
			asked.Options = append(asked.Options, panel.RequestOption{Label: part(o.Label), Description: part(o.Description)})
		}
		it.Questions = append(it.Questions, asked)
	}
	for _, mode := range r.Modes {
		it.Modes = append(it.Modes, show.Line(mode))
	}
	it.Risks = Risks(r, home, it.Marked)
	return it, most
}

// asks reports whether a request of a session waits.
func (a *Moment) asks(s *activity.Session) bool {
	return slices.ContainsFunc(a.requests, func(r ask.Request) bool { return r.Of(s.Client, s.ID) })
}

// Open returns the requests that the user did not put away.
func (a *Moment) Open() []ask.Request {
	return slices.DeleteFunc(slices.Clone(a.requests), func(r ask.Request) bool {
		return a.putAway(&activity.Session{Client: r.Client, ID: r.Session}, r.Since)
	})
}

// Shown returns requests as a list shows them.
func (a *Moment) Shown(list []ask.Request) []panel.AgentRequest { return requestItems(list, a.home) }

// requestItems returns requests as a list shows them.
func requestItems(all []ask.Request, home string) (list []panel.AgentRequest) {
	left := maxListed
	for i := range all {
		most := min(maxShown, left)
		it, rest := requestItem(&all[i], home, most)
		left -= most - rest
		list = append(list, *it)
	}
	return list
}

// Asked returns the requests of a session that wait, or nil if the caller may not see them.
func (f *Follower) Asked(ctx context.Context, s *panel.SessionThread) []panel.AgentRequest {
	live := f.liveRequests()
	if d := f.decisions(); live == nil || d.Agent || live.Settle(ctx) != nil {
		return nil
	}
	return requestItems(slices.DeleteFunc(slices.Clone(live.Now().List), func(r ask.Request) bool { return !r.Of(s.Client, s.ID) }), f.Options.Env.Home)
}

// Request returns a request that waits, with all its texts.
func (f *Follower) Request(ctx context.Context, q panel.RequestParams) (panel.AgentRequest, error) {
	d := f.decisions()
	r, err := d.Find(ctx, q.ID)
	if err != nil {
		return panel.AgentRequest{}, refused(err)
	}
	it, _ := requestItem(r, f.Options.Env.Home, maxWhole)
	return *it, nil
}

// decisions returns the editor's access to requests.
func (f *Follower) decisions() Decisions {
	return Decisions{
		StateDir: f.Options.Env.StateDir(), Agent: f.Options.Reader != nil, Decides: f.Options.Decides,
		By: f.Configured().Person, Where: "editor", Now: f.Options.Now,
	}
}

// Answer writes the user's answer to a request.
func (f *Follower) Answer(ctx context.Context, q panel.AnswerParams) (panel.Answered, error) {
	if err := f.Trusted("answered"); err != nil {
		return panel.Answered{}, err
	}
	d := f.decisions()
	if err := d.May(); err != nil {
		kind := panel.NotOwner
		if f.Options.Decides == nil {
			kind = panel.Unsupported
		}
		return panel.Answered{}, &panel.Error{Kind: kind, Message: show.Line(err.Error()), Err: err}
	}
	r, err := d.Find(ctx, q.ID)
	if err != nil {
		return panel.Answered{}, refused(err)
	}
	a := ask.Answer{ID: q.ID, Hash: q.Hash, Allow: q.Allow, Reason: q.Reason, Rules: q.Rules, Mode: q.Mode}
	if a.Answers, err = chosen(r, q.Answers); err == nil {
		err = r.Fits(&a)
	}
	if err != nil {
		return panel.Answered{}, &panel.Error{Kind: panel.Malformed, Message: show.Line(err.Error()), Err: err}
	}
	if err := d.Answer(ctx, &a); err != nil {
		return panel.Answered{}, refused(err)
	}
	live := f.liveRequests()
	if live == nil {
		return panel.Answered{}, nil
	}
	err = live.Sync(ctx)
	return panel.Answered{Waiting: len(live.Now().List)}, err
}

// chosen returns for each answer the labels of the chosen options, and the user's own text.
func chosen(r *ask.Request, answers []panel.RequestAnswer) (all [][]string, err error) {
	for i, a := range answers {
		var list []string
		for _, o := range a.Options {
			if i >= len(r.Questions) || o < 0 || o >= len(r.Questions[i].Options) {
				return nil, errors.New("answers: there is no such option")
			}
			list = append(list, r.Questions[i].Options[o].Label)
		}
		if a.Text != "" {
			list = append(list, a.Text)
		}
		all = append(all, list)
	}
	return all, nil
}

// refused returns a failure to show or answer a request as an [*panel.Error].
func refused(err error) error {
	e := &panel.Error{Kind: panel.StoreUnavailable, Message: show.Line(err.Error()), Err: err}
	before, answered := errors.AsType[*ask.AnsweredError](err)
	switch {
	case answered:
		e.Kind, e.Detail = panel.NotFound, before.Where
	case errors.Is(err, ask.ErrChanged):
		e.Kind, e.Detail = panel.NotFound, "shown"
	case errors.Is(err, ask.ErrOver):
		e.Kind = panel.NotFound
	case errors.Is(err, errExact):
		e.Kind = panel.NotOwner
	}
	return e
}
