package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// definition is textDocument/definition: the line of the log, or the file, in which
// the message or thread under the pointer lies; null where there is none. Of an id that
// several messages have, all lines are given.
func (s *session) definition(ctx context.Context, doc *documents.Document, p placeParams) ([]documents.Location, error) {
	found, err := s.locateAt(ctx, doc, p.Position)
	if err != nil || found == nil {
		return nil, err
	}
	var list []documents.Location
	for i := range found.Places {
		list = append(list, documents.LocationOf(&found.Places[i], s.encoding))
	}
	return list, nil
}
