package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// linkResolve is signalbox/link/resolve.
func (s *session) linkResolve(ctx context.Context, p panel.ResolveParams) ([]panel.ResolvedLink, error) {
	if len(p.Refs) > panel.MaxRefs {
		return nil, badField("refs", "has %d tokens, more than %d", len(p.Refs), panel.MaxRefs)
	}
	for i, token := range p.Refs {
		if err := checkText(at("refs", i), token); err != nil {
			return nil, err
		}
	}
	if len(p.Refs) == 0 {
		return []panel.ResolvedLink{}, nil
	}
	return s.panel.Resolve(ctx, p.Refs)
}
