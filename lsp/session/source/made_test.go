package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writer writes a session as one program would.
type writer struct {
	client, work string
	number       int
	at           time.Time
	lines        []string
}

func (w *writer) line(r record) {
	data, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	w.lines = append(w.lines, string(data))
}

func (w *writer) now() string { return w.at.Format("2006-01-02T15:04:05.000Z") }

// begin writes what tells where the session works.
func (w *writer) begin() {
	switch w.client {
	case "codex":
		w.line(record{"timestamp": w.now(), "type": "session_meta", "payload": record{"id": id(w.number), "cwd": w.work, "cli_version": "0.169.0", "git": record{"branch": "main"}}})
	case "gemini":
		w.line(record{"sessionId": id(w.number), "startTime": w.now(), "lastUpdated": w.now(), "kind": "main"})
	case "copilot":
		w.event("session.start", "start", record{"sessionId": id(w.number), "context": record{"cwd": w.work, "branch": "main"}})
	}
}

func (w *writer) claude(role, id string, block record) {
	w.line(record{
		"type": role, "uuid": fmt.Sprint("u", len(w.lines)), "cwd": w.work, "sessionId": w.number, "gitBranch": "main", "timestamp": w.now(),
		"message": record{"id": id, "role": role, "content": []record{block}},
	})
}

func (w *writer) item(payload record) {
	w.line(record{"timestamp": w.now(), "type": "response_item", "payload": payload})
}

// spent writes what a response cost, which ends it for Codex.
func (w *writer) spent() {
	if w.client == "codex" {
		w.line(record{"timestamp": w.now(), "type": "event_msg", "payload": record{"type": "token_count", "info": record{"last_token_usage": record{"input_tokens": 5, "output_tokens": 3}}}})
	}
}

func (w *writer) event(kind, id string, data record) {
	w.line(record{"type": kind, "id": id, "timestamp": w.now(), "data": data})
}

// say writes what the person or the agent says, in the message with an id.
func (w *writer) say(role, id, text string) {
	agent := role != "user"
	switch w.client {
	case "claude":
		w.claude(role, id, record{"type": "text", "text": text})
	case "codex":
		w.item(record{"type": "message", "role": role, "id": id, "content": []record{{"type": map[bool]string{false: "input_text", true: "output_text"}[agent], "text": text}}})
	case "gemini":
		w.line(record{"id": id, "timestamp": w.now(), "type": map[bool]string{false: "user", true: "gemini"}[agent], "content": []record{{"text": text}}, "displayContent": []record{{"text": text}}})
	case "copilot":
		w.event(role+".message", id, record{"messageId": id, "content": text})
	}
}

// call writes a call of a shell, or with a file of the tool that changes it, and its answer
// if that is not empty.
func (w *writer) call(id, call, command, file string) {
	switch w.client {
	case "claude":
		use := record{"type": "tool_use", "id": call, "name": "Bash", "input": record{"command": command}}
		if file != "" {
			use = record{"type": "tool_use", "id": call, "name": "Edit", "input": record{"file_path": filepath.Join(w.work, file), "old_string": "was", "new_string": command}}
		}
		w.claude("assistant", id, use)
	case "codex":
		if file != "" {
			w.item(record{"type": "custom_tool_call", "id": id, "call_id": call, "name": "apply_patch", "input": "*** Begin Patch\n*** Update File: " + file + "\n@@\n-was\n+" + strings.ReplaceAll(command, "\n", "\n+") + "\n*** End Patch"})
			return
		}
		args, err := json.Marshal(record{"cmd": command})
		if err != nil {
			panic(err)
		}
		w.item(record{"type": "function_call", "id": id, "call_id": call, "name": "exec_command", "arguments": string(args)})
	case "gemini":
		w.called(id, call, command, file, "executing", "")
	case "copilot":
		name, args := "bash", record{"command": command}
		if file != "" {
			name, args = "edit", record{"path": filepath.Join(w.work, file), "old_str": "was", "new_str": command}
		}
		w.event("assistant.message", id, record{"messageId": id, "content": "", "toolRequests": []record{{"toolCallId": call, "name": name, "arguments": args}}})
	}
}

