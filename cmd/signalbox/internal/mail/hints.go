package mail

import (
	"context"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/lsp/panel/box"
)

// hint warns if nobody in a directory has an alias and somebody has one much like it.
// Mail may be sent to people who have no log yet.
func (o *commands) hint(ctx context.Context, d *box.Dir, alias string) {
	if !o.hintCase(ctx, d, alias) {
		o.hintNear(d, alias)
	}
}

// hintCase warns if there is a name that differs only in case: mail to it is not mail to the
// alias.
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

func (o *commands) hintNear(d *box.Dir, alias string) {
	if o.Scripted || d == nil {
		return
	}
	if d.Has(alias) {
		return
	}
	// Where it cannot be listed the command itself says so.
	aliases, _ := d.Aliases()
	if meant := names.Near(alias, aliases); meant != "" && !strings.EqualFold(meant, alias) {
		o.Warn("nobody has sent or read mail as %s in %q yet: did you mean %s?", alias, d.Path(), meant)
	}
}

// lookedFor says whose mail was looked for, and where, when none was found.
func (o *commands) lookedFor(d *box.Dir, me string) {
	if o.Scripted {
		return
	}
	where := o.Locate()
	o.Warn("looked for mail to %s (%s) in %q (%s)", me, o.ChooseAlias().Origin, where.Value, where.Origin)
	o.hintNear(d, me)
}
