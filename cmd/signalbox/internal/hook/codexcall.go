package hook

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// maxCalls is in how many of the newest lines a call is looked for.
const maxCalls = 500

// codexCall returns what Codex wrote into its transcript that a call does: the command or the
// patch, "" if it is not found. The server's request to change files names the call alone, and
// the hook's event does not name it.
func codexCall(ctx context.Context, transcript, id string) string {
	if transcript == "" || id == "" {
		return ""
	}
	root, err := disk.Disk{}.OpenRoot(filepath.Dir(transcript))
	if err != nil {
		return ""
	}
	defer root.Close()
	file, info, err := root.OpenRegular(filepath.Base(transcript))
	if err != nil {
		return ""
	}
	defer file.Close()
	end, err := jsonl.End(ctx, file, info.Size())
	if err != nil {
		return ""
	}
	b := jsonl.Backward{R: file, At: end}
	for range maxCalls {
		line, err := b.Prev(ctx)
		if err != nil {
			return ""
		}
		var l struct {
			Payload struct {
				Type, Input, Arguments string
				CallID                 string `json:"call_id"`
			}
		}
		if json.Unmarshal(line.Raw, &l) != nil || l.Payload.CallID != id {
			continue
		}
		switch l.Payload.Type {
		case "custom_tool_call":
			return l.Payload.Input
		case "function_call":
			var args struct{ Cmd, Input string }
			_ = json.Unmarshal([]byte(l.Payload.Arguments), &args) // of another tool there is nothing
			return args.Cmd + args.Input
		}
	}
	return ""
}
