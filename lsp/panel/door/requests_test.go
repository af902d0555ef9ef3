package door_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// requestFixture is the testDoor of a person, who may decide unless decides says otherwise.
func requestFixture(t *testing.T, decides func() error) *testDoor {
	t.Helper()
	home := t.TempDir()
	d := testDoorIn(t, home)
	d.person, d.decides = "me", decides
	if err := os.MkdirAll(d.env["XDG_STATE_HOME"]+"/signalbox", 0o700); err != nil {
		t.Fatal(err)
	}
	d.open(home, panel.Settings{}, nil, nil)
	return d
}

// asks has a session ask for something, as a hook that waits does.
func (d *testDoor) asks(alias string, r ask.Request) *ask.Waiting {
	d.t.Helper()
	r.Client, r.Session, r.Alias, r.Since = "claude", alias, alias, now.UnixMilli()
	w, err := ask.At(d.env["XDG_STATE_HOME"]+"/signalbox").Put(d.t.Context(), r)
	if err != nil {
		d.t.Fatal(err)
	}
	return w
}

// requests returns what can be answered, once there is so much of it.
func (d *testDoor) requests(n int) (list []panel.NeedItem) {
	d.t.Helper()
	d.await(fmt.Sprint(n, " requests"), func() bool {
		list = nil
		for _, it := range d.needs(0).Items {
			if it.Request != nil {
				list = append(list, it)
			}
		}
		return len(list) == n
	})
	return list
}

// TestRequests shows what agents' programs wait for, exactly, and answers it once.
func TestRequests(t *testing.T) {
	b := requestFixture(t, func() error { return nil })
	b.session("coder", activity.Waiting, "permission: something else", "/w", time.Minute)
	b.session("other", activity.Waiting, "permission: ls", "/w", time.Minute)
	one := b.asks("coder", ask.Request{
		Kind: ask.Permission, Tool: "Bash", Input: json.RawMessage(`{"command":"rm p\u0430ypal\u202e","n":[1, 2],"command":"twice"}`),
		Rules: []ask.Rule{{Text: "allow Bash(rm:*) for this session", Raw: json.RawMessage(`{}`)}},
	})
	form := b.asks("asker", ask.Request{Kind: ask.Question, Tool: "AskUserQuestion", Input: json.RawMessage(`{}`), Questions: []ask.Asked{
		{Text: "Which?", Options: []ask.Option{{Label: "MIT\u200b"}, {Label: "BSD"}}, Multiple: true},
	}})
	items := b.requests(2)
	page := b.needs(0)
	if page.Blocked != 2 || page.Questions != 1 {
		t.Errorf("%d and %d: %q", page.Blocked, page.Questions, needNames(&page))
	}
	if items[0].Agent.Alias != "coder" {
		items[0], items[1] = items[1], items[0]
	}
	// A row says what is decided on, and not what else the session waits for.
	if got := items[0].Agent.For; got != "permission: twice" {
		t.Errorf("it waits for %q", got)
	}
	r := items[0].Request
	if want := []panel.Argument{{Name: "command", Text: "rm p⟨U+0430⟩ypal⟨U+202E⟩"}, {Name: "n", Text: "[1,2]"}, {Name: "command", Text: "twice"}}; !cmp.Equal(r.Input, want) || !r.Marked || r.Cut {
		t.Errorf("%+v", r)
	}
	if asked := items[1]; asked.Agent.State != panel.AgentWaiting || asked.Request.Questions[0].Options[0].Label != "MIT⟨U+200B⟩" {
		t.Errorf("%+v", asked.Request)
	}
	fails := func(name string, kind panel.Kind, detail string, q panel.AnswerParams) {
		t.Helper()
		_, err := b.Answer(t.Context(), q)
		if e, ok := errors.AsType[*panel.Error](err); !ok || e.Kind != kind || e.Detail != detail {
			t.Errorf("%s: %+v", name, err)
		}
	}
	fails("another hash", panel.NotFound, "shown", panel.AnswerParams{ID: r.ID, Hash: "x", Allow: true})
	fails("no such rule", panel.Malformed, "", panel.AnswerParams{ID: r.ID, Hash: r.Hash, Allow: true, Rules: []int{7}})
	fails("no such option", panel.Malformed, "", panel.AnswerParams{ID: form.ID, Hash: form.Hash, Allow: true, Answers: []panel.RequestAnswer{{Options: []int{2}}}})
	fails("nowhere", panel.NotFound, "", panel.AnswerParams{ID: "../../x", Hash: "x"})
	if _, err := b.Answer(t.Context(), panel.AnswerParams{ID: r.ID, Hash: r.Hash, Allow: true, Rules: []int{0}}); err != nil {
		t.Fatal(err)
	}
	fails("answered before", panel.NotFound, "editor", panel.AnswerParams{ID: r.ID, Hash: r.Hash})
	if a, ok := one.Wait(t.Context()); !ok || !a.Allow || a.By != "me" || a.Where != "editor" || !cmp.Equal(a.Rules, []int{0}) {
		t.Errorf("%+v, %v", a, ok)
	}
	left, err := b.Answer(t.Context(), panel.AnswerParams{ID: form.ID, Hash: form.Hash, Allow: true, Answers: []panel.RequestAnswer{{Options: []int{0}, Text: "or both"}}})
	if err != nil || left.Waiting != 0 {
		t.Errorf("%+v, %v", left, err)
	}
	// What is answered are the program's own words.
	if a, ok := form.Wait(t.Context()); !ok || !cmp.Equal(a.Answers, [][]string{{"MIT\u200b", "or both"}}) {
		t.Errorf("%+v, %v", a, ok)
	}
	b.requests(0)
}

