package panel

import "context"

// Diff returns both texts of a file that a tool call changed.
func (t Threads) Diff(ctx context.Context, q DiffParams) (Diff, error) {
	v, err := Serving[Recorded](ctx, t.Sources, q.Ref)
	if err != nil {
		return Diff{}, err
	}
	return v.Diff(ctx, q)
}

// Asset returns an image of a thread after checking its name, digest and first bytes.
func (t Threads) Asset(ctx context.Context, q AssetParams) (Asset, error) {
	v, err := Serving[Recorded](ctx, t.Sources, q.Ref)
	if err != nil {
		return Asset{}, err
	}
	return v.Asset(ctx, q)
}
