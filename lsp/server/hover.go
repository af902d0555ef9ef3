package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// hover is textDocument/hover. It returns the preview of the message or thread whose id or name
// is under the pointer, or null if there is none.
func (s *session) hover(ctx context.Context, doc *documents.Document, p placeParams) (*hover, error) {
	tokens, names := s.tokensAt(doc, p.Position)
	if len(tokens) == 0 {
		return nil, nil
	}
	links, err := s.panel.Resolve(ctx, names)
	if err != nil {
		return nil, err
	}
	for i, l := range links[:min(len(links), len(tokens))] {
		if l.Preview != "" && leads(l.Status, l.Kind, tokens[i]) {
			return s.hoverOver(doc.Line(p.Position.Line), p.Position.Line, tokens[i], l.Preview), nil
		}
	}
	return nil, nil
}

// hoverOver returns the hover of a token in a line.
func (s *session) hoverOver(text string, line uint32, t documents.Token, preview string) *hover {
	kind := "markdown"
	if s.plainHover {
		kind = "plaintext"
	}
	return &hover{
		Contents: markupContent{Kind: kind, Value: preview},
		Range: documents.Span{
			Start: documents.Position{Line: line, Character: documents.ColumnOf(text, t.Start, s.encoding)},
			End:   documents.Position{Line: line, Character: documents.ColumnOf(text, t.End, s.encoding)},
		},
	}
}
