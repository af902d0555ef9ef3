package panel

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
)

// MaxSymbols is the most threads that a search of symbols gives.
const MaxSymbols = 200

// Symbol is a thread as a list of symbols has it.
type Symbol struct {
	// Name is what the thread is called, Detail says what else it is.
	Name, Detail string
	Protocol     mail.Protocol
	Thread       Ref
	Time         int64
	// Place is where its newest message lies; of an agent's thread the log's
	// beginning.
	Place Place
}

// Symbols finds threads of all formats whose name has all words of a query, in any
// case: the newest first, at most limit of them, and never more than [MaxSymbols]. A
// branch finds the threads that agents began on it.
func (p *Panels) Symbols(ctx context.Context, query string, limit int) ([]Symbol, error) {
	if limit <= 0 || limit > MaxSymbols {
		limit = MaxSymbols
	}
	query, _ = clip(query, 256)
	asked := strings.Fields(strings.ToLower(query))
	match := func(names ...string) bool {
		text := strings.ToLower(strings.Join(names, " "))
		return !slices.ContainsFunc(asked, func(w string) bool { return !strings.Contains(text, w) })
	}
	var list []Symbol
	for _, v := range p.viewsNow(ctx) {
		if has, ok := v.View.(Symbolic); ok {
			list = append(list, has.Symbols(match, limit)...)
		}
	}
	list = append(list, p.letterSymbols(ctx, match, limit)...)
	slices.SortStableFunc(list, func(a, b Symbol) int { return cmp.Compare(b.Time, a.Time) })
	return list[:min(len(list), limit)], ctx.Err()
}

// letterSymbols are the threads of signed mail.
func (p *Panels) letterSymbols(ctx context.Context, match func(...string) bool, limit int) (list []Symbol) {
	n := p.mailNow(ctx)
	for _, t := range n.Threads {
		first := n.own.Shown(&t.Messages[0])
		if len(list) >= limit || !match(first.Subject, t.ID) {
			continue
		}
		newest := first
		for i := range t.Messages {
			if m := n.own.Shown(&t.Messages[i]); m.When() > newest.When() {
				newest = m
			}
		}
		detail, _ := render.Line(newest.From+" → "+newest.To+": "+newest.Excerpt, 120)
		list = append(list, Symbol{
			Name: cmp.Or(safe(first.Subject), safe(t.ID)), Detail: detail, Protocol: mail.AMP, Thread: mail.ThreadRef(mail.AMP, n.ID, t.ID),
			Time: clampTime(t.Last), Place: Place{Path: joined(n.Path, newest.Key)},
		})
	}
	return list
}
