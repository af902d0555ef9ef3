package doctor

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/task"
	"github.com/signalbox-dev/signalbox/lsp/panel/box"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// taskFacts reports the task directory, why it was chosen, and what is wrong with it.
// Without one it reports nothing.
func (c *checkup) taskFacts(ctx context.Context) error {
	j := &task.Commands{Options: c.Options}
	where, err := j.Place()
	if err != nil {
		return nil //nolint:nilerr // nobody asked for tasks here
	}
	snap, err := ssot.Scan(ctx, where.Value)
	if err != nil {
		return err
	}
	if !snap.Exists && snap.Err == nil {
		c.Fact("tasks", "none in "+snap.Path, where.Origin)
		c.Add(box.Problem{Rule: "E13", Reason: fmt.Sprintf("the directory of task messages %q does not exist yet", snap.Path), Advice: "the first \"signalbox task send\" makes it"})
		return nil
	}
	c.Fact("tasks", fmt.Sprintf("%s in %s", cli.Plural(len(snap.Tasks), "task"), snap.Path), where.Origin)
	if snap.Err != nil {
		c.Add(box.Problem{Rule: "E13", File: snap.Path, Reason: snap.Err.Error()})
		return nil
	}
	if !snap.Writable {
		c.Add(box.Problem{Rule: "E13", File: snap.Path, Reason: "the directory cannot be written to", Advice: "tasks can be read; ACKs, answers and the watchdog's escalations cannot be saved"})
	}
	if !snap.Own && len(snap.Tasks) > 0 {
		c.Add(box.Problem{Rule: "E13", File: snap.Path, Reason: "another tool keeps this directory: its messages are read where they lie, and rejected ones are not logged"})
	}
	for _, p := range snap.Problems {
		c.Add(box.Problem{Rule: p.Rule, File: p.Path, Reason: p.Reason, Advice: p.Advice})
	}
	for _, r := range snap.Rejected[:min(len(snap.Rejected), rejectedMost)] {
		advice := "the message counts for nothing; its sender has to send another one"
		if r.Distress != nil {
			advice = "it is an escalation, " + r.Distress.Payload.Escalation.Gravity() + ": read it with \"signalbox task escalations\", then mend or remove the file"
		}
		for _, fault := range r.Faults {
			c.Add(box.Problem{Rule: fault.Rule, File: r.Source, Reason: fault.Reason, Advice: advice})
		}
	}
	if more := len(snap.Rejected) - rejectedMost; more > 0 {
		c.Add(box.Problem{Rule: "E0", File: snap.Path, Reason: cli.Plural(more, "further message") + " rejected", Advice: "\"signalbox task escalations --all\" lists them"})
	}
	c.tasks(ctx, snap)
	return nil
}

// rejectedMost is how many rejected messages doctor lists.
const rejectedMost = 20
