package atsf_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

func newThread() atsf.Thread {
	return atsf.Thread{
		ID: "a1b2c3d4-e5f6-4890-abcd-ef1234567890", Title: "Fix login", Created: atsf.At(1739529000000),
		Agent: atsf.Agent{ID: "claude-code", Name: "Claude Code"}, Context: atsf.Context{WorkingDir: "/home/dev/shop"},
	}
}

// TestBuildThread holds the file that a new thread gets (T1, Z1, Z7).
func TestBuildThread(t *testing.T) {
	const want = `{
  "specVersion": "1.1",
  "threadId": "a1b2c3d4-e5f6-4890-abcd-ef1234567890",
  "title": "Fix login",
  "createdAt": "2025-02-14T10:30:00.000Z",
  "updatedAt": "2025-02-14T10:30:00.000Z",
  "agent": {
    "id": "claude-code",
    "name": "Claude Code"
  },
  "context": {
    "workingDir": "/home/dev/shop"
  },
  "stats": {
    "messageCount": 0,
    "userMessageCount": 0,
    "agentMessageCount": 0,
    "toolCallCount": 0
  },
  "metadata": {}
}
`
	got, err := atsf.BuildThread(newThread())
	if err != nil || string(got) != want {
		t.Errorf("T1 Z1 Z7: %s, %v", got, err)
	}
	full, err := atsf.ParseThread([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	got, err = atsf.BuildThread(full)
	if err != nil {
		t.Fatal(err)
	}
	back, err := atsf.ParseThread(got)
	if err != nil {
		t.Fatal(err)
	}
	back.Raw, back.Version, back.Metadata = full.Raw, full.Version, full.Metadata
	if diff := cmp.Diff(full, back); diff != "" {
		t.Errorf("T2: %s", diff)
	}
}

// TestBuildThreadRefused breaks one field at a time.
func TestBuildThreadRefused(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		spoil      func(*atsf.Thread)
	}{
		{"no id", "L3", func(x *atsf.Thread) { x.ID = "" }},
		{"id with a path", "L3", func(x *atsf.Thread) { x.ID = "../x" }},
		{"own parent", "L3", func(x *atsf.Thread) { x.ParentID = x.ID }},
		{"no title", "T1", func(x *atsf.Thread) { x.Title = "" }},
		{"no agent id", "T1", func(x *atsf.Thread) { x.Agent.ID = "" }},
		{"no agent name", "T1", func(x *atsf.Thread) { x.Agent.Name = "" }},
		{"no working directory", "T1", func(x *atsf.Thread) { x.Context.WorkingDir = "" }},
		{"relative working directory", "T3", func(x *atsf.Thread) { x.Context.WorkingDir = "shop" }},
		{"absolute relativeDir", "T3", func(x *atsf.Thread) { x.Context.RelativeDir = "/shop" }},
		{"worktree without a branch", "T2", func(x *atsf.Thread) { x.Context.Worktree = &atsf.Worktree{Path: "/w"} }},
		{"no time", "X1", func(x *atsf.Thread) { x.Created = atsf.Time{} }},
		{"time beyond the form", "X1", func(x *atsf.Thread) { x.Created.Millis = 1 << 60 }},
		{"title not UTF-8", "X1", func(x *atsf.Thread) { x.Title = "\xff" }},
		{"metadata is a list", "T5", func(x *atsf.Thread) { x.Metadata = []byte("[]") }},
		{"metadata is no JSON", "T5", func(x *atsf.Thread) { x.Metadata = []byte("{") }},
		{"metadata too deep", "X4", func(x *atsf.Thread) {
			x.Metadata = []byte(strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64))
		}},
		{"negative count", "T1", func(x *atsf.Thread) { x.Stats.User = -1 }},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			x := newThread()
			c.spoil(&x)
			out, err := atsf.BuildThread(x)
			if f := fault(t, err); f.Rule != c.rule || out != nil {
				t.Errorf("%+v, %s", f, out)
			}
		})
	}
}

