package mail

import (
	"context"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// hint warns if nobody in a directory has an alias but somebody has a similar one, and
// reports whether it did. It is only a hint: mail may be sent to people who have no log yet.
func (o *commands) hint(ctx context.Context, d *box.Dir, alias string) bool {
	return o.hintCase(ctx, d, alias) || o.hintNear(d, alias)
}

// hintNobody warns if a message is about to be sent to a name that nobody has ever had.
func (o *commands) hintNobody(d *box.Dir, m *samp.Record) {
	if o.Scripted || d == nil || d.Has(m.To) {
		return // a name with a log is known
	}
	if _, read, err := d.Watermark(m.To); read || err != nil {
		return
	}
	// A new message has only the receipt that its receiver is not known.
	if r := d.Receipts().Of(&samp.Found{Record: *m, Key: m.ID}, 0); r.Reason == panel.ReasonUnknown {
		o.Warn("%s", r.Words(o.When))
	}
}

// hintCase warns if another name differs only in case, and reports whether it did: mail to
// that name is not mail to the alias.
func (o *commands) hintCase(ctx context.Context, d *box.Dir, alias string) bool {
	if o.Scripted || d == nil {
		return false
	}
	return o.warnCase(d, alias, d.OtherCase(ctx, alias))
}

func (o *commands) warnCase(d *box.Dir, alias, other string) bool {
	if other != "" {
		o.Warn("%s differs only in case from %s, which is known in %q: they are two names, and mail to one is not mail to the other", alias, other, d.Path())
	}
	return other != ""
}

func (o *commands) hintNear(d *box.Dir, alias string) bool {
	if o.Scripted || d == nil || d.Has(alias) {
		return false
	}
	// If the directory cannot be listed, the command itself reports it.
	aliases, _ := d.Aliases()
	similar := names.Near(alias, aliases)
	near := similar != "" && !strings.EqualFold(similar, alias)
	if near {
		o.Warn("nobody has sent or read mail as %s in %q yet: did you mean %s?", alias, d.Path(), similar)
	}
	return near
}

// lookedFor reports whose mail was looked for and where, when none was found.
func (o *commands) lookedFor(d *box.Dir, me string) {
	if o.Scripted {
		return
	}
	where := o.Locate()
	o.Warn("looked for mail to %s (%s) in %q (%s)", me, o.ChooseAlias().Origin, where.Value, where.Origin)
	o.hintNear(d, me)
}
