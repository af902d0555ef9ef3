package box

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/samp/receipt"
)

// Outgoing is a message that the reader sent to somebody else, and what became of it.
type Outgoing struct {
	samp.Found
	Receipt panel.Receipt
}

// Outgoing finds the messages that keep accepts and that the reader sent to others under the
// names of name, newest first: at most limit, or all if limit is 0. total counts all of them.
// mail is the result of the whole pass over the logs.
func (d *Dir) Outgoing(ctx context.Context, name string, limit int, keep func(*samp.Found) bool) (list []Outgoing, total int, mail Mail, err error) {
	names := d.Names(name)
	mine := func(alias string) bool { return slices.Contains(names, alias) }
	mail, err = d.Find(ctx, func(m *samp.Found) bool { return mine(m.From) != mine(m.To) })
	if err != nil {
		return nil, 0, mail, err
	}
	track := d.Receipts()
	var answers receipt.Answers
	for _, m := range slices.Backward(mail.Messages) {
		if answers.Note(&m); mine(m.To) || !keep(&m) {
			continue
		}
		if total++; limit == 0 || len(list) < limit {
			list = append(list, Outgoing{m, track.Of(&m, answers.To(&m))})
		}
	}
	return list, total, mail, nil
}

// Outgoing returns [Dir.Outgoing] for the reader.
func (b *Box) Outgoing(ctx context.Context, limit int, keep func(*samp.Found) bool) (list []Outgoing, total int, err error) {
	me, err := b.Reads()
	if err != nil {
		return nil, 0, err
	}
	d, err := b.openIfExists()
	if err != nil || d == nil {
		return nil, 0, err
	}
	defer d.Close()
	list, total, _, err = d.Outgoing(ctx, me, limit, keep)
	return list, total, err
}

// Receipts returns a tracker of what became of mail in the directory.
func (d *Dir) Receipts() *receipt.Tracker {
	return &receipt.Tracker{Reach: d.reach(), Marks: d.dir, Person: d.Person(), Now: d.Now()}
}
