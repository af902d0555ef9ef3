package panel

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// SessionsParams are the params of signalbox/sessions/all. Text narrows them to those whose
// title, program, branch or folder holds it; Limit 0 means the default.
type SessionsParams struct {
	Text  string `json:"text,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// SessionsPage is the result of signalbox/sessions/all: sessions of all repositories on this
// machine, those that wait for the user first, then the newest, and the groups that they are
// in. More is set where there are others.
type SessionsPage struct {
	Threads []ThreadItem `json:"threads"`
	Groups  []Group      `json:"groups"`
	More    bool         `json:"more,omitempty"`
}

// Sessions returns the sessions that agents' programs recorded, wherever on this machine.
func (p *Panels) Sessions(ctx context.Context, q SessionsParams) (SessionsPage, error) {
	i := p.inboxNow(ctx)
	page := SessionsPage{Threads: []ThreadItem{}, Groups: []Group{}}
	for _, v := range having[Everywhere](i.views) {
		threads, groups, err := v.Everywhere(ctx, strings.ToLower(q.Text))
		if err != nil {
			return page, err
		}
		page.Threads, page.Groups = append(page.Threads, threads...), append(page.Groups, groups...)
	}
	slices.SortStableFunc(page.Threads, func(a, b ThreadItem) int {
		return cmp.Or(rank(b.stuck() == AgentWaiting)-rank(a.stuck() == AgentWaiting), cmp.Compare(b.LastTime, a.LastTime))
	})
	if limit := PageSize(q.Limit); len(page.Threads) > limit {
		page.Threads, page.More = page.Threads[:limit], true
	}
	page.Groups = slices.DeleteFunc(page.Groups, func(g Group) bool {
		return !slices.ContainsFunc(page.Threads, func(t ThreadItem) bool { return t.Group == g.ID })
	})
	return page, nil
}
