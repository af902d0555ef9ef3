package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// threadGet is signalbox/thread/get.
func (s *session) threadGet(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.ThreadParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkThread(p); err != nil {
		return nil, err
	}
	return s.panel.Thread(ctx, p)
}

func checkThread(p panel.ThreadParams) error {
	if err := checkRef("ref", p.Ref); err != nil {
		return err
	}
	if p.Before != "" && p.After != "" {
		return badField("after", "cannot go with before")
	}
	if err := checkText("before", p.Before+p.After); err != nil {
		return err
	}
	return checkLimit(p.Limit)
}
