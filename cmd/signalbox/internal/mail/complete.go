package mail

import (
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
)

func (o *commands) offerAll(ctx context.Context, f *cli.Offers) {
	o.offerIDs(ctx, f, func(*samp.Record) bool { return true })
}

// offerMine offers the ids of recent messages that the user can answer.
func (o *commands) offerMine(ctx context.Context, f *cli.Offers) {
	if me, err := o.Alias(); err == nil {
		o.offerIDs(ctx, f, func(r *samp.Record) bool { return r.To == me })
	}
}

func (o *commands) offerIDs(ctx context.Context, f *cli.Offers, keep func(*samp.Record) bool) {
	d, err := o.Box().Open()
	if err != nil {
		return
	}
	defer d.Close()
	list, _ := d.Recent(ctx, keep)
	for i := range list {
		f.Add(list[i].Key, list[i].From+": "+samp.FirstLine(list[i].Body))
	}
}
