//go:build noengine

package engine

import "context"

// Open gives [ErrNone]: the program was built without wazero.
func Open(context.Context, []byte, string) (Core, error) { return nil, ErrNone }
