package codex

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

// line returns a record of a type, with a payload.
func line(kind, payload string) string {
	return `{"timestamp":"2026-11-23T10:00:00.000Z","type":"` + kind + `","payload":` + payload + "}\n"
}

func item(payload string) string     { return line("response_item", payload) }
func happened(payload string) string { return line("event_msg", payload) }

const (
	run     = `{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"make\",\"workdir\":\"/a\"}","call_id":"c1"}`
	ran     = `{"type":"function_call_output","call_id":"c1","output":"Chunk ID: 1\nWall time: 1.5 seconds\nProcess exited with code 2\nOutput:\nno rule\n"}`
	runEnd  = `{"type":"item_completed","item":{"type":"CommandExecution","id":"c1","command":["/bin/bash","-lc","make"],"status":"failed","aggregated_output":"no rule at all\n","exit_code":2,"duration":{"secs":1,"nanos":250000000}}}`
	patch   = `{"type":"custom_tool_call","name":"apply_patch","call_id":"p1","input":"*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@ func a\n one\n-two\n+three\n@@\n-four\n*** Add File: c.go\n+new\n*** End Patch\n"}`
	patched = `{"type":"custom_tool_call_output","call_id":"p1","output":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n"}`
)

// TestRecords checks the text of single records. It contains each text of wants, and none of never.
func TestRecords(t *testing.T) {
	for name, tt := range map[string]struct {
		records      string
		wants, never []string
	}{
		"a command that failed, by its output alone": {
			item(run) + item(ran),
			[]string{"call c1: exec_command, failed, kind execute, title make, 1500 ms\n    input: make\n    output: no rule\n"},
			[]string{"Chunk ID", "Process exited"},
		},
		"its own end tells more, before the output": {
			item(run) + happened(runEnd) + item(ran), []string{"exec_command, failed, kind execute, title make, 1250 ms\n    input: make\n    output: no rule at all\n"}, nil,
		},
		"or after it": {
			item(run) + item(ran) + happened(runEnd), []string{"failed, kind execute, title make, 1250 ms\n    input: make\n    output: no rule at all\n"}, nil,
		},
		"or before the call": {
			happened(runEnd) + item(run) + item(ran), []string{"1250 ms\n    input: make\n    output: no rule at all\n"}, []string{"running"},
		},
		"the end of a command in the versions before items": {
			item(run) + happened(`{"type":"exec_command_end","call_id":"c1","command":["bash","-lc","make"],"stdout":"o","stderr":"e","exit_code":0,"duration":{"secs":2,"nanos":0}}`),
			[]string{"exec_command, completed, kind execute, title make, 2000 ms\n    input: make\n    output: oe\n"},
			nil,
		},
		"a shell with words and an output in JSON": {
			item(`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls\"]}","call_id":"c2"}`) +
				item(`{"type":"function_call_output","call_id":"c2","output":"{\"output\":\"a\\nb\\n\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.2}}"}`),
			[]string{"call c2: shell, failed, kind execute, title ls, 200 ms\n    input: ls\n    output: a\n      | b\n"},
			nil,
		},
		"a tool of a server, whose arguments are no title": {
			item(`{"type":"function_call","name":"reply","namespace":"mcp__signalbox","arguments":"{\"message\":\"6d4b0a4245e118e7\",\"body\":\"yes\"}","call_id":"c2"}`),
			[]string{"call c2: mcp__signalbox__reply, running, kind other, title mcp__signalbox__reply\n"},
			nil,
		},
		"a local shell": {
			item(`{"type":"local_shell_call","call_id":"c3","status":"completed","action":{"type":"exec","command":["ls","-l"]}}`),
			[]string{"call c3: local_shell, running, kind execute, title ls -l\n    input: ls -l\n"},
			nil,
		},
		"a patch that was not made yet": {
			item(patch),
			[]string{
				"call p1: apply_patch, running, kind edit, title a.go → b.go, c.go\n    at a.go 0\n    at c.go 0\n",
				"diff of b.go, created false\n      old: one\n      | two\n      | @@\n      | four\n      new: one\n      | three\n      | @@\n",
			},
			nil,
		},
		"a patch that was made": {
			item(patch) + happened(`{"type":"patch_apply_end","call_id":"p1","success":true,"stdout":"ok","changes":{"/w/c.go":{"add":{"content":"x"}},"/w/a.go":{"type":"update","unified_diff":"@@ -1 +1 @@\n-two\n+three\n","move_path":"/w/b.go"}}}`),
			[]string{
				"tool_call_ref: p1\n  tool_call_ref: p1~2\n",
				"completed, kind edit, title a.go → b.go, c.go\n    at /w/a.go 0\n    at /w/c.go 0\n", "diff of /w/b.go, created false\n      old: two\n      new: three\n",
				"call p1~2: apply_patch, completed, kind edit, title /w/c.go\n    diff of /w/c.go, created true\n      old: \n      new: x\n",
			},
			[]string{"p1~3"},
		},
		"the same, by its output alone": {
			item(patch) + item(patched),
			[]string{
				"output: Success.", "diff of b.go, created false\n      old: one\n      | two\n",
				"call p1~2: apply_patch, completed, kind edit, title c.go\n    diff of c.go, created true\n      old: \n      new: new\n",
			},
			[]string{"p1~3"},
		},
		"its output, then its own end": {
			item(patch) + item(patched) + happened(`{"type":"patch_apply_end","call_id":"p1","success":true,"stdout":"ok","changes":{"/w/c.go":{"add":{"content":"x"}},"/w/d.go":{"add":{"content":"y"}}}}`),
			[]string{"kind edit, title a.go → b.go, c.go, 0 ms\n", "diff of /w/c.go, created true", "call p1~2: apply_patch, completed, kind edit, title /w/d.go\n"},
			[]string{"p1~3", "diff of b.go", "diff of c.go"},
		},
		"its output, then that it was not made": {
			item(patch) + item(patched) + happened(`{"type":"patch_apply_end","call_id":"p1","success":false,"changes":{}}`),
			[]string{"call p1: apply_patch, failed", "call p1~2: apply_patch, failed"},
			[]string{"diff of", "completed"},
		},
		"calls beside a patch keep their order": {
			item(patch) + item(run) + item(patched) + item(ran),
			[]string{"tool_call_ref: p1\n  tool_call_ref: p1~2\n", "call c1: exec_command, failed", "call p1~2: apply_patch, completed"},
			nil,
		},
		"a file that was made, as the first versions wrote it": {
			happened(`{"type":"patch_apply_end","call_id":"p2","success":true,"changes":{"/w/c.go":{"add":{"content":"x\n"}}}}`),
			[]string{"call p2: apply_patch, completed, kind edit, title /w/c.go", "diff of /w/c.go, created true\n      old: \n      new: x\n"},
			nil,
		},
		"a patch that was refused": {
			item(patch) + happened(`{"type":"item_completed","item":{"type":"FileChange","id":"p1","status":"declined","changes":{}}}`),
			[]string{"apply_patch, failed", "note: a permission was refused: a.go → b.go, c.go"},
			[]string{"diff of"},
		},
		"a command wants out of the sandbox": {
			item(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"id\",\"sandbox_permissions\":\"require_escalated\",\"justification\":\"May I?\"}","call_id":"c4"}`) +
				item(`{"type":"function_call_output","call_id":"c4","output":"exec command rejected by user"}`),
			[]string{"note: asks to run outside of the sandbox: May I?", "exec_command, failed, kind execute, title id"},
			nil,
		},
		"a question to the person": {
			item(`{"type":"function_call","name":"request_user_input","arguments":"{\"questions\":[{\"question\":\"Which?\"}]}","call_id":"q"}`),
			[]string{"state: waiting an answer: Which?", "request_user_input, running, kind other, title Which?"},
			nil,
		},
		"and its answer": {
			item(`{"type":"function_call","name":"request_user_input","arguments":"{\"questions\":[{\"question\":\"Which?\"}]}","call_id":"q"}`) +
				item(`{"type":"function_call_output","call_id":"q","output":"{\"answers\":{}}"}`),
			[]string{"state: working", "completed"},
			nil,
		},
		"an approval that is asked for": {happened(`{"type":"exec_approval_request","command":["rm","x"]}`), []string{"state: waiting permission: rm x", "note: asks for a permission: rm x"}, nil},
		"a tool of a server failed": {
			happened(`{"type":"mcp_tool_call_end","call_id":"m","invocation":{"server":"mail","tool":"send","arguments":{"to":"bob"}},"result":{"Err":"no route"},"duration":{"secs":0,"nanos":5000000}}`),
			[]string{"call m: mcp__mail__send, failed, kind other, title mcp__mail__send, 5 ms\n    input: {\"to\":\"bob\"}\n    output: no route\n"},
			nil,
		},
		"a tool of a server says that it failed": {
			happened(`{"type":"item_completed","item":{"type":"McpToolCall","id":"m","server":"mail","tool":"send","arguments":{},"status":"completed","result":{"content":[{"type":"text","text":"bad"}],"isError":true}}}`),
			[]string{"mcp__mail__send, failed", "output: bad"},
			nil,
		},
		"an interrupted turn": {happened(`{"type":"task_started"}`) + happened(`{"type":"turn_aborted","reason":"interrupted"}`), []string{"state: idle", "note: the turn was interrupted"}, nil},
		"an error":            {happened(`{"type":"error","message":"too long"}`), []string{"note: an error: too long"}, nil},
		"resumed elsewhere": {
			line("session_meta", `{"id":"s","cwd":"/a","git":{"branch":"main"}}`) + line("turn_context", `{"cwd":"/b","model":"m2"}`),
			[]string{"folder: /b\nmodel: m2\n", "note: goes on in /b"},
			[]string{"branch"},
		},
		"a fork holds the other's records": {
			line("session_meta", `{"id":"s","forked_from_id":"o","cwd":"/a","cli_version":"1"}`) + line("session_meta", `{"id":"o","cwd":"/o","cli_version":"0"}`),
			[]string{"id: s\nfolder: /a\nversion: 1\n", "note: goes on from the session o"},
			nil,
		},
		"a reviewer": {
			line("session_meta", `{"id":"s","parent_thread_id":"o","source":{"subagent":"review"}}`), []string{"parent: o\nname: review\n"}, nil,
		},
		"a prompt of an editor, with an image": {
			item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"# Context from my IDE setup:\n\n## My request for Codex:\nFix it"},{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"},{"type":"input_text","text":"</image>"}]}`),
			[]string{"prompt: Fix it\n", "  text: Fix it\n  image: image/png 6 bytes\n"},
			[]string{"IDE", "<image"},
		},
		"what the person wrote stays, whatever it looks like": {
			item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<tools> are what?"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["user.text"]}}`),
			[]string{"text: <tools> are what?"},
			nil,
		},
		"texts of the program": {
			item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"},{"type":"input_text","text":"# AGENTS.md instructions for /a"},{"type":"input_text","text":"<turn_aborted>"}]}`) +
				item(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"rules"}]}`),
			nil,
			[]string{"user at", "rules", "prompt"},
		},
		"a text of the program of an unknown kind": {
			item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"x"},{"type":"input_text","text":"y"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["hooks.y","weather.now"]}}`),
			[]string{`unknown kind: "weather.now"`},
			[]string{"hooks.y", "text:"},
		},
		"a command of the person": {
			item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<user_shell_command>\nls\n</user_shell_command>"}]}`), []string{"  text: ls\n"}, []string{"prompt"},
		},
		"a plan stands once": {
			item(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Here:\n<proposed_plan>\nstep\n</proposed_plan>"}]}`) + happened(`{"type":"item_completed","item":{"type":"Plan","id":"p","text":"step\n"}}`),
			[]string{"  text: Here:\n      | step\n"},
			[]string{"proposed_plan", "text: step"},
		},
		"a search of the server": {
			item(`{"type":"web_search_call","id":"ws","status":"completed","action":{"type":"search","query":"go"}}`) + happened(`{"type":"web_search_end","call_id":"ws","query":"go","action":{"type":"search","query":"go"}}`),
			[]string{"call ws: web_search, completed, kind search, title go\n    input: go\n"},
			nil,
		},
		"an image that was drawn": {
			item(`{"type":"image_generation_call","id":"ig","status":"completed","revised_prompt":"a cat","result":"AAAA"}`), []string{"image_generation, completed, kind other, title a cat", "image: image/png 6 bytes"}, nil,
		},
		"thinking in clear": {
			item(`{"type":"reasoning","id":"r","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]}`) + item(`{"type":"reasoning","id":"r2","summary":[],"encrypted_content":"x"}`),
			[]string{"thinking: hm"},
			[]string{"id r2"},
		},
		"a message that only the model can read": {
			item(`{"type":"agent_message","author":"/lead","recipient":"/lead/a","content":[{"type":"encrypted_content","encrypted_content":"` + strings.Repeat("gAAA", 30) + `"}]}`),
			[]string{"from /lead, to /lead/a\n  text: (encrypted for the model)\n"},
			[]string{"gAAA"},
		},
		"an id that is used twice": {
			item(run) + item(ran) + item(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"true\"}","call_id":"c1"}`),
			[]string{"failed, kind execute, title make", "running, kind execute, title true"},
			nil,
		},
		"tokens in the versions without records of them": {
			item(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`) + happened(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":7,"output_tokens":2}}}`),
			[]string{"tokens 7 2\n  text: a\n"},
			nil,
		},
		"a title and the end":        {happened(`{"type":"thread_name_updated","thread_name":"My work"}`) + happened(`{"type":"shutdown_complete"}`), []string{"title: My work\n", "state: ended"}, nil},
		"turns that were taken back": {happened(`{"type":"thread_rolled_back","num_turns":2}`), []string{"note: the person took back turns: 2"}, nil},
		"unknown kinds": {
			line("new", `{}`) + item(`{"type":"newer"}`) + happened(`{"type":"newest"}`) + happened(`{"type":"item_completed","item":{"type":"News"}}`),
			[]string{`unknown kind: "new"`, `unknown kind: "newer"`, `unknown kind: "newest"`, `unknown kind: "News"`},
			nil,
		},
		"members of the wrong kind": {
			item(`{"type":"message","id":7,"role":"assistant","phase":{},"content":[7,{"type":"output_text","text":"still"},{"text":[]}],"arguments":1,"duration":"x","cwd":[],"changes":7}`),
			[]string{"agent at 0, time 2026-11-23T10:00:00.000Z\n  text: still\n"},
			nil,
		},
		"the first versions": {
			`{"id":"old","timestamp":"2025-06-01T10:00:00.000Z","instructions":null,"git":{"branch":"b"}}` + "\n" + `{"record_type":"state"}` + "\n" +
				`{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}` + "\n",
			[]string{"id: old\nprompt: hi\nbranch: b\n", "  text: hi\n"},
			[]string{"unknown"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := sessiontest.Text(sessiontest.Read(Format(), "", []byte(tt.records)))
			for _, want := range tt.wants {
				if !strings.Contains(got, want) {
					t.Errorf("it does not tell\n%s", want)
				}
			}
			for _, never := range tt.never {
				if strings.Contains(got, never) {
					t.Errorf("it tells %q", never)
				}
			}
			if t.Failed() {
				t.Log(got)
			}
		})
	}
}

