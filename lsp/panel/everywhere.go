package panel

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Sessions returns the sessions that agents' programs recorded, wherever on this machine.
func (l Lists) Sessions(ctx context.Context, q SessionsParams) (SessionsPage, error) {
	look := l.Look(ctx)
	page := SessionsPage{Threads: []ThreadItem{}, Groups: []Group{}}
	for _, v := range Having[Everywhere](look.Views) {
		threads, groups, err := v.Everywhere(ctx, strings.ToLower(q.Text))
		if err != nil {
			return page, err
		}
		page.Threads, page.Groups = append(page.Threads, threads...), append(page.Groups, groups...)
	}
	slices.SortStableFunc(page.Threads, func(a, b ThreadItem) int {
		return cmp.Or(Rank(b.Stuck() == AgentWaiting)-Rank(a.Stuck() == AgentWaiting), cmp.Compare(b.LastTime, a.LastTime))
	})
	if limit := PageSize(q.Limit); len(page.Threads) > limit {
		page.Threads, page.More = page.Threads[:limit], true
	}
	page.Groups = slices.DeleteFunc(page.Groups, func(g Group) bool {
		return !slices.ContainsFunc(page.Threads, func(t ThreadItem) bool { return t.Group == g.ID })
	})
	return page, nil
}
