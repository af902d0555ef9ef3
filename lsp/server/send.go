package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// messageSend is signalbox/message/send. The client token is required: without
// one a retry would send twice, as a SAMP id changes with the time.
func (s *session) messageSend(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.SendParams](params)
	if err != nil {
		return nil, err
	}
	if p.ClientToken == "" {
		return nil, badField("clientToken", "is missing")
	}
	if err := checkText("clientToken", p.ClientToken); err != nil {
		return nil, err
	}
	if err := checkDraft("draft", p.Draft); err != nil {
		return nil, err
	}
	return s.panel.Send(ctx, p)
}
