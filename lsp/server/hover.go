package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// resolver is the part of a [Panel] that hover needs.
type resolver interface {
	Resolve(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error)
}

// prepareHover is textDocument/hover: the preview of the message or thread
// whose id or name is under the pointer, null where there is none. It reads the
// document in order, so that the position belongs to the text.
func (s *session) prepareHover(params json.RawMessage) (dispatch.Handler, error) {
	p, err := codec.Decode[hoverParams](params)
	if err != nil {
		return nil, err
	}
	doc := s.docs.Get(p.TextDocument.URI)
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		if doc == nil {
			return nil, nil
		}
		return s.hover(ctx, doc, p.Position)
	}, nil
}

func (s *session) hover(ctx context.Context, doc *documents.Document, at documents.Position) (any, error) {
	line := doc.Line(at.Line)
	offset := documents.ColumnOffset(line, at.Character, s.encoding)
	found, preview, err := lookUp(ctx, s.panel, documents.TokensAt(line, offset))
	if err != nil || preview == "" {
		return nil, err
	}
	kind := "markdown"
	if s.plainHover {
		kind = "plaintext"
	}
	return hover{
		Contents: markupContent{Kind: kind, Value: preview},
		Range: documents.Span{
			Start: documents.Position{Line: at.Line, Character: documents.ColumnOf(line, found.Start, s.encoding)},
			End:   documents.Position{Line: at.Line, Character: documents.ColumnOf(line, found.End, s.encoding)},
		},
	}, nil
}

// lookUp asks about all tokens at once and returns the first that is known.
func lookUp(ctx context.Context, r resolver, tokens []documents.Token) (documents.Token, string, error) {
	if len(tokens) == 0 {
		return documents.Token{}, "", nil
	}
	names := make([]string, len(tokens))
	for i, t := range tokens {
		names[i] = t.Text
	}
	links, err := r.Resolve(ctx, names)
	if err != nil {
		return documents.Token{}, "", err
	}
	for i, l := range links[:min(len(links), len(tokens))] {
		if l.Status != "missing" && l.Preview != "" && (l.Kind != "branch" || !tokens[i].Part) {
			return tokens[i], l.Preview, nil
		}
	}
	return documents.Token{}, "", nil
}
