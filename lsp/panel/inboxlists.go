package panel

import "context"

// InboxListsParams are the params of signalbox/inbox/lists: those of signalbox/inbox/list
// for several lists at once, each the beginning of one group's threads.
type InboxListsParams struct {
	Filter InboxFilter `json:"filter,omitzero"`
	Sort   Sort        `json:"sort,omitempty"`
	Lists  []ListWish  `json:"lists"`
}

// ListWish asks for the threads of a group, or of all where Group is empty. Limit 0
// means the default.
type ListWish struct {
	Group string `json:"group,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// InboxLists is the result of signalbox/inbox/lists: one page for each list, in their
// order, or where none was asked for, one page without threads. Groups and Warnings
// stand in the first page alone.
type InboxLists struct {
	Pages []InboxPage `json:"pages"`
}

// MaxLists is the most lists that one request may ask for.
const MaxLists = 200

// InboxLists returns the first page of each of several lists.
func (p *Panels) InboxLists(ctx context.Context, q InboxListsParams) (InboxLists, error) {
	wishes := q.Lists
	if len(wishes) == 0 {
		wishes = []ListWish{{Group: q.Filter.Group, Limit: 1}}
	}
	var lists InboxLists
	for i, w := range wishes {
		one := InboxParams{Filter: q.Filter, Sort: q.Sort, Limit: w.Limit}
		if w.Group != "" {
			one.Filter.Group = w.Group
		}
		page, err := p.Inbox(ctx, one)
		if err != nil {
			return InboxLists{}, err
		}
		if i > 0 {
			page.Groups, page.Warnings = []Group{}, []Warning{}
		}
		lists.Pages = append(lists.Pages, page)
	}
	if len(q.Lists) == 0 {
		lists.Pages[0].Threads, lists.Pages[0].NextCursor = []ThreadItem{}, ""
	}
	return lists, nil
}
