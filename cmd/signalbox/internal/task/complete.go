package task

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	agnsource "github.com/signalbox-dev/signalbox/lsp/panel/source/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// offerTasks offers the ids of tasks.
func (j *Commands) offerTasks(ctx context.Context, f *cli.Offers) {
	snap, err := j.scan(ctx)
	if err != nil {
		return
	}
	for _, t := range agnsource.TasksOf([]*ssot.Snapshot{snap}, j.Now().UnixMilli()) {
		f.Add(t.ID, t.Title)
	}
}

// offerOpen offers the ids of messages that the admin can answer.
func (j *Commands) offerOpen(ctx context.Context, f *cli.Offers) {
	j.offerMessages(ctx, f, func(t *ssot.Task) func(*agn.Message) bool {
		state := t.State(j.Now().UnixMilli())
		return func(m *agn.Message) bool { return state.Opens(m) }
	})
}

// offerUnacknowledged offers the ids of messages that ask for an ACK and have none.
func (j *Commands) offerUnacknowledged(ctx context.Context, f *cli.Offers) {
	j.offerMessages(ctx, f, func(t *ssot.Task) func(*agn.Message) bool {
		return func(m *agn.Message) bool {
			return m.RequiresAck && !slices.ContainsFunc(t.History.Acks, func(a agn.Ack) bool { return a.MsgID == m.ID })
		}
	})
}

// offerMessages offers the ids of the messages that wanted accepts of each task, the
// newest first.
func (j *Commands) offerMessages(ctx context.Context, f *cli.Offers, wanted func(*ssot.Task) func(*agn.Message) bool) {
	snap, err := j.scan(ctx)
	if err != nil {
		return
	}
	for _, t := range snap.Tasks {
		accept := wanted(t)
		for _, m := range slices.Backward(t.History.Messages) {
			if accept(&m) {
				f.Add(m.ID, m.From+": "+t.ID)
			}
		}
	}
}
