package codex

import "encoding/json"

// callInput returns the command or the patch of the call with the id, if the line records it.
func callInput(line []byte, id string) (input string, ok bool) {
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
		_ = json.Unmarshal([]byte(l.Payload.Arguments), &args) // other tools have neither
		return args.Cmd + args.Input, true
	}
	return "", false
}
