package main

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// taskFacts says which directory of task messages is used and why, and what is
// wrong with it. Where there is none it says nothing.
func (o *options) taskFacts(ctx context.Context, s *syncing) error {
	f := s.findings
	j := &jobs{options: o}
	where, err := j.place()
	if err != nil {
		return nil //nolint:nilerr // nobody asked for tasks here
	}
	snap, err := ssot.Scan(ctx, where.Value)
	if err != nil {
		return err
	}
	if !snap.Exists && snap.Err == nil {
		f.fact("tasks", "none in "+snap.Path, where.Origin)
		f.add(store.Problem{Rule: "E13", Reason: fmt.Sprintf("the directory of task messages %q does not exist yet", snap.Path), Advice: "the first \"signalbox task send\" makes it"})
		return nil
	}
	f.fact("tasks", fmt.Sprintf("%s in %s", plural(len(snap.Tasks), "task"), snap.Path), where.Origin)
	if snap.Err != nil {
		f.add(store.Problem{Rule: "E13", File: snap.Path, Reason: snap.Err.Error()})
		return nil
	}
	if !snap.Writable {
		f.add(store.Problem{Rule: "E13", File: snap.Path, Reason: "the directory cannot be written to", Advice: "tasks can be read; ACKs, answers and the watchdog's escalations cannot be saved"})
	}
	if !snap.Own && len(snap.Tasks) > 0 {
		f.add(store.Problem{Rule: "E13", File: snap.Path, Reason: "another tool keeps this directory: its messages are read where they lie, and rejected ones are not logged"})
	}
	for _, p := range snap.Problems {
		f.add(store.Problem{Rule: p.Rule, File: p.Path, Reason: p.Reason, Advice: p.Advice})
	}
	for _, r := range snap.Rejected[:min(len(snap.Rejected), rejectedMost)] {
		advice := "the message counts for nothing; its sender has to send another one"
		if r.Distress != nil {
			advice = "it is an escalation, " + r.Distress.Payload.Escalation.Gravity() + ": read it with \"signalbox task escalations\", then mend or remove the file"
		}
		for _, fault := range r.Faults {
			f.add(store.Problem{Rule: fault.Rule, File: r.Source, Reason: fault.Reason, Advice: advice})
		}
	}
	if more := len(snap.Rejected) - rejectedMost; more > 0 {
		f.add(store.Problem{Rule: "E0", File: snap.Path, Reason: plural(more, "further message") + " rejected", Advice: "\"signalbox task escalations --all\" lists them"})
	}
	s.tasks(ctx, snap)
	return nil
}

// rejectedMost is how many rejected messages doctor lists.
const rejectedMost = 20