// TestBuildMessage writes a message of every block and reads it back.
func TestBuildMessage(t *testing.T) {
	m, err := atsf.ParseMessage([]byte(fullLine))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := atsf.BuildMessage(m)
	if err != nil || !strings.Contains(string(raw), string(m.Content[7].Raw)) {
		t.Errorf("B2: %s, %v", raw, err)
	}
	for i := range m.Content {
		m.Content[i].Raw = nil
	}
	m.Tools[0].Raw = nil
	m.Content = m.Content[:7]
	got, err := atsf.BuildMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`,{"type":"video","assetRef":"../x","y":[1.0]}`, "", `,"x":{"y":null}`, "", `,"cacheRead":3`, "", `12.9`, "12", `\u00e9`, "é").Replace(fullLine)
	if diff := cmp.Diff(tree(t, []byte(want)), tree(t, got)); diff != "" {
		t.Errorf("M2 M3 B1 TC1 TC2: %s", diff)
	}
	if bytes.Count(got, []byte("\n")) != 1 || got[len(got)-1] != '\n' {
		t.Errorf("M1: %q", got)
	}
	least, err := atsf.BuildMessage(atsf.Message{ID: "1", Role: atsf.RoleUser, Time: atsf.At(0), Content: []atsf.Block{{Type: atsf.TypeText, Text: "a\nb\u2028"}, {Raw: []byte("{\n\"type\" : \"x\" }")}}})
	if w := `{"id":"1","role":"user","timestamp":"1970-01-01T00:00:00.000Z","content":[{"type":"text","text":"a\nb` + "\u2028" + `"},{"type":"x"}]}` + "\n"; err != nil || string(least) != w {
		t.Errorf("M1 H5: %s, %v", least, err)
	}
}

// TestBuildMessageRefused breaks one field at a time.
func TestBuildMessageRefused(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		spoil      func(*atsf.Message)
	}{
		{"no id", "M2", func(m *atsf.Message) { m.ID = "" }},
		{"unknown role", "M2", func(m *atsf.Message) { m.Role = "assistant" }},
		{"no time", "X1", func(m *atsf.Message) { m.Time.OK = false }},
		{"id not UTF-8", "X1", func(m *atsf.Message) { m.ID = "\xff" }},
		{"unknown block", "B1", func(m *atsf.Message) { m.Content[0].Type = "video" }},
		{"image without asset", "B1", func(m *atsf.Message) { m.Content[0] = atsf.Block{Type: atsf.TypeImage, MimeType: "image/png"} }},
		{"image elsewhere", "L4", func(m *atsf.Message) {
			m.Content[0] = atsf.Block{Type: atsf.TypeImage, MimeType: "image/png", AssetRef: "../x.png"}
		}},
		{"raw block is no JSON", "X4", func(m *atsf.Message) { m.Content[0].Raw = []byte("{") }},
		{"raw block is text", "B1", func(m *atsf.Message) { m.Content[0].Raw = []byte(`"x"`) }},
		{"raw tool is no JSON", "X4", func(m *atsf.Message) { m.Tools[0].Raw = []byte("{}{}") }},
		{"tool without id", "TC1", func(m *atsf.Message) { m.Tools[0].Raw = []byte(`{"name":"x","status":"failed"}`) }},
		{"unknown status", "TC1", func(m *atsf.Message) { m.Tools[0].Status = "done" }},
		{"negative tokens", "M3", func(m *atsf.Message) { m.Tokens = &atsf.Tokens{Input: -1} }},
		{"too many blocks", "M2", func(m *atsf.Message) { m.Content = make([]atsf.Block, atsf.MaxItems+1); fill(m.Content) }},
		{"too deep", "M1", func(m *atsf.Message) {
			m.Content[0].Raw = []byte(`{"type":"x","y":` + strings.Repeat("[", 62) + strings.Repeat("]", 62) + "}")
		}},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			m := atsf.Message{
				ID: "1", Role: atsf.RoleUser, Time: atsf.At(0), Content: []atsf.Block{{Type: atsf.TypeText}},
				Tools: []atsf.ToolCall{{ID: "t", Name: "bash", Status: "failed"}},
			}
			if _, err := atsf.BuildMessage(m); err != nil {
				t.Fatal(err)
			}
			c.spoil(&m)
			out, err := atsf.BuildMessage(m)
			if f := fault(t, err); f.Rule != c.rule || out != nil {
				t.Errorf("%+v, %s", f, out)
			}
		})
	}
}

