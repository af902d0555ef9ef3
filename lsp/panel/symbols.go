package panel

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// MaxSymbols is the largest number of threads that [Panels.Symbols] returns.
const MaxSymbols = 200

// Symbol is a thread in a list of symbols.
type Symbol struct {
	// Name is the thread's name. Detail describes it in a few more words.
	Name, Detail string
	Protocol     mail.Protocol
	Thread       Ref
	Time         int64
	// Place is the thread's newest message or, for an agent's thread, the beginning of
	// its log.
	Place Place
}

// Symbols returns the threads of all formats whose names hold every word of a query,
// newest first. Upper and lower case are the same. It returns at most limit threads,
// and never more than [MaxSymbols]. A branch finds the threads that agents began on it.
func (p *Panels) Symbols(ctx context.Context, query string, limit int) ([]Symbol, error) {
	if limit <= 0 || limit > MaxSymbols {
		limit = MaxSymbols
	}
	query, _ = show.Clip(query, 256)
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
	slices.SortStableFunc(list, func(a, b Symbol) int { return cmp.Compare(b.Time, a.Time) })
	return list[:min(len(list), limit)], ctx.Err()
}
