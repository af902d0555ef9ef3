package server

import (
	"context"
	"encoding/json"
)

// shutdown has nothing to save: what was sent is on disk. The dispatcher
// refuses every request after it, and exit closes the connection.
func (s *session) shutdown(context.Context, json.RawMessage) (any, error) {
	return nil, nil
}