// TestMany checks that one message does not get all calls: each search for a call would then go
// through all of them.
func TestMany(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxBlocks {
		b.WriteString(strings.ReplaceAll(item(run), `"c1"`, `"c`+strconv.Itoa(i)+`"`))
	}
	l := sessiontest.Read(Format(), "", []byte(b.String()))
	if len(l.Messages) != 3 || len(l.Messages[2].Tools) != maxBlocks {
		t.Errorf("%d messages", len(l.Messages))
	}
}

// TestPartialRead checks that the end of a call before the lines read is ignored.
func TestPartialRead(t *testing.T) {
	data := item(run) + happened(runEnd) + item(ran)
	if got := sessiontest.From(Format(), "", []byte(data), 1, len(data)); len(got.Messages) != 0 {
		t.Errorf("the lines read give %s", sessiontest.Text(got))
	}
}

func TestPlace(t *testing.T) {
	p := Format().Place
	for path, want := range map[string]bool{
		"2026/11/23/rollout-2026-11-23T02-45-36-01a2.jsonl": true, "2026/11/23/rollout-x.jsonl.zst": true, "rollout-x.jsonl": true, "2026/11/23/rollout-x.jsonl.tmp": false, "2026/11/23/x.jsonl": false,
	} {
		if p.Holds(path, false) != want {
			t.Errorf("Holds(%q) = %v", path, !want)
		}
	}
	if !p.Holds("2026/11", true) || p.Holds("2026/x", true) || p.Holds("2026/11/23/1", true) {
		t.Error("the folders are not year, month and day")
	}
}

// TestManyFiles checks that a patch to very many files shows only some of them.
func TestManyFiles(t *testing.T) {
	var changes []string
	for i := range 3 * session.MaxFiles {
		changes = append(changes, fmt.Sprintf(`"/w/%03d.go":{"type":"add","content":"x"}`, i))
	}
	end := happened(`{"type":"patch_apply_end","call_id":"p1","success":true,"changes":{` + strings.Join(changes, ",") + `}}`)
	l := sessiontest.Read(Format(), "", []byte(item(patch)+end))
	if m := &l.Messages[0]; len(m.Tools) != session.MaxFiles || m.ToolCalls != session.MaxFiles || m.Blocks != session.MaxFiles || len(m.Content) != session.MaxFiles {
		t.Errorf("%d calls and %d blocks", len(m.Tools), len(m.Content))
	}
	if l.Open() {
		t.Error("a call is open")
	}
}
