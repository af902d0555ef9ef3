//go:build agents

package realagents

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// step is something that a program asks in the course of a session, and what is decided.
type step struct {
	name string
	// setting is what the person says of answers before, if anything.
	setting string
	// tool and input are what the model calls. inputOf works the input out from what the model
	// was sent.
	tool    string
	input   map[string]any
	inputOf func(text string) map[string]any
	// asked is a part of the request that is answered from elsewhere; without it there is none.
	// waits is what the session then waits for, in words, and dialog what its terminal shows
	// meanwhile; both may be empty.
	asked, waits, dialog string

	// It is decided by answer from elsewhere, by keys in its own dialog, or it ends otherwise.
	answer ask.Answer
	keys   string
	ends   func(d *fixture, p *terminal)
	// lapses is set if the request is over before the keys are pressed.
	lapses bool

	// sees is what the model is sent then. ran is set if the command ran, which makes a file
	// called like the step.
	sees string
	ran  bool
}

// conversation is a session in which a program asks one thing after the other.
type conversation struct {
	name, client string
	// args start it otherwise than to ask for a command.
	args []string
	// config is written below the fixture before the program starts.
	config func(d *fixture)
	// begin is what the person does before the prompt is typed.
	begin func(d *fixture, p *terminal)
	steps []step
}

// TestAgentsAnswered: what a program asks is answered outside of its terminal; its dialog, if it
// shows one meanwhile, closes, and the model is sent the answer. What was answered in the
// program's own dialog, interrupted, or left is gone everywhere else, and takes no answer.
func TestAgentsAnswered(t *testing.T) {
	for i := range conversations {
		c := &conversations[i]
		t.Run(cmp.Or(c.name, c.client), func(t *testing.T) { c.run(t) })
	}
}

func (c *conversation) run(t *testing.T) {
	began := time.Now()
	var d *fixture
	turns := make([]turn, len(c.steps), len(c.steps)+3)
	// A step begins when the dialog of the one before it was seen to be closed.
	closed := make([]chan struct{}, len(c.steps))
	for i := range c.steps {
		s := &c.steps[i]
		closed[i] = make(chan struct{})
		input := s.inputOf
		if input == nil {
			input = func(string) map[string]any { return s.input }
		}
		turns[i] = turn{call: s.tool, args: input, before: func() {
			if i > 0 {
				select {
				case <-closed[i-1]:
				case <-t.Context().Done():
				}
			}
			if s.setting != "" {
				d.must("signalbox", "setup", c.client, "--answers", s.setting, "--yes")
			}
		}}
	}
	// Some have the model say once more that it is done.
	m := newModel(t, prompt, append(turns, turn{say: "DONE"}, turn{say: "DONE"}, turn{when: over}))
	m.logOnFailure("the agent")
	d = connected(t, c.client, m)
	if c.config != nil {
		c.config(d)
	}
	args := c.args
	if args == nil {
		args = askingOf(c.client).args
	}
	p := d.open(args...)
	if c.begin != nil {
		c.begin(d, p)
		p.press(t, prompt)
		p.pressUntil(t, "\r", "the session to begin", func() bool { return m.turn() > 0 })
	}
	for i := range c.steps {
		began := time.Now()
		c.step(d, p, m, i)
		if dialog := c.steps[i].dialog; dialog != "" && c.steps[i].ends == nil {
			await(t, c.steps[i].name+": its dialog to close", func() bool { return !p.shows(dialog) })
		}
		close(closed[i])
		t.Logf("%s took %s", c.steps[i].name, time.Since(began).Round(time.Millisecond))
	}
	if last := &c.steps[len(c.steps)-1]; last.ends == nil {
		await(t, "its end", func() bool { return d.is(activity.Idle) })
		if log := d.files()[filepath.Join(d.state(), "hook.log")]; log != "" {
			t.Errorf("the hooks say %s", log)
		}
	}
	t.Logf("it took %s", time.Since(began).Round(time.Millisecond))
}

