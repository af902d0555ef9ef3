package claude_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/claude"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

// use is a record of a tool call with the id t1.
func use(tool, input string) string {
	return `{"type":"assistant","uuid":"u-call","requestRef":"q1","message":{"id":"m1","stop_reason":"tool_use","content":[{"type":"tool_use","id":"t1","name":"` + tool + `","input":` + input + `}]}}`
}

// end is a record of how that call ended. More are further members of the record.
func end(failed, content, more string) string {
	return `{"type":"user","uuid":"u-end","sourceToolAssistantUUID":"u-call","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":` + failed + `,"content":` + content + `}]}` + more + `}`
}

const prompt = `{"type":"user","uuid":"u0","cwd":"/home/dev/shop","gitBranch":"main","message":{"role":"user","content":"do it"}}`

// said returns a record of the agent's text.
func said(text string) string {
	return `{"type":"assistant","uuid":"u-` + text + `","message":{"id":"m1","content":[{"type":"text","text":"` + text + `"}]}}`
}

const exit = `{"type":"cost-state","sessionId":"s"}`

func TestRecords(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		want  []string
		not   string
	}{
		{
			name: "a failed command", lines: []string{use("Bash", `{"command":"false"}`), end("true", `"Exit code 1"`, `,"toolUseResult":"Error: Exit code 1"`)},
			want: []string{"call t1: Bash, failed, kind execute, title false\n", "output: Exit code 1\n", "state: working"}, not: "note",
		},
		{
			name: "an interrupted command", lines: []string{use("Bash", `{"command":"sleep 9"}`), end("false", `"some"`, `,"toolUseResult":{"stdout":"some","interrupted":true}`)},
			want: []string{"call t1: Bash, failed"},
		},
		{
			name: "a tool that is not there", lines: []string{use("Nope", `{}`), end("true", `"<tool_use_error>No such tool</tool_use_error>"`, "")},
			want: []string{"call t1: Nope, failed, kind other, title Nope\n", "output: No such tool\n"},
		},
		{
			name: "a refusal by the person", lines: []string{use("Bash", `{"command":"rm x"}`), end("true", `"The user doesn't want to proceed with this tool use."`, `,"toolUseResult":"User rejected tool use"`)},
			want: []string{"failed", "note: the person refused the use of Bash\n"},
		},
		{
			name: "a refusal by a hook", lines: []string{use("Bash", `{"command":"rm x"}`), end("true", `"no"`, `,"permissionDecision":{"decision":"reject","source":"hook"}`)},
			want: []string{"note: a hook refused the use of Bash\n"},
		},
		{
			name: "a missing permission", lines: []string{use("WebFetch", `{"url":"http://x"}`), end("true", `"Claude requested permissions to use WebFetch, but you haven't granted it yet."`, "")},
			want: []string{"title http://x", "input: http://x\n", "note: the permission to use WebFetch was missing\n"},
		},
		{
			name: "an edit that failed", lines: []string{use("Edit", `{"file_path":"/f","old_string":"a","new_string":"b"}`), end("true", `"not found"`, "")},
			want: []string{"call t1: Edit, failed", "at /f 0\n"}, not: "diff of",
		},
		{
			name: "an edit that runs", lines: []string{use("Edit", `{"file_path":"/f","old_string":"a","new_string":"b"}`)},
			want: []string{"running", "diff of /f, created false\n      old: a\n      new: b\n"},
		},
		{
			name: "an edit that the person changed", lines: []string{use("Edit", `{"file_path":"/f","old_string":"a","new_string":"b"}`), end("false", `"ok"`, `,"toolUseResult":{"filePath":"/f","oldString":"a","newString":"c","userModified":true,"structuredPatch":[{"newStart":7}]}`)},
			want: []string{"at /f 7\n", "old: a\n      new: c\n"},
		},
		{
			name: "many edits", lines: []string{use("MultiEdit", `{"file_path":"/f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`)},
			want: []string{"old: a\n      | c\n      new: b\n      | d\n"},
		},
		{
			name: "a new file", lines: []string{use("Write", `{"file_path":"/f","content":"x"}`), end("false", `"ok"`, `,"toolUseResult":{"type":"create","originalFile":null,"structuredPatch":[]}`)},
			want: []string{"created true\n      old: \n      new: x\n"},
		},
		{
			name: "a file written over", lines: []string{use("Write", `{"file_path":"/f","content":"x"}`), end("false", `"ok"`, `,"toolUseResult":{"type":"update","originalFile":"w"}`)},
			want: []string{"created false\n      old: w\n      new: x\n"},
		},
		{
			name: "a long file written over", lines: []string{use("Write", `{"file_path":"/f","content":"x"}`), end("false", `"ok"`, `,"toolUseResult":{"type":"update","originalFile":null,"structuredPatch":[{"newStart":3,"lines":[" k","-w","+x","\\ No newline at end of file"]}]}`)},
			want: []string{"at /f 3\n", "created false\n      old: k\n      | w\n      new: k\n      | x\n"},
		},
		{
			name: "a notebook", lines: []string{use("NotebookEdit", `{"notebook_path":"/n","new_source":"x"}`), end("false", `"ok"`, `,"toolUseResult":{"old_source":"w"}`)},
			want: []string{"diff of /n, created false\n      old: w\n      new: x\n"},
		},
		{
			name: "a long output that was kept in a file", lines: []string{use("Bash", `{"command":"x"}`), end("false", `"<persisted-output>cut"`, `,"toolUseResult":{"stdout":"all of it"}`)},
			want: []string{"output: all of it\n"},
		},
		{
			name: "a duration", lines: []string{use("WebSearch", `{"query":"q"}`), end("false", `"ok"`, `,"toolUseResult":{"durationSeconds":1.5}`)},
			want: []string{"kind fetch, title q, 1500 ms\n", "input: q\n"},
		},
		{
			name: "a subagent in the background", lines: []string{use("Agent", `{"description":"look"}`), end("false", `"launched"`, `,"toolUseResult":{"status":"async_launched","agentId":"a12"}`)},
			want: []string{"title look", "t1 started a12\n", "output: launched\n"},
		},
		{
			name: "a question", lines: []string{use("AskUserQuestion", `{"questions":[{"question":"Which?"}]}`)},
			want: []string{"state: waiting an answer: Which?", "title Which?\n"},
		},
		{
			name: "a question with its answer", lines: []string{use("AskUserQuestion", `{"questions":[{"question":"Which?"}]}`), end("false", `"this"`, "")},
			want: []string{"state: working\n"},
		},
		{name: "a plan", lines: []string{use("ExitPlanMode", `{"plan":"p"}`)}, want: []string{"state: waiting approval of its plan: p\n", "input: p\n"}},
		{
			name: "an interruption", lines: []string{prompt, use("Bash", `{"command":"x"}`), `{"type":"user","uuid":"u2","message":{"content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}}`},
			want: []string{"state: idle\n", "call t1: Bash, failed", "note: the agent was interrupted\n"}, not: "Request",
		},
		{name: "a program that was killed", lines: []string{use("Bash", `{"command":"x"}`), prompt}, want: []string{"call t1: Bash, failed", "text: do it"}},
		{
			name: "an id of a call that comes again", lines: []string{use("Bash", `{"command":"x"}`), strings.NewReplacer(`"q1"`, `"q2"`, `"u-call"`, `"u-2"`).Replace(use("Bash", `{"command":"y"}`)), end("false", `"done"`, "")},
			want: []string{"Bash, failed, kind execute, title x\n", "Bash, completed, kind execute, title y\n"},
		},
		{
			name: "a record that stands twice", lines: []string{said("one"), said("one"), said("two")},
			want: []string{"text: one\n  text: two\n"}, not: "text: one\n  text: one",
		},
		{
			name: "resumed elsewhere", lines: []string{prompt, exit, strings.ReplaceAll(strings.ReplaceAll(prompt, "/shop", "/shop-2"), `"u0"`, `"u1"`)},
			want: []string{"folder: /home/dev/shop-2\n", "note: the session was resumed in /home/dev/shop-2\n", "state: working\n"},
		},
		{
			name: "resumed, as a hook says", lines: []string{`{"type":"attachment","uuid":"a","attachment":{"type":"hook_success","hookName":"SessionStart:resume"}}`},
			want: []string{"note: the session was resumed\n"},
		},
		{
			name: "resumed, told once", lines: []string{prompt, exit, `{"type":"attachment","uuid":"a","attachment":{"type":"hook_success","hookName":"SessionStart:resume"}}`},
			want: []string{"note: the session was resumed\n"}, not: "more times",
		},
		{name: "ended", lines: []string{prompt, exit}, want: []string{"state: ended\n"}},
		{
			name: "compacted", lines: []string{`{"type":"system","subtype":"compact_boundary","uuid":"c","compactMetadata":{"trigger":"auto"}}`, `{"type":"user","uuid":"d","isCompactSummary":true,"message":{"content":"This session"}}`},
			want: []string{"note: the conversation was compacted\n"}, not: "This session",
		},
		{
			name: "an API error", lines: []string{prompt, `{"type":"assistant","uuid":"e","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}}`},
			want: []string{"note: the API answered with an error: API Error: 529\n", "state: idle\n"}, not: "synthetic",
		},
		{
			name: "an API error that is tried again", lines: []string{`{"type":"system","subtype":"api_error","retryAttempt":1,"maxRetries":10}`},
			want: []string{"try 1 of 10"},
		},
		{
			name: "a message of the program in the model's place", lines: []string{`{"type":"assistant","uuid":"e","message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`},
			not: "No response",
		},
		{
			name: "a version that says no reason to stop", lines: []string{prompt, `{"type":"assistant","uuid":"e","message":{"id":"m","stop_reason":null,"content":[{"type":"text","text":"done"}]}}`},
			want: []string{"state: idle\n", "last: done\n"},
		},
		{name: "titles", lines: []string{`{"type":"summary","summary":"S"}`, `{"type":"custom-title","customTitle":"C"}`, `{"type":"ai-title","aiTitle":"A"}`}, want: []string{"title: C\n"}},
		{name: "a title of the program", lines: []string{`{"type":"ai-title","aiTitle":"A"}`, `{"type":"ai-title","aiTitle":"B"}`, `{"type":"summary","summary":"S"}`}, want: []string{"title: B\n"}},
		{
			name: "what surrounds a prompt", lines: []string{`{"type":"user","uuid":"u","message":{"content":[{"type":"text","text":"<system-reminder>no</system-reminder>\n<ide_opened_file>no</ide_opened_file>"},{"type":"text","text":"fix <b>it</b>\n<system-reminder>no"}]}}`},
			want: []string{"prompt: fix <b>it</b>\n"}, not: "no</",
		},
		{name: "what the program tells the model", lines: []string{`{"type":"user","uuid":"u","isMeta":true,"message":{"content":"Stop hook feedback:\nno"}}`}, not: "no"},
		{
			name: "a prompt while the agent works", lines: []string{use("Bash", `{"command":"x"}`), `{"type":"attachment","uuid":"q","attachment":{"type":"queued_command","prompt":"and this","commandMode":"prompt"}}`},
			want: []string{"user at", "text: and this\n", "call t1: Bash, running"},
		},
		{name: "a prompt that is written again", lines: []string{prompt, prompt}, want: []string{"id u0\n  text: do it\n"}, not: "do it\n  text"},
		{
			name: "a command of the program", lines: []string{`{"type":"user","uuid":"u","message":{"content":"<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>"}}`, `{"type":"user","uuid":"v","message":{"content":"<local-command-stdout>set</local-command-stdout>"}}`},
			want: []string{"state: idle\n", "text: /model opus\n"}, not: "prompt:",
		},
		{
			name: "a command for the agent", lines: []string{`{"type":"user","uuid":"u","message":{"content":"<command-message>init</command-message>\n<command-name>/init</command-name>"}}`},
			want: []string{"prompt: /init\n", "state: working\n"},
		},
		{
			name: "a command in the person's shell", lines: []string{`{"type":"user","uuid":"u","message":{"content":"<bash-input>ls</bash-input>"}}`, `{"type":"user","uuid":"v","message":{"content":"<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>"}}`},
			want: []string{"text: ! ls\n", "text: a\n      | b\n"},
		},
		{
			name: "a task that ended", lines: []string{`{"type":"user","uuid":"u","message":{"content":"<task-notification>\n<task-id>1</task-id><summary>tests passed</summary></task-notification>"}}`},
			want: []string{"note: a task in the background: tests passed\n"}, not: "prompt:",
		},
		{
			name: "an image", lines: []string{`{"type":"user","uuid":"u","message":{"content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]}}`},
			want: []string{"  text: look\n  image: image/png 6 bytes\n"},
		},
		{
			name: "a message of another session", lines: []string{`{"type":"user","uuid":"u","message":{"content":"Another Claude session sent a message:\n<cross-session-message from=\"s2\" from-name=\"api &amp; web\">\nhello\n</cross-session-message>\n\nThis came from elsewhere."}}`},
			want: []string{"from api & web, to team-lead\n  text: hello\n"}, not: "elsewhere",
		},
		{
			name: "a prompt and a message of another agent at once", lines: []string{`{"type":"user","uuid":"u","message":{"content":[{"type":"text","text":"mine"},{"type":"text","text":"<teammate-message teammate_id=\"bob\">his</teammate-message>"},{"type":"text","text":"mine too"}]}}`},
			want: []string{"id u\n  text: mine\n  text: mine too\n", "id u.2, from bob, to team-lead\n  text: his\n"},
		},
		{
			name: "a message of a team's program", lines: []string{`{"type":"user","uuid":"u","message":{"content":"<teammate-message teammate_id=\"system\">\n{\"type\":\"teammate_terminated\",\"message\":\"alice has shut down.\"}\n</teammate-message>"}}`},
			want: []string{"note: teammate terminated: alice has shut down.\n"},
		},
		{
			name: "messages in a mailbox", lines: []string{`{"type":"attachment","uuid":"u","attachment":{"type":"teammate_mailbox","messages":[{"from":"bob","text":"one"},{"from":"bob","text":"two"}]}}`},
			want: []string{"id u, from bob", "text: one\n", "id u.2, from bob", "text: two\n"},
		},
		{
			name: "a message that was not delivered", lines: []string{use("SendMessage", `{"to":"bob","message":"hi"}`), end("true", `"no such agent"`, "")},
			want: []string{"from team-lead, to bob\n  text: hi\n  note: it was not delivered: no such agent\n"}, not: "call t1",
		},
		{
			name: "a message to another session, and to one that is not there", lines: []string{
				`{"type":"agent-name","agentName":"two","sessionId":"s"}`,
				use("SendMessage", `{"to":"one","message":"hi"}`), end("false", `[{"type":"text","text":"{\"success\":true}"}]`, `,"toolUseResult":{"success":true,"message":"sent","msg_id":"m"}`),
				strings.ReplaceAll(use("SendMessage", `{"to":"gone","message":"ho"}`), "u-call", "u-call2"),
				strings.NewReplacer("u-call", "u-call2", "u-end", "u-end2").Replace(end("false", `"x"`, `,"toolUseResult":{"success":false,"message":"No agent named 'gone' is reachable.\nLook."}`)),
			},
			want: []string{"from two, to one\n  text: hi\n\n", "from two, to gone\n  text: ho\n  note: it was not delivered: No agent named 'gone' is reachable.\n"}, not: "team-lead",
		},
		{
			name: "a message that failed, as the model was told alone", lines: []string{use("SendMessage", `{"to":"gone","message":"ho"}`), end("false", `[{"type":"text","text":"{\"success\":false,\"message\":\"nobody\"}"}]`, "")},
			want: []string{"to gone\n  text: ho\n  note: it was not delivered: nobody\n"},
		},
		{
			name: "a message of another session", lines: []string{
				`{"type":"agent-name","agentName":"one","sessionId":"s"}`,
				`{"type":"user","uuid":"u","isMeta":true,"message":{"content":"Another Claude session sent a message:\n<cross-session-message from=\"uds:/x\" from-name=\"two\">\nhello\n</cross-session-message>\n\nAdvice."}}`,
			},
			want: []string{"from two, to one\n  text: hello\n"}, not: "team-lead",
		},
		{
			name: "a hook in the background woke it", lines: []string{`{"type":"user","uuid":"u","message":{"content":"<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\nStop hook blocking error from command \"Stop\": New mail from dev waits.\n</system-reminder>"}}`},
			want: []string{"note: a hook woke the agent: New mail from dev waits.\n", "state: working"}, not: "user at",
		},
		{
			name: "a message whose call was not read", lines: []string{end("false", `"ok"`, `,"toolUseResult":{"routing":{"sender":"alice","target":"@bob","content":"hi"}}`)},
			want: []string{"from alice, to bob\n  text: hi\n"},
		},
		{
			name: "a hook that failed", lines: []string{`{"type":"attachment","attachment":{"type":"hook_non_blocking_error","hookName":"Stop","stderr":"oops\nmore"}}`},
			want: []string{"note: the hook Stop failed: oops\n"},
		},
		{name: "the first versions' subagents", lines: []string{`{"type":"user","isSidechain":true,"sessionId":"s","uuid":"u","message":{"content":"sub"}}`}, want: []string{"note: a subagent worked"}, not: "text: sub"},
		{name: "another model", lines: []string{`{"type":"system","subtype":"model_fallback","fallbackModel":"small"}`}, want: []string{"note: another model took over: small\n"}},
		{name: "no branch", lines: []string{prompt, `{"type":"mode"}`, `{"type":"user","uuid":"v","gitBranch":"HEAD","message":{"content":"x"}}`}, not: "branch:"},
		{
			name: "unknown kinds", lines: []string{`{"type":"new"}`, `{"type":"system","subtype":"new"}`, `{"type":"attachment","attachment":{"type":"new"}}`, `{"type":"assistant","uuid":"a","message":{"content":[{"type":"new"}]}}`},
			want: []string{`unknown kind: "new"`, `unknown kind: "system new"`, `unknown kind: "attachment new"`},
		},
		{
			name: "members of the wrong kind", lines: []string{`{"type":"user","uuid":7,"cwd":["x"],"gitBranch":"main","toolUseResult":3,"attachment":"x","permissionDecision":1,"message":{"usage":[],"content":[4,{"type":"text","text":"heard"}]}}`},
			want: []string{"branch: main\n", "text: heard\n"},
		},
		{
			name: "an input of the wrong kind", lines: []string{use("Bash", `{"command":7,"file_path":"/f","questions":3}`), end("false", `7`, `,"toolUseResult":{"stdout":1,"agentId":"a9"}`)},
			want: []string{`input: {"command":7,`, "at /f 0\n", "t1 started a9\n"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := sessiontest.Text(sessiontest.Read(claude.Format(), "", []byte(strings.Join(test.lines, "\n"))))
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
			if test.not != "" && strings.Contains(got, test.not) {
				t.Errorf("%q is in\n%s", test.not, got)
			}
		})
	}
}

