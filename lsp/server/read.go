package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// readSet is signalbox/read/set. Read is required, since its zero value would
// quietly mark as unread.
func (s *session) readSet(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[struct {
		panel.ReadParams
		Read *bool `json:"read"`
	}](params)
	if err != nil {
		return nil, err
	}
	if p.Read == nil {
		return nil, badField("read", "is missing")
	}
	p.ReadParams.Read = *p.Read
	if err := checkRefs("refs", p.Refs); err != nil {
		return nil, err
	}
	return s.panel.SetRead(ctx, p.ReadParams)
}