// TestLongRequests cuts long inputs in a list, says so, and has them whole one by one.
func TestLongRequests(t *testing.T) {
	d := requestFixture(t, nil)
	lines := strings.Repeat("x\n", 100_000)
	input, err := json.Marshal(map[string]string{"content": lines})
	if err != nil {
		t.Fatal(err)
	}
	w := d.asks("coder", ask.Request{Kind: ask.Permission, Tool: "Write", Input: input})
	r := d.requests(1)[0].Request
	if !r.Cut || len(r.Input[0].Text) > 20_000 {
		t.Errorf("%v, %d bytes", r.Cut, len(r.Input[0].Text))
	}
	whole, err := d.Request(t.Context(), panel.RequestParams{ID: w.ID})
	if err != nil || whole.Cut || whole.Input[0].Text != lines || whole.Hash != w.Hash {
		t.Errorf("%v, %d bytes, %v", whole.Cut, len(whole.Input[0].Text), err)
	}
	// Whatever is long, the list is not, and it says so.
	many, form := map[string]int{}, ask.Request{Kind: ask.Question, Tool: "AskUserQuestion", Input: json.RawMessage(`{}`)}
	for i := range 50_000 {
		many[fmt.Sprint(i)] = i
	}
	if input, err = json.Marshal(many); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		q := ask.Asked{Text: strings.Repeat("why ", 1000)}
		for i := range 50 {
			q.Options = append(q.Options, ask.Option{Label: fmt.Sprint(i), Description: strings.Repeat("because ", 50)})
		}
		form.Questions = append(form.Questions, q)
	}
	arguments := d.asks("other", ask.Request{Kind: ask.Permission, Tool: "mcp__x__y", Input: input})
	d.asks("asker", form)
	for _, it := range d.requests(3) {
		if data, err := json.Marshal(it.Request); !it.Request.Cut || len(data) > 64<<10 || err != nil {
			t.Errorf("%s: %v, %d bytes", it.Request.Tool, it.Request.Cut, len(data))
		}
	}
	if whole, err = d.Request(t.Context(), panel.RequestParams{ID: arguments.ID}); err != nil || whole.Cut || len(whole.Input) != len(many) {
		t.Errorf("%v, %d arguments, %v", whole.Cut, len(whole.Input), err)
	}
	// Without Decides nobody may answer.
	if _, err := d.Answer(t.Context(), panel.AnswerParams{ID: w.ID, Hash: w.Hash, Allow: true}); !isKind(err, panel.Unsupported) {
		t.Error(err)
	}
}

