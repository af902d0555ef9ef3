//go:build noengine

package engine

import "context"

// Built tells whether this program has the engine that [Open] starts.
const Built = false

// Open gives [ErrNone]: the program was built without wazero.
func Open(context.Context, []byte, string) (Core, error) { return nil, ErrNone }
