package gemini_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/gemini"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

const (
	chats   = "testdata/0.61.0/tmp/shop/chats/"
	tools   = chats + "session-2026-11-23T02-54-19be42c8.jsonl"
	resumed = chats + "session-2026-11-23T23-58-e28ba2c0.jsonl"
	helper  = chats + "e28ba2c0-b68d-4592-96e7-50a657e74991/21ecb344-0130-47cb-a420-4cd81cdf2813.jsonl"
	packed  = chats + "session-2026-11-23T23-56-f787d9bc.jsonl"
)

func TestTell(t *testing.T) {
	for _, file := range []string{tools, resumed, helper, packed} {
		sessiontest.CheckText(t, gemini.Format(), file, "")
	}
}

func TestBroken(t *testing.T) {
	sessiontest.CheckBroken(t, gemini.Format(), tools)
	sessiontest.CheckBroken(t, gemini.Format(), packed)
}

func FuzzRead(f *testing.F) {
	sessiontest.FuzzSeeded(f, gemini.Format(), tools, resumed, helper, packed)
}

// Records that many of the cases share.
const (
	header   = `{"sessionId":"s1","projectHash":"h","startTime":"2026-01-01T10:00:00Z","lastUpdated":"2026-01-01T10:00:00Z","kind":"main"}`
	context  = `{"id":"c","type":"user","content":[{"text":"<session_context>\nwhere we are"}]}`
	prompt   = `{"id":"u","timestamp":"2026-01-01T10:00:01Z","type":"user","content":[{"text":"Fix it"}]}`
	answer   = `{"id":"g","timestamp":"2026-01-01T10:00:02Z","type":"gemini","content":"Done.","model":"m"}`
	second   = `{"id":"u2","timestamp":"2026-01-01T10:00:03Z","type":"user","content":[{"text":"And this"}]}`
	snapshot = `{"id":"n1","type":"user","content":[{"text":"<state_snapshot>all</state_snapshot>"}]}`
	ack      = `{"id":"n2","type":"gemini","content":[{"text":"Got it. Thanks for the additional context!"}]}`
)

func history(messages ...string) string {
	return `{"$set":{"messages":[` + strings.Join(messages, ",") + `],"lastUpdated":"2026-01-01T10:01:00Z"}}`
}

// late returns a record that was written after the histories.
func late(record string) string { return strings.Replace(record, "T10:00", "T10:02", 1) }