// TestNobodyApproves refuses an agent that speaks the editors' protocol, and a workspace that is
// not trusted.
func TestNobodyApproves(t *testing.T) {
	b := requestFixture(t, func() error { return errors.New("an agent calls") })
	w := b.asks("coder", ask.Request{Kind: ask.Permission, Tool: "Bash", Input: json.RawMessage(`{}`)})
	if _, err := b.Answer(t.Context(), panel.AnswerParams{ID: w.ID, Hash: w.Hash, Allow: true}); !isKind(err, panel.NotOwner) || !strings.Contains(err.Error(), "an agent calls") {
		t.Error(err)
	}
	if err := b.Configure(t.Context(), panel.Settings{ReadOnly: true}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Answer(t.Context(), panel.AnswerParams{ID: w.ID, Hash: w.Hash, Allow: true}); !isKind(err, panel.Untrusted) {
		t.Error(err)
	}
}

// TestThreadRequests: the thread of a session has the requests that the session waits for, and a
// row leads there. The error for a request that is over says what became of it.
func TestThreadRequests(t *testing.T) {
	const id = "0199aa00-1111-4222-8333-944455556666"
	c := newCheckout(t)
	d := testDoorIn(t, c.home)
	d.person, d.decides = "me", func() error { return nil }
	c.recorded(id)
	if err := os.MkdirAll(d.env["XDG_STATE_HOME"]+"/signalbox", 0o700); err != nil {
		t.Fatal(err)
	}
	d.open(c.home, panel.Settings{}, []string{c.main}, nil)
	w := d.asks(id, ask.Request{
		Kind: ask.Plan, Tool: "ExitPlanMode", Input: json.RawMessage(`{}`), Plan: "1. **Do** it\u202e<script>alert(1)</script>\n",
	})
	d.asks("other", ask.Request{Kind: ask.Permission, Tool: "Bash", Input: json.RawMessage(`{}`)})
	var at panel.Ref
	for _, it := range d.requests(2) {
		if known := it.Agent.Thread != nil; known != (it.Request.ID == w.ID) {
			t.Errorf("the thread of %s is known: %v", it.Agent.Alias, known)
		} else if known {
			at = *it.Agent.Thread
		}
	}
	page := d.thread(panel.ThreadParams{Ref: at})
	if len(page.Requests) != 1 || page.Requests[0].ID != w.ID {
		t.Fatalf("%+v", page.Requests)
	}
	if html := page.Requests[0].PlanHTML; !strings.Contains(html, "<strong>Do</strong> it⟨U+202E⟩") || strings.Contains(html, "<script") {
		t.Errorf("%s", html)
	}
	agent := *d
	agent.reader = panel.Reader{"coder"}
	agent.open(c.home, panel.Settings{}, []string{c.main}, nil)
	if page := agent.thread(panel.ThreadParams{Ref: at}); page.Requests != nil {
		t.Errorf("an agent sees what another one's program asks: %+v", page.Requests)
	}
	if _, err := agent.Request(t.Context(), panel.RequestParams{ID: w.ID}); !isKind(err, panel.NotOwner) {
		t.Errorf("an agent sees it whole: %v", err)
	}
	if _, err := d.Answer(t.Context(), panel.AnswerParams{ID: w.ID, Hash: w.Hash, Reason: "smaller steps"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Request(t.Context(), panel.RequestParams{ID: w.ID}); !isKind(err, panel.NotFound) || !strings.Contains(err.Error(), `denied by "me" in the editor`) {
		t.Error(err)
	}
	d.requests(1)
	if page := d.thread(panel.ThreadParams{Ref: at}); page.Requests != nil {
		t.Errorf("%+v", page.Requests)
	}
}
