package server

import (
	"context"
	"encoding/json"
)

// status is signalbox/status.
func (s *session) status(ctx context.Context, params json.RawMessage) (any, error) {
	if _, err := decode[struct{}](params); err != nil {
		return nil, err
	}
	return s.panel.Status(ctx)
}