func call(members string) string {
	return `{"id":"g","type":"gemini","content":"","toolCalls":[{"id":"c1",` + members + `}]}`
}

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a prompt is worked on", []string{header, prompt}, "id s1; prompt Fix it; working\nuser: Fix it"},
		{"an answer ends the turn", []string{header, prompt, answer}, "id s1; prompt Fix it; idle; last Done.\nuser: Fix it\nagent: Done."},
		{
			"a message written again",
			[]string{prompt, answer, `{"id":"g","type":"gemini","content":"Done twice."}`},
			"prompt Fix it; idle; last Done twice.\nuser: Fix it\nagent: Done twice.",
		},
		{
			"a title, and folders",
			[]string{header, `{"$set":{"summary":"Fix the login","directories":["/home/dev/shop","/home/dev/lib"]}}`},
			"id s1; title Fix the login; folder /home/dev/shop",
		},
		{
			"what a person typed, without the files they named",
			[]string{`{"id":"u","type":"user","content":[{"text":"Read @a.txt"},{"text":"text of a"}],"displayContent":"Read @a.txt"}`},
			"prompt Read @a.txt; working\nuser: Read @a.txt",
		},
		{
			"an image in a prompt",
			[]string{`{"id":"u","type":"user","content":["Look",{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"inlineData":{"mimeType":"image/png","data":"\"x"}}]}`},
			"prompt Look; working\nuser: Look | image/png AAAA",
		},
		{
			"the program's own texts",
			[]string{header, history(context), prompt, `{"id":"e","type":"user","content":[{"text":"Here is the user's editor context as a JSON object. More."}]}`},
			"id s1; prompt Fix it; working\nuser: Fix it",
		},
		{
			"notices",
			[]string{prompt, `{"id":"i","type":"info","content":"Model changed"}`, `{"id":"x","type":"error","content":[{"text":"API error: 503\nmore"}]}`},
			"prompt Fix it; idle\nuser: Fix it\nsystem: the program said: Model changed\nsystem: an error: API error: 503",
		},

		{
			"a tool that failed",
			[]string{call(`"name":"read_file","args":{"file_path":"/a","start_line":3},"status":"error","result":[{"functionResponse":{"id":"c1","response":{"error":"File not found"}}}]`)},
			"working\nagent: c1 read_file/read failed (/a) /a:3 <{\"file_path\":\"/a\",\"start_line\":3}> File not found",
		},
		{
			"a tool that was refused",
			[]string{
				prompt,
				call(`"name":"run_shell_command","args":{"command":"rm x"},"status":"cancelled","result":[{"functionResponse":{"response":{"error":"[Operation Cancelled] Reason: no"}}}]`),
				call(`"name":"run_shell_command","args":{"command":"rm x"},"status":"cancelled"`),
			},
			"prompt Fix it; idle\nuser: Fix it\nagent: c1 run_shell_command/execute failed (rm x) <rm x>\nsystem: a tool call was refused or interrupted: rm x",
		},
		{
			"a new file",
			[]string{call(`"name":"write_file","args":{"file_path":"/a","content":"x"},"status":"success","resultDisplay":{"fileName":"a","originalContent":null,"newContent":"x"}`)},
			"working\nagent: c1 write_file/edit completed (/a) /a <{\"file_path\":\"/a\",\"content\":\"x\"}> diff /a true \"\" \"x\"",
		},
		{
			"an edit of which only the arguments are told",
			[]string{call(`"name":"replace","args":{"file_path":"/a","old_string":"x","new_string":"y"},"status":"success","resultDisplay":"done"`)},
			"working\nagent: c1 replace/edit completed (/a) /a <{\"file_path\":\"/a\",\"old_string\":\"x\",\"new_string\":\"y\"}> diff /a false \"x\" \"y\"",
		},
		{
			"a subagent",
			[]string{call(`"name":"invoke_agent","args":{"agent_name":"a"},"status":"success","agentId":"s2","description":"Ask a"`)},
			"working\nagent: c1 invoke_agent/other completed (Ask a) <{\"agent_name\":\"a\"}> started s2",
		},
		{"a subagent that is done", []string{call(`"name":"complete_task","args":{},"status":"success"`)}, "ended\nagent: c1 complete_task/think completed (complete_task) <{}>"},
		{"a tool that waits", []string{call(`"name":"ask","status":"awaiting_approval"`)}, "working\nagent: c1 ask/other pending (ask)"},
		{
			"a tool whose end stands in the answer alone",
			[]string{
				`{"id":"g","type":"gemini","content":[{"functionCall":{"id":"c1","name":"glob","args":{"pattern":"*"}}}]}`,
				`{"id":"r","type":"user","content":[{"functionResponse":{"id":"c1","response":{"output":"a.go"}}}]}`,
			},
			"working\nagent: c1 glob/search completed (*) <*> a.go",
		},
		{
			"an image in a tool's answer",
			[]string{call(`"name":"read_file","status":"success","result":[{"functionResponse":{"id":"c1","response":{"output":"ok"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]`)},
			"working\nagent: image/png AAAA | c1 read_file/read completed (read_file) ok",
		},

		{
			"resumed",
			[]string{header, prompt, answer, `{"$set":{"sessionId":"s1"}}`, history(context, prompt, answer), second},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nsystem: the session was resumed\nuser: And this",
		},
		{
			"resumed with a new header",
			[]string{header, prompt, answer, header, history(context), `{"$set":{"sessionId":"s1"}}`, history(context, prompt, answer), second},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nsystem: the session was resumed\nuser: And this",
		},
		{
			"resumed, and nothing in the history has changed",
			[]string{header, prompt, answer, `{"$set":{"sessionId":"s1"}}`, second},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nsystem: the session was resumed\nuser: And this",
		},
		{
			"compacted",
			[]string{header, prompt, answer, `{"$set":{"sessionId":"s1"}}`, history(context, snapshot, ack, strings.Replace(answer, `"g"`, `"n3"`, 1)), second},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nsystem: the conversation so far was compacted\nuser: And this",
		},
		{
			"the history is written anew",
			[]string{
				header, prompt, answer, context,
				strings.Replace(prompt, `"u"`, `"n1"`, 1), `{"id":"n2","type":"gemini","content":[{"text":"Done."}]}`,
				history(context, strings.Replace(prompt, `"u"`, `"n1"`, 1), `{"id":"n2","type":"gemini","content":[{"text":"Done."}]}`), second,
			},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nuser: And this",
		},
		{
			"a turn that was interrupted",
			[]string{header, history(context), prompt, answer, second, history(context, prompt, answer)},
			"id s1; prompt Fix it; idle; last Done.\nuser: Fix it\nagent: Done.\nuser: And this\nsystem: the last turn was interrupted or failed, and was taken back",
		},
		{
			"the first turn was interrupted",
			[]string{header, prompt, history(context)},
			"id s1; prompt Fix it; idle\nuser: Fix it\nsystem: the last turn was interrupted or failed, and was taken back",
		},
		{
			"an output is cut for the model",
			[]string{header, prompt, answer, second, history(context, prompt, `{"id":"g","type":"gemini","content":[{"text":"[cut]"}]}`, second)},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nuser: And this",
		},
		{
			"all stands in histories",
			[]string{header, history(prompt), history(prompt, late(answer)), history(prompt, answer, late(second))},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nuser: And this",
		},
		{
			"taken back by the person",
			[]string{prompt, answer, `{"$rewindTo":"u"}`},
			"prompt Fix it; idle; last Done.\nuser: Fix it\nagent: Done.\nsystem: the conversation was taken back to an earlier prompt",
		},
		{
			"a hook holds the agent, and a resumed session does not tell it again",
			[]string{
				header, prompt, answer, `{"id":"h","timestamp":"2026-01-01T10:00:04Z","type":"user","content":[{"text":"Read your mail"},{"text":"<hook_context>x</hook_context>"}]}`,
				strings.Replace(answer, `"g"`, `"g2"`, 1), `{"$set":{"lastUpdated":"2026-01-01T10:00:05Z"}}`, header,
				history(prompt, answer, `{"id":"h","timestamp":"2026-01-01T10:00:04Z","type":"user","content":[{"text":"Read your mail"},{"text":"<hook_context>x</hook_context>"}]}`),
			},
			"id s1; prompt Fix it; idle; last Done.\nuser: Fix it\nagent: Done.\nsystem: a hook kept the agent going: Read your mail\nagent: Done.\nsystem: the session was resumed",
		},

		{
			"our hook holds the agent, and no other hook spoke",
			[]string{header, prompt, answer, `{"id":"h","timestamp":"2026-01-01T10:00:04Z","type":"user","content":[{"text":"Before you stop: 1 message waits for you (coder).\nIt is from dev."}]}`},
			"id s1; prompt Fix it; working; last Done.\nuser: Fix it\nagent: Done.\nsystem: a hook kept the agent going: Before you stop: 1 message waits for you (coder).",
		},
		{
			"unknown kinds",
			[]string{`{"$fold":1}`, `{"id":"z","type":"shout","content":"x"}`, `{}`, `{"$set":{"mood":"good"}}`},
			"\nsystem: a record of an unknown kind: \"$fold\"\nsystem: a record of an unknown kind: \"shout\"\nsystem: a record of an unknown kind: \"\"",
		},
		{
			"members of a wrong kind",
			[]string{`{"id":"g","type":"gemini","timestamp":5,"content":["Hi",7,{"text":[]}],"thoughts":"t","tokens":"many","model":{},"toolCalls":[3,{"id":"c1","name":9,"args":"x","status":[],"result":7}]}`},
			"working; last Hi\nagent: Hi | c1 /other running () <\"x\">",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &session.Log{}
			for i, line := range c.lines {
				l.Line(gemini.Format(), int64(i), []byte(line))
			}
			if got := sessiontest.Brief(l); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	place := gemini.Format().Place
	for _, c := range []struct {
		path   string
		folder bool
		want   bool
	}{
		{"shop", true, true},
		{"shop/chats", true, true},
		{"shop/logs", true, false},
		{"shop/chats/19be42c8", true, true},
		{"shop/chats/19be42c8/more", true, false},
		{"shop/logs.json", false, false},
		{"shop/chats/session-2026-11-23T02-54-19be42c8.jsonl", false, true},
		{"shop/chats/session-2026-11-23T02-54-19be42c8.json", false, true},
		{"shop/chats/19be42c8/5aca.json", false, false},
		{"shop/chats/other.jsonl", false, false},
		{"shop/chats/19be42c8/5aca.jsonl", false, true},
		{"shop/tool-outputs/19be42c8/5aca.jsonl", false, false},
	} {
		if got := place.Holds(c.path, c.folder); got != c.want {
			t.Errorf("%s, a folder %v: held %v", c.path, c.folder, got)
		}
	}
	var f session.Facts
	if got := place.Beside("shop/chats/session-1.jsonl"); len(got) != 1 || got[0] != "shop/.project_root" {
		t.Errorf("beside: %q", got)
	}
	place.ReadBeside(&f, "shop/.project_root", []byte("/home/dev/shop\n"))
	if f.Folder != "/home/dev/shop" {
		t.Errorf("the folder is %q", f.Folder)
	}
	place.ReadBeside(&f, "shop/.project_root", []byte("\ufeff/home/dev/other\r\n"))
	if f.Folder != "/home/dev/other" {
		t.Errorf("the folder is %q", f.Folder)
	}
	if got := place.Lines([]byte("\ufeff{\"sessionId\": \"s1\", \"messages\": [{\"id\": \"u\"}]}")); string(got) != "{\"sessionId\":\"s1\"}\n{\"id\":\"u\"}\n" {
		t.Errorf("the lines are %q", got)
	}
	if got := fmt.Sprint(gemini.Format().Resume("s1")); got != "[gemini --resume s1]" {
		t.Errorf("resumed by %s", got)
	}
}

