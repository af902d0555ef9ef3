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

// linker is the part of a [Panel] that links in texts need.
type linker interface {
	// Links finds the tokens of a text that lead somewhere, in order.
	Links(ctx context.Context, text string) ([]textlink.Link, error)
	// Symbols finds threads by their names.
	Symbols(ctx context.Context, query string, limit int) ([]panel.Symbol, error)
	// Outline lists the messages in a document.
	Outline(doc check.Document) []outline.Entry
}

// lineURI names a line of a file, counted from 1 as editors do.
func lineURI(p *panel.Place) string {
	return documents.FileURI(p.Path) + "#L" + strconv.Itoa(p.Line+1)
}

// tokensAt returns what stands at a position and may lead somewhere, and its texts.
func (s *session) tokensAt(doc *documents.Document, at documents.Position) (tokens []documents.Token, names []string) {
	line := doc.Line(at.Line)
	tokens = documents.TokensAt(line, documents.ColumnOffset(line, at.Character, s.encoding))
	for _, t := range tokens {
		names = append(names, t.Text)
	}
	return tokens, names
}

// leads reports whether what was found is what a token means. A branch is its whole
// name, and not the end of another one's.
func leads(status panel.LinkStatus, kind panel.LinkKind, t documents.Token) bool {
	return status != "missing" && (kind != "branch" || !t.Part)
}

// locateAt returns what the token at a position leads to, or nil if nothing is known.
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
