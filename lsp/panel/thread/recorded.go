package thread

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Diff returns both texts of a file that a tool call changed.
func (t Threads) Diff(ctx context.Context, q panel.DiffParams) (panel.Diff, error) {
	v, err := view.Serving[panel.Recorded](ctx, t.Sources, q.Ref)
	if err != nil {
		return panel.Diff{}, err
	}
	return v.Diff(ctx, q)
}

// Asset returns an image of a thread after checking its name, digest and first bytes.
func (t Threads) Asset(ctx context.Context, q panel.AssetParams) (panel.Asset, error) {
	v, err := view.Serving[panel.Recorded](ctx, t.Sources, q.Ref)
	if err != nil {
		return panel.Asset{}, err
	}
	return v.Asset(ctx, q)
}