// TestCall checks a call that a hook reports, and the time at which calls were recorded.
func TestCall(t *testing.T) {
	c := gemini.Format().Call("run_shell_command", []byte(`{"command":"make test"}`))
	if c.Title != "make test" || c.Kind != "execute" || c.Input != "make test" || c.State() != atsf.Running {
		t.Errorf("%+v", c)
	}
	for _, args := range []string{"", "{", "[1]", `{"command":7}`} {
		if c := gemini.Format().Call("mcp_x_y", []byte(args)); c.Title != "mcp_x_y" {
			t.Errorf("with %q it is %+v", args, c)
		}
	}
	over := call(`"name":"read_file","status":"success","timestamp":"2026-01-01T10:00:05Z"`)
	read := func(lines ...string) int64 {
		return sessiontest.Read(gemini.Format(), "", []byte(strings.Join(lines, "\n")+"\n")).Recorded
	}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"no call":    {[]string{header, prompt, answer}, ""},
		"a call":     {[]string{header, prompt, over}, "2026-01-01T10:00:05Z"},
		"its output": {[]string{header, prompt, `{"id":"r","timestamp":"2026-01-01T10:00:06Z","type":"user","content":[{"functionResponse":{"id":"c1","response":{"output":"ok"}}}]}`}, "2026-01-01T10:00:06Z"},
	} {
		if got := read(c.lines...); got != session.Millis(c.want) {
			t.Errorf("%s: recorded at %d", name, got)
		}
	}
}

// FuzzLines checks that lines from any document are valid JSON and can be read.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s1","projectHash":"aa","startTime":"2026-01-20T10:00:00Z","messages":[{"id":"u1","type":"user","content":"hello"},{"id":"g1","type":"gemini","content":"hi","toolCalls":[]}]}`))
	f.Add([]byte("{\n  \"sessionId\": \"s1\",\n  \"messages\": [\n    {\n      \"id\": \"a\"\n    }\n  ]\n}"))
	f.Add([]byte(`{"sessionId":"s1","messages":{}}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := gemini.Format().Place.Lines(data)
		for line := range bytes.Lines(lines) {
			if !json.Valid(line) {
				t.Errorf("%q becomes %q", data, lines)
			}
		}
		sessiontest.Read(gemini.Format(), "", lines)
	})
}
