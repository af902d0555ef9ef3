package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// searcher has the method that the search command needs.
type searcher interface {
	Search(ctx context.Context, p panel.SearchParams) (panel.SearchPage, error)
}

// searchCommands returns signalbox.search [query]. Instead of the query, it also takes the params
// of signalbox/search, for pages after the first.
func (c *Set) searchCommands() map[string]*Command {
	query := func(p *panel.SearchParams) *string { return &p.Query }
	return map[string]*Command{"signalbox.search": {show(query, c.panel.Search, searchText), "search.md"}}
}

// searchText returns a page of hits as Markdown.
func searchText(q panel.SearchParams, p panel.SearchPage) string {
	var b strings.Builder
	title, _ := render.Line(q.Query, 200)
	b.WriteString("# Search: " + markup.Code(title) + "\n\n")
	for _, pr := range p.Problems {
		fmt.Fprintf(&b, "Left out, at character %d: %s.\n\n", pr.Offset+1, markup.Escape(pr.Message))
	}
	for i := range p.Hits {
		b.WriteString(hitText(&p.Hits[i]))
	}
	switch {
	case p.NextCursor != "" && !p.Complete:
		b.WriteString("\nThe search is not done: go on with the cursor.\n")
	case p.NextCursor != "":
		b.WriteString("\nThere are more.\n")
	case !p.Complete:
		b.WriteString("\nA directory is still being read: search again.\n")
	case len(p.Hits) == 0:
		b.WriteString("Nothing found.\n")
	}
	return b.String()
}

func hitText(h *panel.SearchHit) string {
	who := markup.Escape(h.From)
	if h.To != "" {
		who += " to " + markup.Escape(h.To)
	}
	lines := slices.DeleteFunc([]string{markup.Escape(h.Before), foundText(h), markup.Escape(h.After)}, func(s string) bool { return s == "" })
	unread, warning := "", ""
	if h.Unread {
		unread = "**unread** "
	}
	if h.Trust.Level == "warn" {
		warning = ", **" + markup.Escape(h.Trust.Label) + "**"
	}
	return fmt.Sprintf("- %s%s, %s, %s, %s%s\n  %s\n", unread, markup.Code(h.Title), who, panel.When(h.Time), h.Protocol, warning, strings.Join(lines, "\\\n  "))
}

// foundText returns the line of a hit with the matches in bold.
func foundText(h *panel.SearchHit) string {
	units, at, text := utf16.Encode([]rune(h.Snippet)), 0, ""
	part := func(to int) string {
		s := string(utf16.Decode(units[at:to]))
		at = to
		words := strings.TrimSpace(s) // Escape removes the spaces around them
		before, after, _ := strings.Cut(s, words)
		return before + markup.Escape(words) + after
	}
	for _, m := range h.Marks {
		text += part(m[0]) + "**" + part(m[0]+m[1]) + "**"
	}
	return text + part(len(units))
}
