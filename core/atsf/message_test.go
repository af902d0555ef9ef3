package atsf_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// fullLine has every member of the spec and those that real tools add.
const fullLine = `{"id":"msg-002","role":"agent","timestamp":"2025-02-14T10:30:15.000Z","content":[` +
	`{"type":"thinking","text":"Let me look\n"},{"type":"text","text":"caf\u00e9","annotations":{"audience":["user"]}},` +
	`{"type":"image","assetRef":"sha256-a1b2c3d4e5f60718.png","mimeType":"image/png"},` +
	`{"type":"audio","assetRef":"sha256-a1b2c3d4e5f60718.bin","mimeType":"audio/wav"},` +
	`{"type":"resource","uri":"file:///x/a.txt","mimeType":"text/plain","text":"inline"},` +
	`{"type":"resource_link","uri":"https://example.invalid/d","name":"d","size":12},` +
	`{"type":"tool_call_ref","toolCallId":"tc-001"},{"type":"video","assetRef":"../x","y":[1.0]}],` +
	`"toolCalls":[{"toolCallId":"tc-001","name":"file_edit","title":"Edit auth.ts","status":"completed","kind":"edit","input":"{}","output":"","duration":12.9,` +
	`"diff":{"path":"auth.ts","oldText":"a","newText":"b"},"locations":[{"path":"auth.ts","line":3},{"path":"b.ts"}]}],` +
	`"stopReason":"end_turn","model":"m","tokens":{"input":1,"output":2,"cacheRead":3},"x":{"y":null}}`

