package panel

import (
	"context"
	"errors"
	"slices"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// RequestKind says what an [AgentRequest] is for.
type RequestKind string

// The kinds of an [AgentRequest].
const (
	RequestForPermission RequestKind = "permission" // to use a tool
	RequestForAnswers    RequestKind = "question"   // a form with questions
	RequestForPlan       RequestKind = "plan"       // to go on with a plan
)

// AgentRequest is what an agent's program waits for the user to decide. In its texts characters that
// cannot be seen, or look like others, are shown as numbers.
type AgentRequest struct {
	ID    string      `json:"id"`
	Hash  string      `json:"hash"` // of what is decided on: an answer names it
	Kind  RequestKind `json:"kind"`
	Tool  string      `json:"tool"`  // the program's name for it
	Input []Argument  `json:"input"` // all arguments of the tool, in order
	// Cut is set if not all of its texts are here: signalbox/needs/request has them.
	Cut bool `json:"cut,omitempty"`
	// Marked is set if characters of the input are shown as numbers.
	Marked bool `json:"marked,omitempty"`
	// Long is the length in bytes of an input that is too long to be shown. It can only be
	// denied.
	Long int64 `json:"long,omitempty"`
	// Rules are what the program suggests to allow from now on as well, in words.
	Rules     []string          `json:"rules,omitempty"`
	Questions []RequestQuestion `json:"questions,omitempty"` // of a form
	Plan      string            `json:"plan,omitempty"`      // Markdown
	PlanHTML  string            `json:"planHtml,omitempty"`  // the same as safe HTML, unless it is too long
	Modes     []string          `json:"modes,omitempty"`     // other ways to go on with a plan, such as acceptEdits
	DenyOnly  bool              `json:"denyOnly,omitempty"`  // a yes is given at the program's own dialog alone
	Since     int64             `json:"since"`
	Until     int64             `json:"until"` // when the program waits no longer for an answer from here
	// Risks are what it would do that is hard to undo or hard to see, as far as it could be
	// told, the worst first. Nothing is safe because none is listed.
	Risks []Risk `json:"risks,omitempty"`
}

// Argument is one argument of a tool: a text, or JSON.
type Argument struct {
	Name string `json:"name,omitempty"` // none for an input that has no members
	Text string `json:"text"`
}

// RequestQuestion is one question of a form. A text of the user's own answers it too, unless it
// is closed.
type RequestQuestion struct {
	Header   string          `json:"header,omitempty"` // what it is about, in a word
	Text     string          `json:"text"`
	Options  []RequestOption `json:"options,omitempty"`
	Multiple bool            `json:"multiple,omitempty"` // several options may be chosen
	Closed   bool            `json:"closed,omitempty"`   // nothing but the options may be answered
}

// RequestOption is a choice of a question.
type RequestOption struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"` // what it means
}

// RequestParams are the params of signalbox/needs/request, whose result is the whole request. For
// one that is over it fails with kind NotFound and says what became of it.
type RequestParams struct {
	ID string `json:"id" check:"given"`
}

// AnswerParams are the params of signalbox/needs/answer: what the user decided on a request that
// was shown. The first answer counts, wherever it is given; a later one, and one to a request
// that is over or has changed, fails with kind NotFound and says so. The detail is then "editor"
// or "terminal" where it was answered there, and "shown" if it is not the one that was shown.
type AnswerParams struct {
	ID   string `json:"id" check:"given"`
	Hash string `json:"hash" check:"given"`
	// Allow is yes to a tool or a plan, and sends the answers to a form.
	Allow  bool   `json:"allow"`
	Reason string `json:"reason,omitempty" check:"long"` // what the agent is told with a no
	Rules  []int  `json:"rules,omitempty"`               // places in AgentRequest.rules
	// Answers are places of options and texts of the user's own, for each question.
	Answers []RequestAnswer `json:"answers,omitempty"`
	Mode    string          `json:"mode,omitempty"`
}

// RequestAnswer is the answer to one question: places of its options, and a text of the user's
// own.
type RequestAnswer struct {
	Options []int  `json:"options,omitempty"`
	Text    string `json:"text,omitempty" check:"long"`
}

// Answered is the result of signalbox/needs/answer: how many things wait for the user now.
type Answered struct {
	Waiting int `json:"waiting"`
}

// maxShown is how many bytes of the texts of one request a list has, and maxListed of all of them.
const (
	maxShown  = 16 << 10
	maxListed = 1 << 20
	// maxWhole is more than the texts of any request have: an input, and what was made of it.
	maxWhole = 16 * ask.MaxInput
	// aText is what a text counts beside its bytes.
	aText = 16
)

// requestItem returns a request as it is shown to a user with that folder of their own, with at
// most so many bytes of its texts, and how many more there could have been.
func requestItem(r *ask.Request, home string, most int) (shown *AgentRequest, left int) {
	it := &AgentRequest{
		ID: r.ID, Hash: r.Hash, Kind: RequestKind(r.Kind), Tool: show.Exact(show.Line(r.Tool)), Input: []Argument{}, Long: r.Long,
		DenyOnly: r.DenyOnly, Since: show.Time(r.Since), Until: show.Time(r.Until),
	}
	part := func(text string) string {
		if len(text) > most {
			text, it.Cut = excerpt.Head(text, most), true
		}
		most = max(0, most-len(text)-aText)
		exact := show.Exact(text)
		it.Marked = it.Marked || exact != text
		return exact
	}
	for _, p := range r.Parts() {
		if it.Cut {
			break
		}
		it.Input = append(it.Input, Argument{part(p.Name), part(p.Text)})
	}
	it.Plan = part(r.Plan)
	if html := show.HTML(it.Plan); !it.Cut && len(it.Plan) <= show.BodyShown && len(html) <= 2*show.BodyShown {
		it.PlanHTML = html
	}
	for _, rule := range r.Rules {
		it.Rules = append(it.Rules, part(rule.Text))
	}
	for _, q := range r.Questions {
		asked := RequestQuestion{Header: part(q.Header), Text: part(q.Text), Multiple: q.Multiple, Closed: q.Closed}
		for _, o := range q.Options {
			asked.Options = append(asked.Options, RequestOption{part(o.Label), part(o.Description)})
		}
		it.Questions = append(it.Questions, asked)
	}
	for _, mode := range r.Modes {
		it.Modes = append(it.Modes, show.Line(mode))
	}
	it.Risks = Risks(r, home, it.Marked)
	return it, most
}

