package panel

import (
	"cmp"
	"fmt"
	"slices"
)

// placeAfter returns the head that the cursor of a request names, or nil if the request
// has no cursor. A cursor of a list in another order is an error.
func placeAfter(q *InboxParams, o Sort, views Views) (*Head, error) {
	if q.Cursor == "" {
		return nil, nil //nolint:nilnil // without a cursor the list starts at the first thread
	}
	c, err := ParseOpaque[Cursor](q.Cursor)
	if err != nil {
		return nil, err
	}
	if cmp.Or(c.Order, SortNewest) != o {
		return nil, &Error{Kind: Malformed, Message: "the cursor is of a page in another order", Detail: "cursor"}
	}
	c = longNamed(c, views)
	return &c.Head, nil
}

func parseOrder(s Sort) (Sort, error) {
	if s == "" {
		return SortNewest, nil
	}
	if slices.Contains(Sorts, s) {
		return s, nil
	}
	return "", &Error{Kind: Malformed, Message: fmt.Sprintf("sort is to be one of %v", Sorts), Detail: "sort"}
}

// longNamed returns the cursor with the long name that its digest stands for, if a view
// knows the name. If no view does any more, the name stays empty, and the list goes on
// after all threads of that time.
func longNamed(c Cursor, views Views) Cursor {
	for _, v := range Having[Indexed](views) {
		if c.Digest == "" {
			break
		}
		if name, ok := v.LongName(c.Digest); ok {
			c.Name, c.Digest = name, ""
		}
	}
	return c
}