func fill(blocks []atsf.Block) {
	for i := range blocks {
		blocks[i].Type = atsf.TypeText
	}
}

// TestNewDirectory holds the two files beside the threads (G1, K1).
func TestNewDirectory(t *testing.T) {
	got, err := atsf.BuildConfig(atsf.CreatedBy{Name: "Signalbox", Version: "0.1"})
	if want := "{\n  \"specVersion\": \"1.1\",\n  \"createdBy\": {\n    \"name\": \"Signalbox\",\n    \"version\": \"0.1\"\n  }\n}\n"; err != nil || string(got) != want {
		t.Errorf("K1: %s, %v", got, err)
	}
	if _, err := atsf.BuildConfig(atsf.CreatedBy{Name: "\xff"}); fault(t, err).Rule != "X1" {
		t.Errorf("K1: %v", err)
	}
	var rules []string
	for line := range strings.Lines(atsf.Gitignore) {
		if !strings.HasPrefix(line, "#") {
			rules = append(rules, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff([]string{"threads/*/messages.jsonl", "threads/*/assets/"}, rules); diff != "" {
		t.Errorf("G1 Z3: %s", diff)
	}
}

// TestFork continues threads, foreign members and lines included.
func TestFork(t *testing.T) {
	all := fixtures(t, "")
	thread, log := all["foreign/unknown-fields/thread.json"], all["foreign/partial-last/messages.jsonl"]
	for _, c := range []struct {
		name, through, title string
		messages             int
		updated              string
	}{
		{"whole", "", "", 2, "2026-02-20T09:00:03.000Z"},
		{"part", "m2", "Another way", 1, "2026-02-20T09:00:02.000Z"},
	} {
		t.Run("Z7 X4/"+c.name, func(t *testing.T) {
			out, messages, err := atsf.Fork(thread, log, atsf.ForkPlan{ID: "f-1", Title: c.title, Created: 1784800000000, Through: c.through})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(log, messages) || bytes.Count(messages, []byte("\n")) != c.messages || messages[len(messages)-1] != '\n' {
				t.Errorf("messages %q", messages)
			}
			want := tree(t, thread).(map[string]any)
			want["threadId"], want["parentThreadId"], want["createdAt"], want["updatedAt"] = "f-1", "unknown-fields", atsf.FormatTime(1784800000000), c.updated
			if c.title != "" {
				want["title"] = c.title
			}
			tally, _ := atsf.Count(messages)
			th, err := atsf.ParseThread(out)
			if err != nil || len(atsf.Compare(&th, tally)) > 0 || th.Stats.Messages != int64(c.messages) {
				t.Errorf("T4: %+v, %v", th.Stats, err)
			}
			got := tree(t, out).(map[string]any)
			delete(want, "stats")
			delete(got, "stats")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, c := range []struct {
		name, rule string
		plan       atsf.ForkPlan
		parent     string
	}{
		{"no such message", "M2", atsf.ForkPlan{ID: "f", Through: "zz"}, string(thread)},
		{"same id", "L3", atsf.ForkPlan{ID: "unknown-fields"}, string(thread)},
		{"id with a path", "L3", atsf.ForkPlan{ID: "a/b"}, string(thread)},
		{"title not UTF-8", "X4", atsf.ForkPlan{ID: "f", Title: "\xff"}, string(thread)},
		{"parent is refused", "V2", atsf.ForkPlan{ID: "f"}, `{"specVersion":"2.0"}`},
		{"parent is broken", "T1", atsf.ForkPlan{ID: "f"}, `{`},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			if _, _, err := atsf.Fork([]byte(c.parent), log, c.plan); fault(t, err).Rule != c.rule {
				t.Errorf("%v", err)
			}
		})
	}
	out, _, err := atsf.Fork([]byte(whole), nil, atsf.ForkPlan{ID: "f", Created: 0})
	if th, _ := atsf.ParseThread(out); err != nil || th.Version.String() != "1.1" || th.ParentID != "a1b2c3d4-e5f6-7890-abcd-ef1234567890" || th.Updated.Millis != 0 {
		t.Errorf("Z1 Z7: %s, %v", out, err)
	}
}