// asks reports whether requests of a session are listed.
func (a *agents) asks(s *activity.Session) bool {
	return slices.ContainsFunc(a.requests, func(r ask.Request) bool { return r.Of(s.Client, s.ID) })
}

// asking returns the requests that wait for the user, each with the agent that asks.
func (a *agents) asking() (list []NeedItem) {
	open := a.open()
	shown := requestItems(open, a.home)
	for i := range open {
		r := &open[i]
		s := activity.Session{Client: r.Client, ID: r.Session, Alias: r.Alias, Folder: r.Folder, Worktree: r.Worktree, Process: r.Process}
		if i := slices.IndexFunc(a.Sessions, func(s activity.Session) bool { return r.Of(s.Client, s.ID) }); i >= 0 {
			s = a.Sessions[i]
		}
		s.State, s.For = activity.Waiting, r.Wants() // it may wait for another one as well
		it := a.needed(&s)
		it.Since = show.Time(r.Since)
		list = append(list, NeedItem{Kind: NeedAgent, Section: sectionOf(r), Urgent: true, Time: it.Since, Agent: &it, Request: &shown[i]})
	}
	return list
}

// open returns the requests that the user did not put away.
func (a *agents) open() []ask.Request {
	return slices.DeleteFunc(slices.Clone(a.requests), func(r ask.Request) bool {
		return a.putAway(&activity.Session{Client: r.Client, ID: r.Session}, r.Since)
	})
}

// requestItems returns requests as a list shows them.
func requestItems(all []ask.Request, home string) (list []AgentRequest) {
	left := maxListed
	for i := range all {
		most := min(maxShown, left)
		it, rest := requestItem(&all[i], home, most)
		left -= most - rest
		list = append(list, *it)
	}
	return list
}

// asked returns what a session waits for.
func (p *Panels) asked(ctx context.Context, s *SessionThread) []AgentRequest {
	on := p.requestsOn()
	if d := p.decisions(); on == nil || d.Agent || on.Settle(ctx) != nil {
		return nil
	}
	return requestItems(slices.DeleteFunc(slices.Clone(on.Now().List), func(r ask.Request) bool { return !r.Of(s.Client, s.ID) }), p.opt.Env.Home)
}

// Request returns a request that waits, whole.
func (p *Panels) Request(ctx context.Context, q RequestParams) (AgentRequest, error) {
	d := p.decisions()
	r, err := d.Find(ctx, q.ID)
	if err != nil {
		return AgentRequest{}, refused(err)
	}
	it, _ := requestItem(r, p.opt.Env.Home, maxWhole)
	return *it, nil
}

// decisions is the editor's door.
func (p *Panels) decisions() Decisions {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return Decisions{
		StateDir: p.opt.Env.StateDir(), Agent: p.opt.Reader != nil, Decides: p.opt.Decides,
		By: p.person, Where: "editor", Now: p.opt.Now,
	}
}

// Answer gives the user's answer to a request.
func (p *Panels) Answer(ctx context.Context, q AnswerParams) (Answered, error) {
	if err := p.trusted("answered"); err != nil {
		return Answered{}, err
	}
	d := p.decisions()
	if err := d.May(); err != nil {
		kind := NotOwner
		if p.opt.Decides == nil {
			kind = Unsupported
		}
		return Answered{}, &Error{Kind: kind, Message: show.Line(err.Error()), Err: err}
	}
	r, err := d.Find(ctx, q.ID)
	if err != nil {
		return Answered{}, refused(err)
	}
	a := ask.Answer{ID: q.ID, Hash: q.Hash, Allow: q.Allow, Reason: q.Reason, Rules: q.Rules, Mode: q.Mode}
	if a.Answers, err = chosen(r, q.Answers); err == nil {
		err = r.Fits(&a)
	}
	if err != nil {
		return Answered{}, &Error{Kind: Malformed, Message: show.Line(err.Error()), Err: err}
	}
	if err := d.Answer(ctx, &a); err != nil {
		return Answered{}, refused(err)
	}
	on := p.requestsOn()
	if on == nil {
		return Answered{}, nil
	}
	err = on.Sync(ctx)
	return Answered{len(on.Now().List)}, err
}

// chosen returns the labels of chosen options, in the program's own words.
func chosen(r *ask.Request, answers []RequestAnswer) (all [][]string, err error) {
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

// refused returns why a request is not shown, or an answer does not count.
func refused(err error) error {
	e := &Error{Kind: StoreUnavailable, Message: show.Line(err.Error()), Err: err}
	before, answered := errors.AsType[*ask.AnsweredError](err)
	switch {
	case answered:
		e.Kind, e.Detail = NotFound, before.Where
	case errors.Is(err, ask.ErrChanged):
		e.Kind, e.Detail = NotFound, "shown"
	case errors.Is(err, ask.ErrOver):
		e.Kind = NotFound
	case errors.Is(err, errExact):
		e.Kind = NotOwner
	}
	return e
}
