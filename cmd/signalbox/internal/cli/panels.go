package cli

import (
	"context"
	"errors"
	"log/slog"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	sources "github.com/signalbox-dev/signalbox/lsp/panel/source"
)

// Panels opens the panels for one command, as the editor's server does, and waits until
// they know everything. more has the settings, the folders and the directories that the
// command was given.
func (o *Options) Panels(ctx context.Context, more panel.Options) (*panel.Panels, error) {
	dir := o.Dir
	if dir != "" {
		dir = o.Absolute(dir)
	}
	p := panel.Open(panel.Options{
		Sources: sources.All(),
		Env:     o.Env, Dir: dir, As: o.As, Profile: o.Profile, SSOT: more.SSOT, Amp: more.Amp, Folders: more.Folders,
		Entered: true, Person: more.Person, Settings: more.Settings, Version: o.Version, Now: o.Now, Log: slog.New(slog.DiscardHandler),
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	if err := p.Sync(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}