// step waits for what the program asks, decides it, and holds what comes of it.
func (c *conversation) step(d *fixture, p *terminal, m *model, i int) {
	d.t.Helper()
	s := &c.steps[i]
	var r ask.Request
	if s.asked != "" {
		r = d.request(s)
		if r.Client != c.client || r.Alias != "coder" {
			d.t.Errorf("%s: it is another's: %+v", s.name, r)
		}
		light(d.t, r.Process.PID)
		for _, rule := range r.Rules {
			d.t.Logf("%s: it suggests to %s", s.name, rule.Text)
		}
	}
	if s.waits != "" {
		await(d.t, s.name+": the session to wait for "+s.waits, func() bool {
			return d.is(activity.Waiting) && d.sessions()[0].For == s.waits
		})
	}
	if s.lapses {
		await(d.t, s.name+": the hook to end", func() bool { return !d.waits(&r) })
	}
	await(d.t, s.name+": its dialog", func() bool { return p.shows(s.dialog) })
	goesOn := i+1 < len(c.steps)
	gone := func() bool {
		if goesOn {
			return m.turn() > i+1
		}
		return !d.waits(&r) && d.made(s.name) == s.ran
	}
	switch {
	case s.ends != nil:
		s.ends(d, p)
		await(d.t, s.name+": the request to be over", gone)
	case s.keys != "":
		p.pressUntil(d.t, s.keys, s.name+": the request to be over", gone)
	case s.asked != "":
		pressed := time.Now()
		d.decide(&r, s.answer)
		await(d.t, s.name+": the model to be sent the answer", func() bool { return m.turn() > i+1 })
		d.t.Logf("%s: the model had the answer after %s", s.name, time.Since(pressed).Round(time.Millisecond))
	}
	if goesOn || s.keys == "" && s.ends == nil {
		await(d.t, s.name+": the model to go on", func() bool { return m.turn() > i+1 })
		if !m.sent(i+1, s.sees) {
			d.t.Errorf("%s: the model is not sent %q", s.name, s.sees)
		}
	}
	if d.made(s.name) != s.ran {
		d.t.Errorf("%s: that the command ran: %v", s.name, !s.ran)
	}
	if s.asked != "" {
		await(d.t, s.name+": the request to be over", func() bool { return !d.waits(&r) })
		d.refused(s, &r)
	}
}

// waits reports whether a request waits for an answer.
func (d *fixture) waits(r *ask.Request) bool {
	list, _ := ask.At(d.state()).List()
	return slices.ContainsFunc(list, func(o ask.Request) bool { return o.ID == r.ID })
}

// refused holds that a request takes no second answer.
func (d *fixture) refused(s *step, r *ask.Request) {
	d.t.Helper()
	late := ask.Answer{ID: r.ID, Hash: r.Hash, By: "dev", Where: "a test"}
	err := ask.At(d.state()).Answer(d.t.Context(), late)
	before := (*ask.AnsweredError)(nil)
	if elsewhere := s.keys == "" && s.ends == nil; elsewhere != errors.As(err, &before) || !elsewhere && !errors.Is(err, ask.ErrOver) {
		d.t.Errorf("%s: a late answer: %v", s.name, err)
	}
}

func (d *fixture) state() string { return filepath.Join(d.home, ".local", "state", "signalbox") }

// request waits for a request that holds what a step asks for.
func (d *fixture) request(s *step) (r ask.Request) {
	d.t.Helper()
	await(d.t, s.name+": its request", func() bool {
		list, errs := ask.At(d.state()).List()
		if len(errs) > 0 {
			d.t.Error(errs)
		}
		for _, r = range list {
			if strings.Contains(string(r.Input), s.asked) {
				return true
			}
		}
		return false
	})
	return r
}

// decide answers a request as the person.
func (d *fixture) decide(r *ask.Request, a ask.Answer) {
	d.t.Helper()
	a.ID, a.Hash, a.By, a.Where, a.At = r.ID, r.Hash, "dev", "a test", time.Now().UnixMilli()
	if err := ask.At(d.state()).Answer(d.t.Context(), a); err != nil {
		d.t.Fatal(err)
	}
}
