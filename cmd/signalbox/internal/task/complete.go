package task

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
)

// offerTasks offers the ids of tasks.
func (j *Commands) offerTasks(ctx context.Context, f *cli.Offers) {
	b, err := j.read(ctx)
	if err != nil {
		return
	}
	for _, t := range b.Tasks() {
		f.Add(t.ID, t.Title)
	}
}

// offerOpen offers the ids of messages that the admin can answer.
func (j *Commands) offerOpen(ctx context.Context, f *cli.Offers) {
	j.offerMessages(ctx, f, (*agnsource.Box).Opens)
}

// offerUnacknowledged offers the ids of messages that ask for an ACK and have none.
func (j *Commands) offerUnacknowledged(ctx context.Context, f *cli.Offers) {
	j.offerMessages(ctx, f, func(b *agnsource.Box, m *agn.Message) bool {
		return m.RequiresAck && !slices.ContainsFunc(b.History(m.TaskID).Acks, func(a agn.Ack) bool { return a.MsgID == m.ID })
	})
}

// offerMessages offers the ids of the messages for which wanted holds, newest first.
func (j *Commands) offerMessages(ctx context.Context, f *cli.Offers, wanted func(*agnsource.Box, *agn.Message) bool) {
	b, err := j.read(ctx)
	if err != nil {
		return
	}
	for _, m := range b.Messages() {
		if wanted(b, m) {
			f.Add(m.ID, m.From+": "+m.TaskID)
		}
	}
}
