package link

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/outline"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/textlink"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Outline returns the messages in a document, as [outline.Of] does.
func (r Resolver) Outline(doc check.Document) []outline.Entry {
	var list []outline.Source
	for _, s := range r.List() {
		if has, ok := s.(outline.Source); ok {
			list = append(list, has)
		}
	}
	return outline.Of(doc, list...)
}

// Links returns the known tokens of a text, in order, as [textlink.In] does. It reads no
// messages, so that a long text is cheap. [Resolver.Locate] finds where a link leads.
func (r Resolver) Links(ctx context.Context, text string) ([]textlink.Link, error) {
	views := r.ViewsNow(ctx)
	return textlink.In(ctx, text, func(token string) bool {
		if _, name, ok := mail.ParseLink(token); ok {
			token = name
		}
		return token != "" && slices.ContainsFunc(needle.Spellings(token), func(token string) bool {
			return slices.ContainsFunc(views, func(v view.Served) bool { return v.Knows(ctx, token) })
		})
	})
}

// Symbols returns the threads of all formats whose names hold every word of a query,
// newest first. Case does not matter. It returns at most limit threads, and never more than
// [panel.MaxSymbols]. The name of a branch finds the threads that agents began on it.
func (r Resolver) Symbols(ctx context.Context, query string, limit int) ([]panel.Symbol, error) {
	if limit <= 0 || limit > panel.MaxSymbols {
		limit = panel.MaxSymbols
	}
	query, _ = show.Clip(query, 256)
	var words []needle.Needle
	for w := range strings.FieldsSeq(query) {
		words = append(words, needle.New(w))
	}
	match := func(names ...string) bool {
		text := strings.Join(names, " ")
		return !slices.ContainsFunc(words, func(w needle.Needle) bool { return !w.In(text) })
	}
	var list []panel.Symbol
	for _, v := range view.Having[panel.Symbolic](r.ViewsNow(ctx)) {
		list = append(list, v.Symbols(match, limit)...)
	}
	slices.SortStableFunc(list, func(a, b panel.Symbol) int { return cmp.Compare(b.Time, a.Time) })
	return list[:min(len(list), limit)], ctx.Err()
}

// completeAgents adds the agents and worktrees that mail reaches. Call it before views
// add aliases: the first of equal aliases stays, and these say what the agents are doing.
func completeAgents(now *agents.Moment, c *panel.Completing) {
	list := now.Parties()
	for i := range list {
		it := panel.Completion{Text: list[i].Alias, Kind: panel.CompletionRecipient, Protocol: string(mail.SAMP), Detail: show.Line(list[i].About())}
		if s := list[i].Session; s != nil {
			it.Time = show.Time(s.Since)
		}
		c.Add(it)
	}
}

// Complete returns the aliases, thread names or ids that complete a prefix, newest first.
func (r Resolver) Complete(ctx context.Context, q panel.CompleteParams) (panel.Completions, error) {
	c := panel.NewCompleting(q)
	if !slices.Contains([]panel.CompleteKind{panel.CompleteRecipient, panel.CompleteThread, panel.CompleteID}, q.Kind) {
		return c.Completions, &panel.Error{Kind: panel.Malformed, Message: "kind is none of recipient, thread, id", Detail: "kind"}
	}
	now := r.At(r.LookNow(ctx))
	if q.Kind == panel.CompleteRecipient {
		completeAgents(now, c)
	}
	for _, v := range now.Views {
		v.Complete(ctx, c)
	}
	slices.SortStableFunc(c.Items, func(a, b panel.Completion) int {
		return cmp.Or(panel.Rank(b.With)-panel.Rank(a.With), cmp.Compare(b.Time, a.Time))
	})
	if len(c.Items) > c.Limit {
		c.Items, c.Incomplete = c.Items[:c.Limit], true
	}
	return c.Completions, ctx.Err()
}
