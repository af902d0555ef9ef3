package cli

import (
	"context"
	"errors"
	"log/slog"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/sources"
)

// Panels opens the panels as [Options.OpenPanels] does, and waits until they have read everything.
func (o *Options) Panels(ctx context.Context, more panel.Options) (*door.Panels, error) {
	if me := o.Who(); me.Err != nil {
		return nil, Usage(me.Err)
	}
	p := o.OpenPanels(more)
	if err := p.Sync(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// OpenPanels opens the panels for one command, as the editor's server does. more holds the
// settings, folders and directories that the command was given, and may restrict the sources.
func (o *Options) OpenPanels(more panel.Options) *door.Panels {
	dir := o.Dir
	if dir != "" {
		dir = o.Absolute(dir)
	}
	me, named := o.Who(), more.Named
	if named.Value == "" && !me.Given && !me.Is(me.Value) {
		named = me.Choice
	}
	from := more.Sources
	if from == nil {
		from = sources.All()
	}
	return door.Open(panel.Options{
		Sources: from,
		Env:     o.Env, Dir: dir, As: o.As, Named: named, Profile: o.Profile, SSOT: more.SSOT, Amp: more.Amp, Folders: more.Folders,
		Entered: true, Once: more.Once, Person: o.Person, Reader: box.Reader(me), Settings: more.Settings, Version: o.Version, Now: o.Now, Log: slog.New(slog.DiscardHandler),
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
}
