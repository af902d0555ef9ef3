package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// threadAsset is signalbox/thread/asset.
func (s *session) threadAsset(ctx context.Context, params json.RawMessage) (any, error) {
	p, err := decode[panel.AssetParams](params)
	if err != nil {
		return nil, err
	}
	if err := checkRef("ref", p.Ref); err != nil {
		return nil, err
	}
	if err := checkText("asset", p.Asset); err != nil {
		return nil, err
	}
	return s.panel.Asset(ctx, p)
}
