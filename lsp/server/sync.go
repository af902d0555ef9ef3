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
	err = s.docs.put(d.URI, &document{version: d.Version, language: d.Language, text: d.Text})
	s.diagnose(d.URI, opened)
	return nil, err
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
	err = s.docs.change(p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges, s.encoding)
	s.diagnose(p.TextDocument.URI, edited)
	return nil, err
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
	s.diagnose(p.TextDocument.URI, opened)
	return nil, nil
}
