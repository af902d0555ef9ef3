package codex

import "encoding/json"

// called returns the command or the patch of a call.
func called(line []byte, id string) (input string, ok bool) {
	var l struct {
		Payload struct {
			Type, Input, Arguments string
			CallID                 string `json:"call_id"`
		}
	}
	if json.Unmarshal(line, &l) != nil || l.Payload.CallID != id {
		return "", false
	}
	switch l.Payload.Type {
	case "custom_tool_call":
		return l.Payload.Input, true
	case "function_call":
		var args struct{ Cmd, Input string }
		_ = json.Unmarshal([]byte(l.Payload.Arguments), &args) // of another tool there is nothing
		return args.Cmd + args.Input, true
	}
	return "", false
}
