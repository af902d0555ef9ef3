package atsf_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// whole is a thread.json with every member of the spec.
const whole = `{"specVersion":"1.0","threadId":"a1b2c3d4-e5f6-7890-abcd-ef1234567890","title":"Fix authentication bug",` +
	`"createdAt":"2025-02-14T10:30:00.000Z","updatedAt":"2025-02-14T11:45:00.000Z",` +
	`"agent":{"id":"claude-code","name":"Claude Code","version":"1.0.0","protocol":"acp","protocolVersion":1},` +
	`"context":{"workingDir":"/home/user/myapp","relativeDir":".","gitBranch":"main","gitCommit":"abc123",` +
	`"worktree":{"path":"/home/user/.local/share/w","branch":"am-a1"}},` +
	`"stats":{"messageCount":12,"userMessageCount":5,"agentMessageCount":7,"toolCallCount":23},"metadata":{"k":[1.50]},"parentThreadId":"p-1"}`

// TestThread reads every member (T1, T2, T5).
func TestThread(t *testing.T) {
	got, err := atsf.ParseThread([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := atsf.Thread{
		Raw: []byte(whole), Version: atsf.Version{Major: 1, Minor: 0}, ID: "a1b2c3d4-e5f6-7890-abcd-ef1234567890", Title: "Fix authentication bug",
		Created: atsf.At(1739529000000), Updated: atsf.At(1739533500000),
		Agent: atsf.Agent{ID: "claude-code", Name: "Claude Code", Version: "1.0.0", Protocol: "acp", ProtocolVersion: 1},
		Context: atsf.Context{
			WorkingDir: "/home/user/myapp", RelativeDir: ".", GitBranch: "main", GitCommit: "abc123",
			Worktree: &atsf.Worktree{Path: "/home/user/.local/share/w", Branch: "am-a1"},
		},
		Stats: atsf.Stats{Messages: 12, User: 5, Agent: 7, ToolCalls: 23}, ParentID: "p-1", Metadata: []byte(`{"k":[1.50]}`),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("T1 T2 T5: %s", diff)
	}
}

// TestThreadFaults breaks one member of a whole thread at a time.
func TestThreadFaults(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		faults, notes  []string
	}{
		{"V1 no version", `"specVersion":"1.0",`, ``, []string{"T1 specVersion"}, nil},
		{"T1 no id", `"threadId":"a1b2c3d4-e5f6-7890-abcd-ef1234567890",`, ``, []string{"T1 threadId"}, nil},
		{"T1 no title", `"title":"Fix authentication bug",`, ``, []string{"T1 title"}, nil},
		{"T1 null title", `"Fix authentication bug"`, `null`, []string{"T1 title"}, nil},
		{"T1 title is a number", `"Fix authentication bug"`, `7`, []string{"T1 title"}, nil},
		{"T1 title twice", `"title":`, `"title":"x","title":`, []string{"T1 title"}, nil},
		{"T1 no createdAt", `"createdAt":"2025-02-14T10:30:00.000Z",`, ``, []string{"T1 createdAt"}, nil},
		{"T1 no updatedAt", `"updatedAt":"2025-02-14T11:45:00.000Z",`, ``, []string{"T1 updatedAt"}, nil},
		{"X1 updatedAt is no time", `2025-02-14T11:45:00.000Z`, `yesterday`, []string{"X1 updatedAt"}, nil},
		{"X1 updatedAt is a number", `"2025-02-14T11:45:00.000Z"`, `1739533500000`, []string{"T1 updatedAt"}, nil},
		{"X1 updatedAt is local", `T11:45:00.000Z`, `T12:45:00.000+01:00`, nil, []string{"X1 updatedAt"}},
		{"T1 agent is a string", `"agent":{`, `"agent":"x","y":{`, []string{"T1 agent"}, nil},
		{"T1 no agent id", `"id":"claude-code",`, ``, []string{"T1 agent.id"}, nil},
		{"T1 no agent name", `"name":"Claude Code",`, ``, []string{"T1 agent.name"}, nil},
		{"T2 agent version", `"version":"1.0.0"`, `"version":1`, []string{"T2 agent.version"}, nil},
		{"T2 unknown protocol", `"acp"`, `"a2a"`, nil, []string{"T2 agent.protocol"}},
		{"T2 protocolVersion is text", `"protocolVersion":1`, `"protocolVersion":"1"`, []string{"T2 agent.protocolVersion"}, nil},
		{"T2 protocolVersion 1.0", `"protocolVersion":1`, `"protocolVersion":1.0`, nil, nil},
		{"T2 protocolVersion 1.5", `"protocolVersion":1`, `"protocolVersion":1.5`, []string{"T2 agent.protocolVersion"}, nil},
		{"T1 no workingDir", `"workingDir":"/home/user/myapp",`, ``, []string{"T1 context.workingDir"}, nil},
		{"T3 relative workingDir", `"/home/user/myapp"`, `"myapp"`, []string{"T3 context.workingDir"}, nil},
		{"T3 workingDir of Windows", `"/home/user/myapp"`, `"C:\\src"`, nil, nil},
		{"T3 workingDir of a share", `"/home/user/myapp"`, `"\\\\host\\src"`, nil, nil},
		{"T3 absolute relativeDir", `"relativeDir":"."`, `"relativeDir":"/a"`, []string{"T3 context.relativeDir"}, nil},
		{"T2 worktree is a flag", `"worktree":{`, `"worktree":true,"x":{`, []string{"T2 context.worktree"}, nil},
		{"T2 no worktree path", `"path":"/home/user/.local/share/w",`, ``, []string{"T2 context.worktree.path"}, nil},
		{"T2 relative worktree path", `/home/user/.local/share/w`, `w`, []string{"T2 context.worktree.path"}, nil},
		{"T2 no worktree branch", `,"branch":"am-a1"`, ``, []string{"T2 context.worktree.branch"}, nil},
		{"T1 stats is a list", `"stats":{`, `"stats":[],"x":{`, []string{"T1 stats"}, nil},
		{"T1 no messageCount", `"messageCount":12,`, ``, []string{"T1 stats.messageCount"}, nil},
		{"T1 negative count", `"toolCallCount":23`, `"toolCallCount":-1`, []string{"T1 stats.toolCallCount"}, nil},
		{"T1 count is not an integer", `"toolCallCount":23`, `"toolCallCount":2.3`, []string{"T1 stats.toolCallCount"}, nil},
		{"T1 count beyond 64 bits", `"toolCallCount":23`, `"toolCallCount":99999999999999999999`, []string{"T1 stats.toolCallCount"}, nil},
		{"T5 metadata is a list", `{"k":[1.50]}`, `[]`, []string{"T2 metadata"}, nil},
		{"T2 null metadata is none", `{"k":[1.50]}`, `null`, nil, nil},
		{"L3 id with a path", `a1b2c3d4-`, `../a1b2c3d4-`, []string{"L3 threadId"}, nil},
		{"L3 id with a space", `a1b2c3d4-`, `a1 b2c3d4-`, []string{"L3 threadId"}, nil},
		{"X1 half a character", `Fix auth`, `\ud800`, nil, []string{"X1 title"}},
		{"X4 unknown members", `"agent":{`, `"x":[{}],"agent":{"x":null,`, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(whole, c.old, c.now, 1)
			if text == whole {
				t.Fatal("nothing was replaced")
			}
			th, err := atsf.ParseThread([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if got := rules(th.Faults); !slices.Equal(got, c.faults) {
				t.Errorf("faults %q, want %q", got, c.faults)
			}
			if got := rules(th.Notes); !slices.Equal(got, c.notes) {
				t.Errorf("notes %q, want %q", got, c.notes)
			}
			for _, f := range th.Faults {
				if f.Offset < 0 || f.Offset > len(text) || f.Reason == "" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// TestNoThread reads files that are not even listed with faults.
func TestNoThread(t *testing.T) {
	for _, c := range []struct{ name, text, rule string }{
		{"empty", "", "T1"},
		{"list", "[]", "T1"},
		{"cut short", whole[:100], "T1"},
		{"two objects", "{}{}", "T1"},
		{"byte order mark", "\ufeff{}", "T1"},
		{"Latin-1", "{\"title\":\"\xe9\"}", "X1"},
		{"too deep", strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65), "T1"},
		{"far too deep", strings.Repeat("[", 1<<20), "T1"},
		{"later major", strings.Replace(whole, "1.0", "2.0", 1), "V2"},
	} {
		t.Run("T1/"+c.name, func(t *testing.T) {
			_, err := atsf.ParseThread([]byte(c.text))
			if f := fault(t, err); f.Rule != c.rule || f.Offset > len(c.text) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestDir compares a thread with its directory.
func TestDir(t *testing.T) {
	th := atsf.Thread{ID: "a"}
	if err := th.CheckDir("a"); err != nil {
		t.Errorf("L2: %v", err)
	}
	if f := fault(t, th.CheckDir("b")); f.Rule != "L2" || !strings.Contains(f.Reason, `"b"`) {
		t.Errorf("L2: %+v", f)
	}
}

// TestID holds the names that a thread's directory may have.
func TestID(t *testing.T) {
	for id, want := range map[string]bool{
		"a1b2c3d4-e5f6-4890-abcd-ef1234567890": true, "thread_1.x": true, "0": true, strings.Repeat("a", 128): true,
		"": false, strings.Repeat("a", 129): false, ".": false, "..": false, "../a": false, "a/b": false, `a\b`: false, "-a": false, ".a": false,
		"a.": false, "a b": false, "a\x00": false, "a\n": false, "é": false, "c:": false, "a:b": false, "CON": false, "nul.x": false, "com1": false, "LPT9.a": false,
		"company": true, "com": true,
	} {
		if got := atsf.ValidID(id); got != want {
			t.Errorf("L3: ValidID(%q) is %v", id, got)
		}
	}
	if got := atsf.NewID([16]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}); got != "ffffffff-ffff-4fff-bfff-ffffffffffff" {
		t.Errorf("L3: %s", got)
	}
	if got := atsf.NewID([16]byte{15: 1}); got != "00000000-0000-4000-8000-000000000001" || !atsf.ValidID(got) {
		t.Errorf("L3: %s", got)
	}
}
