package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// threadDiff is signalbox/thread/diff.
func (s *session) threadDiff(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.DiffParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkRef("ref", p.Ref); err != nil {
		return nil, err
	}
	if p.Tool < 0 {
		return nil, badField("tool", "%d is negative", p.Tool)
	}
	return s.panel.Diff(ctx, p)
}
