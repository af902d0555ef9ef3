package thread

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/edits"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// FileEdits returns the changes to a file that are still in its text.
func (t Threads) FileEdits(ctx context.Context, q panel.EditsParams) (panel.Edits, error) {
	found := panel.Edits{Edits: []panel.Edit{}}
	if len(q.Text) > edits.MaxText {
		return found, nil
	}
	var all []panel.FileEdit
	for _, v := range view.Having[panel.Recorded](t.ViewsNow(ctx)) {
		all = append(all, v.FileEdits(ctx, q.Path)...)
	}
	slices.SortStableFunc(all, func(a, b panel.FileEdit) int { return cmp.Compare(b.Time, a.Time) })
	found.Edits = append(found.Edits, edits.Remaining(q.Text, all)...)
	return found, ctx.Err()
}
