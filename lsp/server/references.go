package server

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/textlink"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

const (
	// maxReferences limits the result of textDocument/references, which has no pages, and
	// maxReferencePages how many pages are requested from the panel for it.
	maxReferences     = 500
	maxReferencePages = 8
	// maxOpenMentions limits the mentions in open documents.
	maxOpenMentions = 200
)

type referenceParams struct {
	TextDocument documentID         `json:"textDocument"`
	Position     documents.Position `json:"position"`
	Context      struct {
		Declaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// prepareReferences is textDocument/references. It returns where messages and open documents
// mention the message or thread under the pointer, or null if there is none. If the declaration
// is included, it comes first.
func (s *session) prepareReferences(params json.RawMessage) (dispatch.Handler, error) {
	p, err := codec.Decode[referenceParams](params)
	if err != nil {
		return nil, err
	}
	doc, open := s.docs.Get(p.TextDocument.URI), s.docs.Texts()
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		if doc == nil {
			return nil, nil
		}
		found, err := s.locateAt(ctx, doc, p.Position)
		if err != nil || found == nil {
			return nil, err
		}
		list := []documents.Location{}
		if p.Context.Declaration {
			for i := range found.Places {
				list = append(list, documents.LocationOf(&found.Places[i], s.encoding))
			}
		}
		list = append(list, s.inOpen(open, found.Token)...)
		q := panel.ReferenceParams{Token: found.Token, Limit: panel.MaxPage}
		for range maxReferencePages {
			page, err := s.panel.References(ctx, q)
			if err != nil {
				return nil, err
			}
			for i := range page.References {
				list = append(list, documents.LocationOf(&page.References[i].Place, s.encoding))
			}
			if q.Cursor = page.NextCursor; page.Complete || len(list) >= maxReferences {
				break
			}
		}
		list = uniqueLines(list)
		return list[:min(len(list), maxReferences)], nil
	}, nil
}

// uniqueLines drops repeated lines: the mentions in an open log are also on disk.
func uniqueLines(list []documents.Location) []documents.Location {
	type line struct {
		uri  string
		line uint32
	}
	seen := make(map[line]bool, len(list))
	kept := []documents.Location{}
	for _, l := range list {
		if at := (line{l.URI, l.Range.Start.Line}); !seen[at] {
			seen[at] = true
			kept = append(kept, l)
		}
	}
	return kept
}

// inOpen returns where open documents mention a token.
func (s *session) inOpen(open map[string]*documents.Document, token string) (list []documents.Location) {
	for _, uri := range slices.Sorted(maps.Keys(open)) {
		w := open[uri].Walk(s.encoding)
		for _, at := range textlink.Mentions(open[uri].Text, token, maxOpenMentions-len(list)) {
			list = append(list, documents.Location{URI: uri, Range: documents.Span{Start: w.Position(at.Start), End: w.Position(at.End)}})
		}
	}
	return list
}

// linkReferences is signalbox/link/references.
func (s *session) linkReferences(ctx context.Context, p panel.ReferenceParams) (commands.ReferencePage, error) {
	return s.commands.References(ctx, p)
}
