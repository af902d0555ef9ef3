package doctor

import (
	"cmp"
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/hook"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

func (c *checkup) agentFacts(context.Context) error {
	file := userconfig.At(c.Env.ConfigDir())
	said, err := file.Read()
	if err != nil {
		c.Add(box.Problem{Reason: err.Error(), Advice: "correct or remove it: until then nothing that it says counts"})
	}
	if said.Person != "" {
		c.Fact("person", said.Person, file.Path())
	}
	c.Fact("answers", cmp.Or(string(said.Answers), "on, where that hides no dialog"), file.Path())
	requests := ask.At(c.Env.StateDir())
	_, errs := requests.List()
	for _, err := range errs {
		c.Add(box.Problem{File: requests.Path, Reason: err.Error(), Advice: "remove it: it is not shown, and cannot be answered"})
	}
	states, err := setup.Check(c.Options)
	if err != nil {
		return err
	}
	for _, st := range states {
		c.Fact("agents", st.Title, string(st.State))
		for _, can := range hook.Abilities() {
			if can.Client == st.Client {
				c.Fact("answers", st.Title, can.String())
			}
		}
		advice := "run \"signalbox setup " + st.Client + "\""
		if st.State == setup.SwitchedOff {
			advice = "change that setting, or ask whoever made it: " + st.Title + " does not run all that was set up"
		}
		for _, f := range st.Files {
			c.Add(box.Problem{File: f.Path, Reason: f.Reason, Advice: advice})
		}
	}
	return nil
}