func TestMeta(t *testing.T) {
	for _, test := range []struct {
		name, data string
		want       session.Facts
	}{
		{"a teammate", `{"agentType":"alice","name":"alice","description":"count words","model":"m"}`, session.Facts{Name: "alice", Title: "count words", Model: "m"}},
		{"a subagent", `{"agentType":"Explore","description":"count","finished":true}`, session.Facts{Name: "Explore", Title: "count", State: session.Ended}},
		{"a wrong kind", `{"name":3,"agentType":"Plan"}`, session.Facts{Name: "Plan"}},
		{"garbage", `{`, session.Facts{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got session.Facts
			claude.Meta([]byte(test.data), &got)
			if got.Name != test.want.Name || got.Title != test.want.Title || got.Model != test.want.Model || got.State != test.want.State {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	place := claude.Format().Place
	for _, test := range []struct {
		path   string
		folder bool
		want   bool
	}{
		{"-home-dev-shop", true, true},
		{"-home-dev-shop/s1", true, true},
		{"-home-dev-shop/s1/subagents", true, true},
		{"-home-dev-shop/s1/tool-results", true, false},
		{"-home-dev-shop/s1/subagents/workflows/wf_1", true, true},
		{"-home-dev-shop/s1/subagents/a/b/c/d/e", true, true},
		{"-home-dev-shop/s1/subagents/a/b/c/d/e/f", true, false},
		{"-home-dev-shop/s1/subagents/workflows/wf_1/agent-a1.jsonl", false, true},
		{"-home-dev-shop/s1/subagents/workflows/wf_1/journal.jsonl", false, false},
		{"-home-dev-shop/s1/b1b2c3d4-0000-4000-8000-000000000000.jsonl", false, true},
		{"-home-dev-shop/s1.jsonl", false, true},
		{"-home-dev-shop/s1/subagents/agent-a1.jsonl", false, true},
		{"-home-dev-shop/s1/subagents/agent-a1.meta.json", false, false},
		{"s1.jsonl", false, false},
		{"-home-dev-shop/notes.txt", false, false},
	} {
		if got := place.Holds(test.path, test.folder); got != test.want {
			t.Errorf("Holds(%q, %v) is %v", test.path, test.folder, got)
		}
	}
	if got := place.Name("p/s/subagents/agent-a1.jsonl"); got != "a1" {
		t.Errorf("the name is %q", got)
	}
	if got := place.Beside("p/s/subagents/agent-a1.jsonl"); len(got) != 1 || got[0] != "p/s/subagents/agent-a1.meta.json" {
		t.Errorf("beside it is %q", got)
	}
	if got := place.Beside("p/s.jsonl"); got != nil {
		t.Errorf("beside a session is %q", got)
	}
	if got := strings.Join(claude.Format().Resume("s1"), " "); got != "claude --resume s1" {
		t.Errorf("resumed by %q", got)
	}
}
