package doctor

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/task"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// taskFacts reports the task directory, why it was chosen, and its problems. It reports
// nothing if there is none.
func (c *checkup) taskFacts(ctx context.Context) error {
	j := &task.Commands{Options: c.Options}
	where, err := j.Place()
	if err != nil {
		return nil //nolint:nilerr // there are no tasks here
	}
	b, err := agnsource.Read(ctx, where.Value, c.Now())
	if b == nil {
		return err
	}
	state, path := b.Status(), b.Path()
	if err == nil && !b.Exists() {
		c.Fact("tasks", "none in "+path, where.Origin)
		c.Add(box.Problem{Rule: "E13", Reason: fmt.Sprintf("the directory of task messages %q does not exist yet", path), Advice: "the first \"signalbox task send\" makes it"})
		return nil
	}
	c.Fact("tasks", fmt.Sprintf("%s in %s", cli.Plural(state.Tasks, "task"), path), where.Origin)
	if err != nil {
		c.Add(box.Problem{Rule: "E13", File: path, Reason: err.Error()})
		return nil
	}
	if !state.Writable {
		c.Add(box.Problem{Rule: "E13", File: path, Reason: "the directory cannot be written to", Advice: "tasks can be read; ACKs, answers and the watchdog's escalations cannot be saved"})
	}
	if !state.Own && state.Tasks > 0 {
		c.Add(box.Problem{Rule: "E13", File: path, Reason: "another tool keeps this directory: its messages are read where they lie, and rejected ones are not logged"})
	}
	for _, p := range b.Problems() {
		c.Add(box.Problem{Rule: p.Rule, File: p.Path, Reason: p.Reason, Advice: p.Advice})
	}
	page, err := b.Escalations(panel.EscalationParams{})
	if err != nil {
		return err
	}
	rejected := page.Rejected[:min(len(page.Rejected), maxRejected)]
	for i := range rejected {
		r := &rejected[i]
		advice := "the message counts for nothing; its sender has to send another one"
		if r.Severity != "" {
			advice = fmt.Sprintf("it is an escalation, %s: read it with \"signalbox task escalations\", then mend or remove the file", r.Severity)
		}
		for _, fault := range r.Faults {
			c.Add(box.Problem{Rule: fault.Rule, File: r.Source, Reason: fault.Reason, Advice: advice})
		}
	}
	if more := page.Counts.Rejected - len(rejected); more > 0 {
		c.Add(box.Problem{Rule: "E0", File: path, Reason: cli.Plural(more, "further message") + " rejected", Advice: "\"signalbox task escalations --all\" lists them"})
	}
	c.tasks(ctx, path, state.Own)
	return nil
}

// maxRejected is how many rejected messages doctor lists.
const maxRejected = 20