// TestMessage reads every member (M2, M3, B1, B2, TC1, TC2). The id is not a UUID, as in the
// specification's own example (Z4).
func TestMessage(t *testing.T) {
	got, err := atsf.ParseMessage([]byte(fullLine))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Faults) > 0 || !slices.Equal(rules(got.Notes), []string{"B2 content[7].type"}) {
		t.Errorf("M2: %+v", got.Findings)
	}
	for i := range got.Content {
		b := &got.Content[i]
		if fullLine[b.Offset:b.Offset+len(b.Raw)] != string(b.Raw) || b.Raw[0] != '{' {
			t.Errorf("B2: %s is not at %d", b.Raw, b.Offset)
		}
		b.Raw, b.Offset = nil, 0
	}
	call := &got.Tools[0]
	if fullLine[call.Offset:call.Offset+len(call.Raw)] != string(call.Raw) || call.Raw[0] != '{' || call.State() != atsf.Completed {
		t.Errorf("TC1: %+v", *call)
	}
	call.Offset = 0
	call.Raw, got.Raw, got.Findings = nil, nil, canon.Findings{}
	png, bin := "sha256-a1b2c3d4e5f60718.png", "sha256-a1b2c3d4e5f60718.bin"
	want := atsf.Message{
		ID: "msg-002", Role: atsf.RoleAgent, Time: atsf.At(1739529015000), Blocks: 8, ToolCalls: 1,
		Content: []atsf.Block{
			{Type: atsf.TypeThinking, Known: true, Text: "Let me look\n"},
			{Type: atsf.TypeText, Known: true, Text: "café", Annotations: []byte(`{"audience":["user"]}`)},
			{Type: atsf.TypeImage, Known: true, AssetRef: png, MimeType: "image/png"},
			{Type: atsf.TypeAudio, Known: true, AssetRef: bin, MimeType: "audio/wav"},
			{Type: atsf.TypeResource, Known: true, URI: "file:///x/a.txt", MimeType: "text/plain", Text: "inline"},
			{Type: atsf.TypeResourceLink, Known: true, URI: "https://example.invalid/d", Name: "d", Size: 12},
			{Type: atsf.TypeToolCallRef, Known: true, ToolCallID: "tc-001"},
			{Type: "video"},
		},
		Tools: []atsf.ToolCall{{
			ID: "tc-001", Name: "file_edit", Title: "Edit auth.ts", Status: "completed", Kind: "edit", Input: "{}", HasInput: true, HasOutput: true, Duration: 12,
			Diff: &atsf.Diff{Path: "auth.ts", Old: "a", New: "b"}, Locations: []atsf.Location{{Path: "auth.ts", Line: 3}, {Path: "b.ts"}},
		}},
		StopReason: "end_turn", Model: "m", Tokens: &atsf.Tokens{Input: 1, Output: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// badMembers each change one member of fullLine.
var badMembers = []struct {
	name, old, now string
	faults, notes  []string
}{
	{"M2 no id", `"id":"msg-002",`, ``, []string{"M2 id"}, nil},
	{"M2 empty id", `"msg-002"`, `""`, []string{"M2 id"}, nil},
	{"M2 id is a number", `"msg-002"`, `2`, []string{"M2 id"}, nil},
	{"M2 unknown role", `"role":"agent"`, `"role":"assistant"`, []string{"M2 role"}, nil},
	{"M2 no role", `"role":"agent",`, ``, []string{"M2 role"}, nil},
	{"M2 no timestamp", `"timestamp":"2025-02-14T10:30:15.000Z",`, ``, []string{"M2 timestamp"}, nil},
	{"X1 timestamp is no time", `2025-02-14T10:30:15.000Z`, `now`, []string{"X1 timestamp"}, nil},
	{"M2 content is text", `"content":[`, `"content":"hi","x":[`, []string{"M2 content"}, nil},
	{"M3 model is a number", `"model":"m"`, `"model":1`, []string{"M3 model"}, nil},
	{"M3 stopReason is null", `"end_turn"`, `null`, nil, nil},
	{"M3 tokens is a number", `"tokens":{`, `"tokens":1,"z":{`, []string{"M3 tokens"}, nil},
	{"M3 tokens negative", `"input":1,`, `"input":-1,`, []string{"M3 tokens.input"}, nil},
	{"M3 toolCalls is an object", `"toolCalls":[`, `"toolCalls":{},"z":[`, []string{"M3 toolCalls"}, nil},
	{"B1 block is text", `{"type":"thinking",`, `"x",{"type":"thinking",`, []string{"B1 content[0]"}, nil},
	{"B1 no type", `"type":"thinking",`, ``, []string{"B1 content[0].type"}, nil},
	{"B1 type is a number", `"type":"thinking"`, `"type":1`, []string{"B1 content[0].type"}, nil},
	{"B1 no text", `"text":"Let me look\n"`, `"x":1`, []string{"B1 content[0].text"}, nil},
	{"B1 text is a list", `"Let me look\n"`, `[]`, []string{"B1 content[0].text", "B1 content[0].text"}, nil},
	{"B1 image without asset", `"assetRef":"sha256-a1b2c3d4e5f60718.png",`, ``, []string{"B1 content[2].assetRef"}, nil},
	{"B1 image without type", `,"mimeType":"image/png"`, ``, []string{"B1 content[2].mimeType"}, nil},
	{"B3 image inline", `"assetRef":"sha256-a1b2c3d4e5f60718.png"`, `"data":"AAAA"`, nil, nil},
	{"B1 resource without uri", `"uri":"file:///x/a.txt",`, ``, []string{"B1 content[4].uri"}, nil},
	{"B1 ref without call", `{"type":"tool_call_ref","toolCallId":"tc-001"}`, `{"type":"tool_call_ref"}`, []string{"B1 content[6].toolCallId"}, nil},
	{"B2 another unknown type", `"type":"thinking"`, `"type":"\u0000plan"`, nil, []string{"B2 content[0].type"}},
	{"TC1 call is text", `"toolCalls":[`, `"toolCalls":["x",`, []string{"TC1 toolCalls[0]"}, nil},
	{"TC1 no id", `"toolCallId":"tc-001","name"`, `"name"`, []string{"TC1 toolCalls[0].toolCallId"}, nil},
	{"TC1 no name", `"name":"file_edit",`, ``, []string{"TC1 toolCalls[0].name"}, nil},
	{"TC1 no status", `"status":"completed",`, ``, []string{"TC1 toolCalls[0].status"}, nil},
	{"TC1 unknown status", `"completed"`, `"done"`, []string{"TC1 toolCalls[0].status"}, nil},
	{"TC1 in_progress", `"completed"`, `"in_progress"`, nil, []string{"TC1 toolCalls[0].status"}},
	{"TC2 input is an object", `"input":"{}"`, `"input":{"a": 1}`, []string{"TC2 toolCalls[0].input"}, nil},
	{"TC2 duration negative", `12.9`, `-1`, []string{"TC2 toolCalls[0].duration"}, nil},
	{"TC2 duration is text", `12.9`, `"12"`, []string{"TC2 toolCalls[0].duration"}, nil},
	{"TC2 diff is text", `"diff":{`, `"diff":"x","z":{`, []string{"TC2 toolCalls[0].diff"}, nil},
	{"TC2 diff without path", `"path":"auth.ts","oldText"`, `"oldText"`, []string{"TC2 toolCalls[0].diff.path"}, nil},
	{"TC2 diff without newText", `,"newText":"b"`, ``, []string{"TC2 toolCalls[0].diff.newText"}, nil},
	{"Z8 diff without oldText", `"oldText":"a",`, ``, nil, nil},
	{"Z8 diff with null oldText", `"oldText":"a"`, `"oldText":null`, nil, nil},
	{"TC2 location without path", `{"path":"b.ts"}`, `{}`, []string{"TC2 toolCalls[0].locations[1].path"}, nil},
}

// TestMessageFaults breaks one member at a time; the message stays readable.
func TestMessageFaults(t *testing.T) {
	for _, c := range badMembers {
		t.Run(c.name, func(t *testing.T) {
			line := strings.Replace(fullLine, c.old, c.now, 1)
			if line == fullLine {
				t.Fatal("nothing was replaced")
			}
			m, err := atsf.ParseMessage([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			if got := rules(m.Faults); !slices.Equal(got, c.faults) {
				t.Errorf("faults %q, want %q", got, c.faults)
			}
			notes := slices.DeleteFunc(rules(m.Notes), func(s string) bool {
				return strings.HasPrefix(s, "B2 content[7]") || strings.HasPrefix(s, "B2 content[8]")
			})
			if !slices.Equal(notes, c.notes) {
				t.Errorf("notes %q, want %q", notes, c.notes)
			}
			if m.Model == "" && !strings.HasPrefix(c.name, "M3 model") {
				t.Error("the rest was not read")
			}
		})
	}
}

// TestToolCallReadings reads calls for which the spec leaves a choice.
func TestToolCallReadings(t *testing.T) {
	call := func(old, now string) atsf.ToolCall {
		m, err := atsf.ParseMessage([]byte(strings.Replace(fullLine, old, now, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return m.Tools[0]
	}
	if c := call(`"input":"{}"`, `"input":{"a": 1}`); c.Input != `{"a": 1}` || !c.HasInput {
		t.Errorf("TC2: input %q", c.Input)
	}
	if c := call(`"oldText":"a",`, ``); !c.Diff.Created || c.Diff.New != "b" {
		t.Errorf("Z8: %+v", c.Diff)
	}
	if c := call(`"duration":12.9,`, ``); c.Duration != -1 {
		t.Errorf("TC2: duration %d", c.Duration)
	}
	for status, want := range map[string]atsf.State{
		"pending": atsf.Pending, "running": atsf.Running, "in_progress": atsf.Running, "completed": atsf.Completed, "failed": atsf.Failed,
		"unknown": atsf.StateUnknown, "": atsf.StateUnknown,
	} {
		if c := (atsf.ToolCall{Status: status}); c.State() != want {
			t.Errorf("TC1: %q is %v", status, c.State())
		}
	}
}

// TestNoMessage reads lines that are not messages.
func TestNoMessage(t *testing.T) {
	for _, c := range []struct{ name, line, rule string }{
		{"list", "[]", "M1"},
		{"cut short", fullLine[:200], "M1"},
		{"two on a line", fullLine + fullLine, "M1"},
		{"too deep", `{"content":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "}", "M1"},
		{"not UTF-8", "{\"id\":\"\xff\"}", "X1"},
	} {
		t.Run("M1/"+c.name, func(t *testing.T) {
			_, err := atsf.ParseMessage([]byte(c.line))
			if f := fault(t, err); f.Rule != c.rule {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestMessageLimits: a hostile line makes no more values and findings than the limits allow.
func TestMessageLimits(t *testing.T) {
	n := atsf.MaxItems + 5
	items := strings.Repeat("{},", n-1) + "{}"
	m, err := atsf.ParseMessage([]byte(`{"id":"a","role":"user","timestamp":"2025-02-14T10:30:15Z","content":[` + items + `],"toolCalls":[` + items + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Content) != atsf.MaxItems || len(m.Tools) != atsf.MaxItems || m.Blocks != n || m.ToolCalls != n || len(m.Faults) != canon.MaxFindings {
		t.Errorf("M2: %d of %d blocks, %d of %d calls, %d faults", len(m.Content), m.Blocks, len(m.Tools), m.ToolCalls, len(m.Faults))
	}
}
