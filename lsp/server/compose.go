package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// composeContext is signalbox/compose/context.
func (s *session) composeContext(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.ComposeParams](params)
	if err != nil {
		return nil, err
	}
	if p.Ref != nil {
		if err := checkRef("ref", *p.Ref); err != nil {
			return nil, err
		}
	}
	return s.panel.ComposeContext(ctx, p)
}

// composePreview is signalbox/compose/preview. It writes nothing.
func (s *session) composePreview(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.PreviewParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkDraft("draft", p.Draft); err != nil {
		return nil, err
	}
	return s.panel.ComposePreview(ctx, p.Draft)
}
