//go:build agents

package realagents

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

type object = map[string]any

func keysInOrder(m object) []string { return slices.Sorted(maps.Keys(m)) }

// call is a call of a tool.
type call struct {
	tool
	id   string
	args map[string]any
}

func (c *call) text() string {
	data, err := json.Marshal(c.args)
	if err != nil {
		panic(err) // the tests' own texts and numbers
	}
	return string(data)
}

// answerer writes an answer in one of the four forms.
type answerer func(w http.ResponseWriter, stream bool, say string, calls []call)

// form returns how a request to a path is answered.
func form(path string) answerer {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return anthropic
	case strings.HasSuffix(path, "/responses"):
		return responses
	case strings.HasSuffix(path, "/chat/completions"):
		return chat
	case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
		return gemini
	}
	return nil
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// send writes one event of a stream, named as its type if it has one.
func send(w http.ResponseWriter, v object) {
	w.Header().Set("Content-Type", "text/event-stream")
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	if name, ok := v["type"]; ok {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", data)
	w.(http.Flusher).Flush()
}

func anthropic(w http.ResponseWriter, stream bool, say string, calls []call) {
	blocks, deltas, stop := []object{{"type": "text", "text": say}}, []object{{"type": "text_delta", "text": say}}, "end_turn"
	for _, c := range calls {
		blocks = append(blocks, object{"type": "tool_use", "id": "toolu_" + c.id, "name": c.name, "input": c.args})
		deltas = append(deltas, object{"type": "input_json_delta", "partial_json": c.text()})
		stop = "tool_use"
	}
	usage := object{"input_tokens": 1000, "output_tokens": 10}
	message := object{"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": blocks, "stop_reason": stop, "usage": usage}
	if !stream {
		writeJSON(w, message)
		return
	}
	message["content"], message["stop_reason"] = []object{}, nil
	send(w, object{"type": "message_start", "message": message})
	for i, b := range blocks {
		start := maps.Clone(b)
		for key, empty := range (object{"text": "", "input": object{}}) {
			if start[key] != nil {
				start[key] = empty
			}
		}
		send(w, object{"type": "content_block_start", "index": i, "content_block": start})
		send(w, object{"type": "content_block_delta", "index": i, "delta": deltas[i]})
		send(w, object{"type": "content_block_stop", "index": i})
	}
	send(w, object{"type": "message_delta", "delta": object{"stop_reason": stop}, "usage": usage})
	send(w, object{"type": "message_stop"})
}

func responses(w http.ResponseWriter, stream bool, say string, calls []call) {
	items := []object{{
		"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
		"content": []object{{"type": "output_text", "text": say, "annotations": []any{}}},
	}}
	for _, c := range calls {
		item := object{"type": "function_call", "id": "fc_" + c.id, "call_id": c.id, "name": c.name, "arguments": c.text(), "status": "completed"}
		if c.namespace != "" {
			item["namespace"] = c.namespace
		}
		items = append(items, item)
	}
	whole := object{
		"id": "resp_1", "object": "response", "status": "completed", "model": "scripted", "output": items,
		"usage": object{"input_tokens": 1000, "output_tokens": 10, "total_tokens": 1010},
	}
	if !stream {
		writeJSON(w, whole)
		return
	}
	send(w, object{"type": "response.created", "response": object{"id": "resp_1", "status": "in_progress", "output": []any{}}})
	for i, item := range items {
		send(w, object{"type": "response.output_item.added", "output_index": i, "item": item})
		send(w, object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	send(w, object{"type": "response.completed", "response": whole})
}

func chat(w http.ResponseWriter, stream bool, say string, calls []call) {
	message, stop := object{"role": "assistant", "content": say}, "stop"
	var list []object
	for i, c := range calls {
		list = append(list, object{"index": i, "id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.text()}})
	}
	if list != nil {
		message["tool_calls"], stop = list, "tool_calls"
	}
	usage := object{"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}
	chunk := func(choices ...object) object {
		if choices == nil {
			choices = []object{}
		}
		return object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": choices}
	}
	if !stream {
		whole := chunk(object{"index": 0, "message": message, "finish_reason": stop})
		whole["object"], whole["usage"] = "chat.completion", usage
		writeJSON(w, whole)
		return
	}
	send(w, chunk(object{"index": 0, "delta": message, "finish_reason": nil}))
	send(w, chunk(object{"index": 0, "delta": object{}, "finish_reason": stop}))
	last := chunk()
	last["usage"] = usage
	send(w, last)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func gemini(w http.ResponseWriter, stream bool, say string, calls []call) {
	parts := []object{{"text": say}}
	for _, c := range calls {
		parts = append(parts, object{"functionCall": object{"id": c.id, "name": c.name, "args": c.args}, "thoughtSignature": "c2NyaXB0ZWQ="})
	}
	whole := object{
		"responseId": "resp_1", "modelVersion": "scripted",
		"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 1000, "candidatesTokenCount": 10, "totalTokenCount": 1010},
	}
	if stream {
		send(w, whole)
	} else {
		writeJSON(w, whole)
	}
}
