package list

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Sessions returns the sessions that agents' programs recorded anywhere on this machine.
func (l Lists) Sessions(ctx context.Context, q panel.SessionsParams) (panel.SessionsPage, error) {
	look := l.Look(ctx)
	page := panel.SessionsPage{Threads: []panel.ThreadItem{}, Groups: []panel.Group{}}
	for _, v := range view.Having[panel.Everywhere](look.Views) {
		threads, groups, err := v.Everywhere(ctx, strings.ToLower(q.Text))
		if err != nil {
			return page, err
		}
		page.Threads, page.Groups = append(page.Threads, threads...), append(page.Groups, groups...)
	}
	slices.SortStableFunc(page.Threads, func(a, b panel.ThreadItem) int {
		return cmp.Or(panel.Rank(b.NeedsUser() == panel.AgentWaiting)-panel.Rank(a.NeedsUser() == panel.AgentWaiting), cmp.Compare(b.LastTime, a.LastTime))
	})
	if limit := panel.PageSize(q.Limit); len(page.Threads) > limit {
		page.Threads, page.More = page.Threads[:limit], true
	}
	page.Groups = slices.DeleteFunc(page.Groups, func(g panel.Group) bool {
		return !slices.ContainsFunc(page.Threads, func(t panel.ThreadItem) bool { return t.Group == g.ID })
	})
	return page, nil
}
