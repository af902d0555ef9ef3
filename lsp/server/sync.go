package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// didOpen is textDocument/didOpen.
func (s *session) didOpen(_ context.Context, params json.RawMessage) (any, error) {
	p, err := codec.Decode[struct {
		TextDocument textDocument `json:"textDocument"`
	}](params)
	if err != nil {
		return nil, err
	}
	d := p.TextDocument
	err = s.docs.Put(&documents.Document{URI: d.URI, Version: d.Version, Language: d.Language, Text: d.Text})
	s.diagnose(d.URI, opened)
	return nil, err
}

// didChange is textDocument/didChange, incremental.
func (s *session) didChange(_ context.Context, params json.RawMessage) (any, error) {
	p, err := codec.Decode[struct {
		TextDocument   textDocument              `json:"textDocument"`
		ContentChanges []documents.ContentChange `json:"contentChanges"`
	}](params)
	if err != nil {
		return nil, err
	}
	err = s.docs.Change(p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges, s.encoding)
	s.diagnose(p.TextDocument.URI, edited)
	return nil, err
}

// didClose is textDocument/didClose.
func (s *session) didClose(_ context.Context, params json.RawMessage) (any, error) {
	p, err := codec.Decode[struct {
		TextDocument textDocument `json:"textDocument"`
	}](params)
	if err != nil {
		return nil, err
	}
	s.docs.Drop(p.TextDocument.URI)
	s.diagnose(p.TextDocument.URI, opened)
	return nil, nil
}
