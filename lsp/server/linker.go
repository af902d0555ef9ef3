package server

import (
	"context"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/outline"
	"github.com/signalbox-dev/signalbox/lsp/panel/textlink"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// linker has the methods of a [Panel] that links in texts need.
type linker interface {
	// Links returns the tokens of a text that lead somewhere, in order.
	Links(ctx context.Context, text string) ([]textlink.Link, error)
	// Symbols returns the threads whose names match a query.
	Symbols(ctx context.Context, query string, limit int) ([]panel.Symbol, error)
	// Outline lists the messages in a document.
	Outline(doc check.Document) []outline.Entry
}

// lineURI returns the URI of a line in a file. Its line number counts from 1, as editors do.
func lineURI(p *panel.Place) string {
	return documents.FileURI(p.Path) + "#L" + strconv.Itoa(p.Line+1)
}

// tokensAt returns the tokens at a position that may lead somewhere, and their texts.
func (s *session) tokensAt(doc *documents.Document, at documents.Position) (tokens []documents.Token, names []string) {
	line := doc.Line(at.Line)
	tokens = documents.TokensAt(line, documents.ColumnOffset(line, at.Character, s.encoding))
	for _, t := range tokens {
		names = append(names, t.Text)
	}
	return tokens, names
}

// leads reports whether a token leads to what was found for it. A token means a branch only if it
// is not part of a longer name.
func leads(status panel.LinkStatus, kind panel.LinkKind, t documents.Token) bool {
	return status != "missing" && (kind != "branch" || !t.Part)
}

// locateAt returns where the token at a position leads, or nil if it leads nowhere.
func (s *session) locateAt(ctx context.Context, doc *documents.Document, at documents.Position) (*panel.ResolvedLink, error) {
	tokens, names := s.tokensAt(doc, at)
	if len(tokens) == 0 {
		return nil, nil
	}
	found, err := s.panel.Locate(ctx, names)
	if err != nil {
		return nil, err
	}
	for i := range found[:min(len(found), len(tokens))] {
		if l := &found[i]; leads(l.Status, l.Kind, tokens[i]) {
			return l, nil
		}
	}
	return nil, nil
}
