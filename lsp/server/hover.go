package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// resolver is the part of a [Panel] that hover needs.
type resolver interface {
	Resolve(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error)
}

// prepareHover is textDocument/hover: the preview of the message or thread
// whose id or name is under the pointer, null where there is none. It reads the
// document in order, so that the position belongs to the text.
func (s *session) prepareHover(params json.RawMessage) (handler, error) {
	p, err := decode[hoverParams](params)
	if err != nil {
		return nil, err
	}
	doc := s.docs.get(p.TextDocument.URI)
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		if doc == nil {
			return nil, nil
		}
		return s.hover(ctx, doc, p.Position)
	}, nil
}

func (s *session) hover(ctx context.Context, doc *document, at position) (any, error) {
	line := doc.line(at.Line)
	offset := columnOffset(line, at.Character, s.encoding)
	found, preview, err := lookUp(ctx, s.panel, tokensAt(line, offset))
	if err != nil || preview == "" {
		return nil, err
	}
	kind := "markdown"
	if s.plainHover {
		kind = "plaintext"
	}
	return hover{
		Contents: markupContent{Kind: kind, Value: preview},
		Range: span{
			Start: position{at.Line, columnOf(line, found.start, s.encoding)},
			End:   position{at.Line, columnOf(line, found.end, s.encoding)},
		},
	}, nil
}

// lookUp asks about all tokens at once and gives the first that is known.
func lookUp(ctx context.Context, r resolver, tokens []token) (token, string, error) {
	if len(tokens) == 0 {
		return token{}, "", nil
	}
	names := make([]string, len(tokens))
	for i, t := range tokens {
		names[i] = t.text
	}
	links, err := r.Resolve(ctx, names)
	if err != nil {
		return token{}, "", err
	}
	for i, l := range links[:min(len(links), len(tokens))] {
		if l.Status != "missing" && l.Preview != "" && (l.Kind != "branch" || !tokens[i].part) {
			return tokens[i], l.Preview, nil
		}
	}
	return token{}, "", nil
}
