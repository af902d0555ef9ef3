package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
)

// Panel is what the server shows. Methods run concurrently, except Configure
// and Close. Failures that a client can tell apart are a *[panel.Error].
type Panel interface {
	commands.Panel
	// InboxLists returns the first pages of several lists.
	InboxLists(ctx context.Context, p panel.InboxListsParams) (panel.InboxLists, error)
	// Diff returns both texts of a file that a tool call changed.
	Diff(ctx context.Context, p panel.DiffParams) (panel.Diff, error)
	// Asset returns a checked image of a thread.
	Asset(ctx context.Context, p panel.AssetParams) (panel.Asset, error)
	// ComposePreview says what sending a draft would write.
	ComposePreview(ctx context.Context, d panel.Draft) (panel.ComposePreview, error)
	// Archive puts signed mail away, or takes it back.
	Archive(ctx context.Context, p panel.ArchiveParams) (panel.Counts, error)
	diagnose.Stores
	linker
	// Show keeps a text as a private file and returns its path.
	Show(ctx context.Context, name, text string) (string, error)
	// Configure takes new settings and workspace folders (paths).
	Configure(ctx context.Context, s panel.Settings, folders []string) error
	// Close stops watching. No event is sent after it returns.
	Close() error
}
