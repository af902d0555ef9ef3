package session

import (
	"context"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// maxCalls is how many of the newest lines are searched for a call.
const maxCalls = 500

// Called returns the exact command or patch of a call in a client's transcript, or "" if it is
// not found.
func Called(ctx context.Context, client, file, id string) string {
	f := FormatOf(client)
	if f == nil || f.CallInput == nil || file == "" || id == "" {
		return ""
	}
	root, err := disk.OpenRoot(filepath.Dir(file))
	if err != nil {
		return ""
	}
	defer root.Close()
	open, info, err := root.OpenRegular(filepath.Base(file))
	if err != nil {
		return ""
	}
	defer open.Close()
	end, err := jsonl.End(ctx, open, info.Size())
	if err != nil {
		return ""
	}
	b := jsonl.Backward{R: open, At: end}
	for range maxCalls {
		line, err := b.Prev(ctx)
		if err != nil {
			return ""
		}
		if input, ok := f.CallInput(line.Raw, id); ok {
			return input
		}
	}
	return ""
}
