package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// The kinds of symbols (SymbolKind): of those that there are these come nearest to a
// conversation and a message.
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
	Name      string      `json:"name"`
	Kind      int         `json:"kind"`
	Location  lspLocation `json:"location"`
	Container string      `json:"containerName,omitempty"`
}

// workspaceSymbol is workspace/symbol: the threads of all formats whose name has all
// words of the query, the newest first.
func (s *session) workspaceSymbol(ctx context.Context, p symbolParams) ([]lspSymbol, error) {
	if err := checkText("query", p.Query); err != nil {
		return nil, err
	}
	found, err := s.panel.Symbols(ctx, p.Query, panel.MaxSymbols)
	list := []lspSymbol{}
	for i := range found {
		t := &found[i]
		list = append(list, lspSymbol{t.Name, threadSymbol, s.location(&t.Place), t.Detail})
	}
	return list, err
}

// documentSymbol is LSP's DocumentSymbol.
type documentSymbol struct {
	Name      string `json:"name"`
	Detail    string `json:"detail,omitempty"`
	Kind      int    `json:"kind"`
	Range     span   `json:"range"`
	Selection span   `json:"selectionRange"`
}

// prepareDocumentSymbol is textDocument/documentSymbol: the messages in a log, in
// the messages of an agent's thread, and in the texts that commands answer.
func (s *session) prepareDocumentSymbol(params json.RawMessage) (handler, error) {
	p, err := decode[documentParams](params)
	if err != nil {
		return nil, err
	}
	uri, doc := p.TextDocument.URI, s.docs.get(p.TextDocument.URI)
	return func(_ context.Context, _ json.RawMessage) (any, error) {
		if doc == nil {
			return []documentSymbol{}, nil
		}
		found := s.panel.Outline(shownTo(uri, doc))
		w := walker{doc: doc, enc: s.encoding}
		tree, flat := []documentSymbol{}, []lspSymbol{}
		for i := range found {
			m := &found[i]
			r := span{w.position(m.Start), w.position(m.End)}
			tree = append(tree, documentSymbol{m.Name, m.Detail, messageSymbol, r, r})
			flat = append(flat, lspSymbol{m.Name, messageSymbol, lspLocation{uri, r}, m.Detail})
		}
		if s.offered.tree() {
			return tree, nil
		}
		return flat, nil
	}, nil
}
