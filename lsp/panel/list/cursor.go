package list

import (
	"cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// headOf returns the head in the cursor of a request, or nil if the request has no cursor. A
// cursor of a list in another order is an error.
func headOf(q *panel.InboxParams, o panel.Sort, views view.Views) (*panel.Head, error) {
	if q.Cursor == "" {
		return nil, nil //nolint:nilnil // without a cursor the list starts at the first thread
	}
	c, err := panel.ParseOpaque[panel.Cursor](q.Cursor)
	if err != nil {
		return nil, err
	}
	if cmp.Or(c.Order, panel.SortNewest) != o {
		return nil, &panel.Error{Kind: panel.Malformed, Message: "the cursor is of a page in another order", Detail: "cursor"}
	}
	c = withLongName(c, views)
	return &c.Head, nil
}

// withLongName returns the cursor with the long name that its digest stands for, if a view knows
// the name. Otherwise the name stays empty, and the list continues after all threads of that time.
func withLongName(c panel.Cursor, views view.Views) panel.Cursor {
	for _, v := range view.Having[panel.Indexed](views) {
		if c.Digest == "" {
			break
		}
		if name, ok := v.LongName(c.Digest); ok {
			c.Name, c.Digest = name, ""
		}
	}
	return c
}
