package copilot_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/copilot"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

const (
	states  = "testdata/1.0.102/session-state/"
	worked  = states + "7850e483-494d-4b3d-bb6a-00a8d86ba017/events.jsonl"
	held    = states + "5aca4562-e3d9-417e-8556-20823089d521/events.jsonl"
	refused = states + "5e8e89a1-ce4f-433d-b32a-3ffc6fb3d786/events.jsonl"
	errors  = states + "1022a27d-ac15-4d1b-8a63-b62b0ca4c8bd/events.jsonl"
)

func TestTell(t *testing.T) {
	for _, c := range []struct{ file, agent string }{
		{worked, ""},
		{worked, "918dea53-8513-4e5e-a421-071d330d7e95"},
		{held, ""},
		{refused, ""},
		{refused, "7d0ec319-7075-4045-b5f0-537571ff3c58"},
		{errors, ""},
		{errors, "a7ba38de-60e9-42c8-9a5a-294c247d6ee9"},
	} {
		sessiontest.CheckText(t, copilot.Format(), c.file, c.agent)
	}
}

func TestBroken(t *testing.T) { sessiontest.CheckBroken(t, copilot.Format(), refused) }

func FuzzRead(f *testing.F) {
	sessiontest.FuzzSeeded(f, copilot.Format(), worked, held, refused, errors)
}

// ev returns an event of the session's own.
func ev(kind, data string) string {
	return `{"type":"` + kind + `","data":{` + data + `},"id":"e","timestamp":"2026-01-01T10:00:00Z"}`
}

// of returns an event as one of a subagent's.
func of(agent, event string) string { return `{"agentId":"` + agent + `",` + event[1:] }

