package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// prepareDefinition is textDocument/definition: the line of the log, or the file, in
// which the message or thread under the pointer lies; null where there is none. Of
// an id that several messages have, all lines are given.
func (s *session) prepareDefinition(params json.RawMessage) (dispatch.Handler, error) {
	p, err := codec.Decode[hoverParams](params)
	if err != nil {
		return nil, err
	}
	doc := s.docs.Get(p.TextDocument.URI)
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		if doc == nil {
			return nil, nil
		}
		found, err := s.locateAt(ctx, doc, p.Position)
		if err != nil || found == nil || len(found.Places) == 0 {
			return nil, err
		}
		list := make([]documents.Location, len(found.Places))
		for i := range found.Places {
			list[i] = documents.LocationOf(&found.Places[i], s.encoding)
		}
		return list, nil
	}, nil
}
