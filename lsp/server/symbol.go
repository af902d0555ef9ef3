package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// The kinds of symbols (SymbolKind) that are used for threads and messages.
const (
	threadSymbol  = 3  // Namespace
	messageSymbol = 15 // String
)

// symbolParams is LSP's WorkspaceSymbolParams.
type symbolParams struct {
	Query string `json:"query"`
}

// lspSymbol is LSP's SymbolInformation.
type lspSymbol struct {
	Name      string             `json:"name"`
	Kind      int                `json:"kind"`
	Location  documents.Location `json:"location"`
	Container string             `json:"containerName,omitempty"`
}

// workspaceSymbol is workspace/symbol. It returns the threads of all formats whose name has all
// words of the query, newest first.
func (s *session) workspaceSymbol(ctx context.Context, p symbolParams) ([]lspSymbol, error) {
	found, err := s.panel.Symbols(ctx, p.Query, panel.MaxSymbols)
	list := []lspSymbol{}
	for i := range found {
		t := &found[i]
		list = append(list, lspSymbol{t.Name, threadSymbol, documents.LocationOf(&t.Place, s.encoding), t.Detail})
	}
	return list, err
}

// documentSymbol is LSP's DocumentSymbol.
type documentSymbol struct {
	Name      string         `json:"name"`
	Detail    string         `json:"detail,omitempty"`
	Kind      int            `json:"kind"`
	Range     documents.Span `json:"range"`
	Selection documents.Span `json:"selectionRange"`
}

// documentSymbols is textDocument/documentSymbol. It returns the messages in a log, in the file of
// an agent's thread, or in the text of a command's answer.
func (s *session) documentSymbols(_ context.Context, doc *documents.Document, _ documentParams) (any, error) {
	found := s.panel.Outline(shownTo(doc))
	w := doc.Walk(s.encoding)
	tree, flat := []documentSymbol{}, []lspSymbol{}
	for i := range found {
		m := &found[i]
		r := documents.Span{Start: w.Position(m.Start), End: w.Position(m.End)}
		tree = append(tree, documentSymbol{m.Name, m.Detail, messageSymbol, r, r})
		flat = append(flat, lspSymbol{m.Name, messageSymbol, documents.Location{URI: doc.URI, Range: r}, m.Detail})
	}
	if s.offered.tree() {
		return tree, nil
	}
	return flat, nil
}