func TestRecords(t *testing.T) {
	started := ev("session.start", `"sessionId":"s1","copilotVersion":"1","selectedModel":"m","context":{"cwd":"/home/dev/shop","branch":"main"}`)
	prompt := ev("user.message", `"messageId":"u","content":"Fix it","transformedContent":"<x>Fix it"`)
	says := ev("assistant.message", `"messageId":"a","content":"Done.","toolRequests":[]`)
	calls := func(members string) string {
		return ev("assistant.message", `"messageId":"a","content":"","toolRequests":[{"toolCallId":"c1",`+members+`}]`)
	}
	bash := calls(`"name":"bash","arguments":{"command":"ls","description":"List"}`)
	asks := ev("permission.requested", `"requestId":"r1","permissionRequest":{"kind":"shell","toolCallId":"c1","fullCommandText":"ls"}`)
	for _, c := range []struct {
		name, agent string
		lines       []string
		want        string
	}{
		{"begun", "", []string{started, prompt}, "id s1; folder /home/dev/shop; branch main; prompt Fix it; working\nuser: Fix it"},
		{"answered", "", []string{prompt, says}, "prompt Fix it; idle; last Done.\nuser: Fix it\nagent: Done."},
		{"ended", "", []string{prompt, says, ev("session.shutdown", `"shutdownType":"routine"`)}, "prompt Fix it; ended; last Done.\nuser: Fix it\nagent: Done."},
		{"crashed", "", []string{prompt, ev("session.shutdown", `"shutdownType":"error"`)}, "prompt Fix it; ended\nuser: Fix it\nsystem: the program ended with an error"},
		{
			"resumed in another folder", "",
			[]string{started, ev("session.resume", `"context":{"cwd":"/home/dev/blue","branch":"blue"}`)},
			"id s1; folder /home/dev/blue; branch blue; idle\nsystem: the session was resumed in /home/dev/blue",
		},
		{"the branch changes", "", []string{started, ev("session.context_changed", `"cwd":"/home/dev/shop","branch":"fix"`)}, "id s1; folder /home/dev/shop; branch fix; idle"},
		{"titled", "", []string{ev("session.title_changed", `"title":"Fix the login"`)}, "title Fix the login"},
		{
			"interrupted", "",
			[]string{prompt, bash, ev("abort", `"reason":"user_initiated"`)},
			"prompt Fix it; idle\nuser: Fix it\nagent: c1 bash/execute pending (ls) <ls>\nsystem: the turn was interrupted",
		},
		{
			"interrupted while it asks, which is told before what was asked is cancelled", "",
			[]string{prompt, bash, ev("permission.requested", `"requestId":"r1","permissionRequest":{"kind":"shell","fullCommandText":"ls"}`), ev("abort", `"reason":"user_initiated"`), ev("permission.completed", `"requestId":"r1","result":{"kind":"cancelled"}`)},
			"prompt Fix it; idle\nuser: Fix it\nagent: c1 bash/execute pending (ls) <ls>\nsystem: asked for permission: ls\nsystem: the turn was interrupted\nsystem: permission was refused: a tool",
		},
		{
			"compacted", "",
			[]string{ev("session.compaction_start", ``), ev("session.compaction_complete", `"success":true`), ev("session.compaction_complete", `"success":false`)},
			"\nsystem: the conversation so far was compacted\nsystem: the conversation could not be compacted",
		},
		{"an error of the model's", "", []string{prompt, ev("session.error", `"errorType":"query","message":"503\nmore"`)}, "prompt Fix it; idle\nuser: Fix it\nsystem: an error: 503"},
		{"a notice", "", []string{ev("system.notification", `"content":"<system_notification>\nShell 0 is done.\n</system_notification>"`)}, "\nsystem: the program said: Shell 0 is done."},
		{"taken back", "", []string{ev("session.snapshot_rewind", ``)}, "\nsystem: the session was taken back to an earlier state"},

		{
			"a skill, a schedule and a command prompt", "",
			[]string{
				ev("user.message", `"messageId":"1","content":"<skill>","source":"skill-x"`), ev("user.message", `"messageId":"2","content":"Look again","source":"schedule-1"`),
				ev("user.message", `"messageId":"3","content":"Review","source":"command-review"`),
			},
			"prompt Review; working\nsystem: the program prompted the agent: Look again\nuser: Review",
		},
		{
			"an image in a prompt", "",
			[]string{
				ev("session.binary_asset", `"assetId":"x","mimeType":"image/png","data":"AAAA"`),
				ev("user.message", `"content":"Look","attachments":[{"type":"file","path":"a"},{"type":"blob","mimeType":"image/png","assetId":"x"},{"type":"blob","mimeType":"image/png","assetId":"none"}]`),
			},
			"prompt Look; working\nuser: Look | image/png AAAA",
		},
		{
			"a message of another agent's", "",
			[]string{started, ev("user.message", `"content":"Hello","source":"agent-s2"`)},
			"id s1; folder /home/dev/shop; branch main; prompt Hello; working\nuser from s2 to s1: Hello",
		},
		{
			"a hook that held the agent", "",
			[]string{prompt, says, ev("hook.end", `"hookType":"agentStop","success":true,"output":{"decision":"block","reason":"Read mail"}`), ev("user.message", `"messageId":"h","content":"Read mail"`)},
			"prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nsystem: a hook kept the agent going: Read mail",
		},
		{
			"a hook that refused, and one that failed", "",
			[]string{
				ev("hook.end", `"hookType":"preToolUse","success":true,"output":{"permissionDecision":"deny","permissionDecisionReason":"No"}`),
				ev("hook.end", `"hookType":"postToolUse","success":false,"error":{"message":"exit 1"}`),
			},
			"\nsystem: a hook refused a tool call: No\nsystem: a hook failed at postToolUse: exit 1",
		},
		{
			"thinking that stands twice", "",
			[]string{ev("assistant.reasoning", `"reasoningId":"r","content":"Hm"`), ev("assistant.message", `"messageId":"a","content":"Yes","reasoningText":"Hm"`)},
			"idle; last Yes\nagent: (Hm)\nagent: Yes",
		},

		{"a tool that runs", "", []string{bash, ev("tool.execution_start", `"toolCallId":"c1","toolName":"bash"`)}, "working\nagent: c1 bash/execute running (ls) <ls>"},
		{"a tool that failed", "", []string{bash, ev("tool.execution_complete", `"toolCallId":"c1","success":false,"error":{"message":"no"}`)}, "working\nagent: c1 bash/execute failed (ls) <ls> no"},
		{
			"a tool of which only the start was read", "",
			[]string{ev("tool.execution_start", `"toolCallId":"c1","toolName":"view","arguments":{"path":"/a","view_range":[3,9]}`)},
			"working\nagent: c1 view/read running (/a) /a:3 <{\"path\":\"/a\",\"view_range\":[3,9]}>",
		},
		{"a tool of which only the end was read", "", []string{ev("tool.execution_complete", `"toolCallId":"c1","success":true`)}, "working"},
		{
			"a command that the person ran", "",
			[]string{ev("tool.user_requested", `"toolCallId":"c1","toolName":"bash","arguments":{"command":"ls"}`), ev("tool.execution_complete", `"toolCallId":"c1","success":true,"result":{"content":"a\n<shellId: 0 completed with exit code 0>"}`)},
			"working\nuser: c1 bash/execute completed (ls) <ls> a\n",
		},
		{
			"what a hook adds to an output", "",
			[]string{bash, ev("tool.execution_complete", `"toolCallId":"c1","success":true,"result":{"content":"a\n\nTool \"bash\" succeeded. Additional guidance from postToolUse hooks:\nmail"}`)},
			"working\nagent: c1 bash/execute completed (ls) <ls> a",
		},
		{
			"a patch that is a text", "",
			[]string{
				calls(`"name":"apply_patch","type":"custom","arguments":"*** Begin"`),
				ev("tool.execution_complete", `"toolCallId":"c1","success":true,"fileEdits":[{"path":"/a","kind":"edit"},{"path":"/b","kind":"create"}],"result":{"content":"ok","detailedContent":"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n@@ -9,1 +9,1 @@\n-p\n+q\ndiff --git a/b b/b\n@@ -0,0 +1,1 @@\n+z\n"}`),
			},
			"working\nagent: c1 apply_patch/edit completed (apply_patch) /a /b <*** Begin> ok diff /a false \"x\\n@@ -9,1 +9,1 @@\\np\\n\" \"y\\n@@ -9,1 +9,1 @@\\nq\\n\" | c1~2 apply_patch/edit completed (/b) diff /b true \"\" \"z\\n\"",
		},
		{
			"an edit that was allowed", "",
			[]string{
				calls(`"name":"create","arguments":{"path":"/a"}`),
				ev("permission.requested", `"requestId":"r1","permissionRequest":{"kind":"write","toolCallId":"c1","fileName":"/a","fileEdits":[{"after":{"path":"/a","content":"all"}}]}`),
				ev("permission.completed", `"requestId":"r1","result":{"kind":"approved"}`), ev("tool.execution_complete", `"toolCallId":"c1","success":true`),
			},
			"working\nagent: c1 create/edit completed (/a) /a </a> diff /a true \"\" \"all\"\nsystem: asked for permission: /a",
		},
		{"a permission that is waited for", "", []string{bash, asks}, "waiting permission: ls\nagent: c1 bash/execute pending (ls) <ls>\nsystem: asked for permission: ls"},
		{
			"a permission that was refused", "",
			[]string{bash, asks, ev("permission.completed", `"requestId":"r1","result":{"kind":"denied-interactively-by-user"}`)},
			"working\nagent: c1 bash/execute pending (ls) <ls>\nsystem: asked for permission: ls\nsystem: permission was refused: ls",
		},
		{
			"a subagent waits for a permission, and another call ends", "",
			[]string{bash, of("s2", asks), ev("tool.execution_complete", `"toolCallId":"c1","success":true`)},
			"waiting permission: ls\nagent: c1 bash/execute completed (ls) <ls>",
		},
		{
			"a permission for a server's tool", "",
			[]string{calls(`"name":"db-drop","arguments":{"table":"users"}`), ev("permission.requested", `"requestId":"r1","permissionRequest":{"kind":"mcp","toolCallId":"c1","toolTitle":"drop"}`)},
			"waiting permission: db-drop {\"table\":\"users\"}\nagent: c1 db-drop/other pending (db-drop) <{\"table\":\"users\"}>\nsystem: asked for permission: db-drop {\"table\":\"users\"}",
		},
		{"a plan", "", []string{ev("exit_plan_mode.requested", `"requestId":"r1","summary":"Move it","planContent":"# Move the list\n1. Copy"`)}, "waiting approval of its plan: Move the list"},
		{"a plan that was summed up", "", []string{ev("exit_plan_mode.requested", `"requestId":"r1","summary":"Move it"`)}, "waiting approval of its plan: Move it"},
		{"a question", "", []string{ev("user_input.requested", `"question":"Which?"`)}, "waiting an answer: Which?"},
		{"a question that was answered", "", []string{ev("user_input.requested", `"question":"Which?"`), ev("user_input.completed", `"answer":"A"`)}, "working"},

		{
			"a subagent in its parent's log", "",
			[]string{
				calls(`"name":"task","arguments":{"description":"Count"}`), of("s2", ev("subagent.started", `"toolCallId":"c1"`)),
				of("s2", ev("user.message", `"content":"x"`)), of("s2", ev("shout", ``)), of("s2", ev("subagent.failed", `"toolCallId":"c1","error":"lost"`)),
			},
			"agents s2; working\nagent: c1 task/other pending (Count) <Count> started s2\nsystem: a subagent failed: lost",
		},
		{
			"a subagent's own log", "s2",
			[]string{
				started, prompt, of("s2", ev("subagent.started", `"toolCallId":"c1","agentDisplayName":"count","agentName":"task"`)),
				of("s2", ev("user.message", `"content":"Count","source":"agent-s1"`)), of("s2", says), of("s2", ev("subagent.completed", ``)), of("s2", ev("abort", ``)),
			},
			"id s2; folder /home/dev/shop; branch main; parent s1; name count; prompt Count; ended; last Done.\nuser: Count\nagent: Done.",
		},
		{
			"a subagent of older versions", "c9",
			[]string{ev("subagent.started", `"toolCallId":"c9","agentName":"task"`), ev("assistant.message", `"messageId":"a","content":"Hi","parentToolCallId":"c9"`), says},
			"id c9; name task; idle; last Hi\nagent: Hi",
		},

		{"unknown kinds", "", []string{ev("shout", ``), ev("model.messages_snapshot", ``), `{}`}, "\nsystem: a record of an unknown kind: \"shout\"\nsystem: a record of an unknown kind: \"\""},
		{
			"members of a wrong kind", "",
			[]string{
				`{"type":"assistant.message","timestamp":5,"data":{"messageId":[],"content":"Hi","model":7,"toolRequests":[3,null,{"toolCallId":"c1","name":{},"arguments":7}]}}`,
				ev("tool.execution_complete", `"toolCallId":"c1","success":true,"result":[],"fileEdits":{}`), `{"type":"user.message","data":7}`, `{"type":"abort"}`,
			},
			"idle; last Hi\nagent: Hi | c1 /other completed () <7>\nsystem: the turn was interrupted",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &session.Log{Agent: c.agent}
			for i, line := range c.lines {
				l.Line(copilot.Format(), int64(i), []byte(line))
			}
			if got := sessiontest.Brief(l); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	l := &session.Log{}
	for _, line := range []string{
		ev("session.usage_record", `"usage":{"apiCallId":"x","inputTokens":5,"outputTokens":2,"finishReason":"stop"}`),
		ev("assistant.message", `"messageId":"a","content":"Hi","apiCallId":"x"`),
		ev("assistant.message", `"messageId":"b","content":"Hi","outputTokens":3`),
	} {
		l.Line(copilot.Format(), 0, []byte(line))
	}
	for i, want := range []atsf.Tokens{{Input: 5, Output: 2}, {Output: 3}} {
		if got := l.Messages[i].Tokens; got == nil || *got != want {
			t.Errorf("message %d cost %v, want %v", i, got, want)
		}
	}
	if got := l.Messages[0].StopReason; got != "stop" {
		t.Errorf("stopped for %q", got)
	}
}

func TestPlace(t *testing.T) {
	place := copilot.Format().Place
	for path, want := range map[string]bool{"s1/events.jsonl": true, "s1/session.db": false, "s1/files/events.jsonl": false, "events.jsonl": false, "b1b2c3d4-0000-4000-8000-000000000000.jsonl": true} {
		if got := place.Holds(path, false); got != want {
			t.Errorf("%s: held %v", path, got)
		}
	}
	if !place.Holds("s1", true) || place.Holds("s1/files", true) || place.Name("s1/events.jsonl") != "s1" || place.Beside("s1/events.jsonl")[0] != "s1/workspace.yaml" {
		t.Error("the folder of a session is not told")
	}
}

func TestWorkspace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"id: s1\r\ncwd: /home/dev/shop\nbranch: main\nname: Fix it\n", "id s1; title Fix it; folder /home/dev/shop; branch main"},
		{"name: 'It''s: broken'\ncwd: \"/a b\"\nbranch: null\n", "title It's: broken; folder /a b"},
		{"name: |-\n  two\n  lines\nuser_named: false\n", ""},
		{"\x00: \"\nname: \"\n: :\nname:\n", `title "`},
	} {
		l := &session.Log{}
		copilot.Format().Place.ReadBeside(&l.Facts, "s1/workspace.yaml", []byte(c.text))
		if got := sessiontest.Brief(l); got != c.want {
			t.Errorf("%q tells %s, not %s", c.text, got, c.want)
		}
	}
}