func (w *writer) called(id, call, command, file, status, output string) {
	c := record{"id": call, "name": "run_shell_command", "args": record{"command": command}, "status": status}
	if file != "" {
		c["name"], c["args"] = "replace", record{"file_path": filepath.Join(w.work, file), "old_string": "was", "new_string": command}
	}
	if output != "" {
		c["result"] = []record{{"functionResponse": record{"id": call, "name": c["name"], "response": record{"output": output}}}}
	}
	w.line(record{"id": id, "timestamp": w.now(), "type": "gemini", "content": "", "toolCalls": []record{c}})
}

// answer writes what a call answered, which for Gemini is the message once more.
func (w *writer) answer(id, call, command, file, output string) {
	switch w.client {
	case "claude":
		w.claude("user", "", record{"type": "tool_result", "tool_use_id": call, "content": output})
	case "codex":
		w.item(record{"type": map[bool]string{false: "function_call_output", true: "custom_tool_call_output"}[file != ""], "call_id": call, "output": output})
	case "gemini":
		w.called(id, call, command, file, "success", output)
	case "copilot":
		w.event("tool.execution_complete", call+"-end", record{"toolCallId": call, "success": true, "result": record{"content": output}})
	}
}

// path is where the program keeps it.
func (w *writer) path(home string) string {
	switch w.client {
	case "claude":
		return filepath.Join(home, ".claude", "projects", "-work", id(w.number)+".jsonl")
	case "gemini":
		return filepath.Join(home, ".gemini", "tmp", "work", "chats", "session-2026-02-01T09-00-"+id(w.number)[:8]+".jsonl")
	case "copilot":
		return filepath.Join(home, ".copilot", "session-state", id(w.number), "events.jsonl")
	}
	return file(w.work, w.number)
}

// save writes the file, without its last bytes.
func (w *writer) save(t testing.TB, home string, cut int) {
	t.Helper()
	text := strings.Join(w.lines, "\n") + "\n"
	files := map[string]string{w.path(home): text[:max(0, len(text)-cut)]}
	if w.client == "gemini" {
		files[filepath.Join(home, ".gemini", "tmp", "work", ".project_root")] = w.work
	}
	for file, text := range files {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// secretKey is masked wherever it stands.
const secretKey = "ghp_0123456789abcdef0123456789abcdef0123"

// madeUp writes a session of what comes by chance: messages with ids that repeat, calls with
// others between them and their answers, and texts with escapes, decomposed letters, secrets
// and now and then so long that they are read in parts.
func madeUp(rng *rand.Rand, w *writer) {
	texts := []string{
		"a caf\u00e9", "cafe\u0301", "Z\u00dcRICH", "Zu\u0308rich", "QUETZAL red", "\u212aelvin", "say \"hi\" \\ there", "\U0001f389 party", "red\n fox", "red fox",
		"one\nthe quetzal\ntwo", "token " + secretKey, `{"path":"caf` + "\u00e9" + `"}`, "plain", "plain", "\u202eplain", "<b>plain</b>", "src/b.go",
	}
	files := []string{"", "", "src/a.go", "src/b.go", "docs/caf\u00e9.md"}
	text := func() string {
		s := texts[rng.IntN(len(texts))]
		for rng.IntN(3) == 0 {
			s += "\n" + texts[rng.IntN(len(texts))]
		}
		if rng.IntN(12) == 0 {
			s += strings.Repeat(" x", rng.IntN(60_000))
		}
		return s
	}
	type call struct{ id, call, command, file string }
	var open []call
	n := 0
	w.begin()
	for i := range 10 + rng.IntN(25) {
		n += rng.IntN(2)
		w.at = w.at.Add(time.Duration(rng.IntN(90)) * time.Second)
		agent := cmp.Or(map[int]string{0: fmt.Sprint("a", i)}[rng.IntN(2)], fmt.Sprint("a", n))
		switch rng.IntN(4) {
		case 0:
			w.say("user", fmt.Sprint("p", n), text())
		case 1:
			w.say("assistant", agent, text())
		case 2:
			c := call{agent, fmt.Sprint("call", i), text(), files[rng.IntN(len(files))]}
			w.call(c.id, c.call, c.command, c.file)
			open = append(open, c)
		default:
			if len(open) == 0 {
				continue
			}
			k := rng.IntN(len(open))
			c := open[k]
			w.answer(c.id, c.call, c.command, c.file, text())
			open = append(open[:k], open[k+1:]...)
		}
		if rng.IntN(2) == 0 || len(w.lines[len(w.lines)-1]) > 8<<10 {
			w.spent()
		}
	}
}
