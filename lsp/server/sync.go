package server

import (
	"context"
	"encoding/json"
)

// didOpen is textDocument/didOpen.
func (s *session) didOpen(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		TextDocument textDocument `json:"textDocument"`
	}](params)
	if err != nil {
		return nil, err
	}
	d := p.TextDocument
	return nil, s.docs.put(d.URI, &document{version: d.Version, text: d.Text})
}

// didChange is textDocument/didChange, incremental.
func (s *session) didChange(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		TextDocument   textDocument    `json:"textDocument"`
		ContentChanges []contentChange `json:"contentChanges"`
	}](params)
	if err != nil {
		return nil, err
	}
	return nil, s.docs.change(p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges, s.encoding)
}

// didClose is textDocument/didClose.
func (s *session) didClose(_ context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		TextDocument textDocument `json:"textDocument"`
	}](params)
	if err != nil {
		return nil, err
	}
	s.docs.drop(p.TextDocument.URI)
	return nil, nil
}
