package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// definition is textDocument/definition. It returns the line of the log, or the file, that
// holds the message or thread under the pointer, or null if there is none. If several
// messages have the id, it returns the lines of all.
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
