package enginetest

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/client"
)

const (
	at1030 = 1739529000000
	turn1  = `{"id":"m1","role":"user","timestamp":"2025-02-14T10:30:00.000Z","content":[{"type":"text","text":"<a> & ` + "\u2028" + `"},{"type":"y","z":1.0}]}`
	turn2  = `{"id":"m2","role":"agent","timestamp":"2025-02-14T10:30:01.000Z","content":[],"toolCalls":[{"toolCallId":"c","name":"n","status":"in_progress","input":"","duration":7,"diff":{"path":"p","newText":"<"},"locations":[{"path":"p","line":2}],"x":"<"}],"tokens":{"input":1,"output":2}}`
)

func utc(text string, millis int64) client.ThreadTime {
	return client.ThreadTime{Text: text, Millis: millis, OK: true, UTC: true}
}

// testATSFTypedCalls runs every typed call over the module and natively.
func (suite *Suite) testATSFTypedCalls(t *testing.T) {
	suite.typed(t, func(t *testing.T, caller client.Caller) {
		c := typed{t, client.NewATSF(caller)}
		messages := c.messages()
		thread := c.threads(messages)
		c.figures(thread, messages)
		c.assets()
		c.config()
	})
}

type typed struct {
	*testing.T
	atsf client.ATSF
}

func (c typed) equal(what string, got any, err error, want any) {
	c.Helper()
	if err != nil {
		c.Errorf("%s: %v", what, err)
	} else if diff := cmp.Diff(want, got); diff != "" {
		c.Errorf("%s: %s", what, diff)
	}
}

func (c typed) messages() []byte {
	ctx := context.Background()
	text := func(s string) *string { return &s }
	m, err := c.atsf.Message(ctx, []byte(turn1))
	c.equal("message", m.Content[1], err, client.Block{Raw: client.Value(`{"type":"y","z":1.0}`), Offset: int64(strings.Index(turn1, `{"type":"y"`)), Length: 20, Type: "y"})
	line, err := c.atsf.BuildMessage(ctx, m)
	c.equal("a message built from its raw blocks", string(line), err, turn1+"\n")
	m.Content = []client.Block{{Type: "text", Text: m.Content[0].Text}, {Type: "resource_link", URI: "u", Size: 3, Annotations: client.Value(`{"a":"<"}`)}}
	line, err = c.atsf.BuildMessage(ctx, m)
	c.equal("a message built from fields", string(line), err, strings.Replace(turn1, `{"type":"y","z":1.0}`, `{"type":"resource_link","uri":"u","size":3,"annotations":{"a":"<"}}`, 1)+"\n")

	log, err := c.atsf.Log(ctx, []byte(turn1+"\nx\n"+turn2+"\n{"), 0)
	c.equal("log", []any{log.Next, log.Torn, len(log.Entries), log.Entries[1].Message, log.Entries[1].Fault.Rule}, err, []any{int64(len(turn1) + len(turn2) + 4), true, 3, (*client.AgentMessage)(nil), "M1"})
	second := log.Entries[2].Message
	tool := second.Tools[0]
	seven := int64(7)
	c.equal("tool call", tool, nil, client.ToolCall{
		Raw: client.Value(turn2[tool.Offset : tool.Offset+tool.Length]), Offset: int64(strings.Index(turn2, `{"toolCallId"`)), Length: tool.Length,
		ID: "c", Name: "n", Status: "in_progress", State: "running", Input: text(""), Duration: &seven,
		Diff: &client.Diff{Path: "p", New: "<", Created: true}, Locations: []client.Location{{Path: "p", Line: 2}},
	})
	if string(second.Raw) != turn2 || second.Tokens.Output != 2 {
		c.Errorf("the second message is %s", second.Raw)
	}
	line, err = c.atsf.BuildMessage(ctx, *second)
	c.equal("a tool call built from its bytes", string(line), err, turn2+"\n")
	tool.Raw = nil
	line, err = c.atsf.BuildMessage(ctx, client.AgentMessage{ID: "m2", Role: "agent", Time: client.ThreadTime{Millis: at1030 + 1000}, Tools: []client.ToolCall{tool}, Tokens: second.Tokens})
	c.equal("a tool call built from fields", string(line), err, strings.NewReplacer(`,"newText"`, `,"oldText":"","newText"`, `,"x":"<"`, ``).Replace(turn2)+"\n")
	return []byte(turn1 + "\n" + turn2 + "\n")
}

func (c typed) threads(messages []byte) []byte {
	ctx := context.Background()
	place := client.ThreadContext{WorkingDir: "/w", Worktree: &client.Worktree{Path: "/v", Branch: "b"}}
	file, err := c.atsf.BuildThread(ctx, client.NewThread{ID: "t1", Title: "<T>", Created: at1030, Agent: client.Agent{ID: "a", Name: "A"}, Context: place, Metadata: client.Value(`{"x":"<"}`)})
	if err != nil {
		c.Fatal(err)
	}
	created := utc("2025-02-14T10:30:00.000Z", at1030)
	want := client.AgentThread{
		Version: client.Version{Major: 1, Minor: 1}, ID: "t1", Title: "<T>", Created: created, Updated: created,
		Agent: client.Agent{ID: "a", Name: "A"}, Context: place, Metadata: client.Value("{\n    \"x\": \"<\"\n  }"), Findings: client.Findings{Faults: []client.Fault{}, Notes: []client.Fault{}},
	}
	got, err := c.atsf.Thread(ctx, file, "t1")
	c.equal("thread", got, err, want)
	odd, err := c.atsf.Thread(ctx, file, "t2")
	c.equal("thread in another directory", odd.Odd.Rule, err, "L2")
	edited, err := c.atsf.Edit(ctx, file, []client.Change{{Path: []string{"title"}, Value: client.Value(`"<&>"`)}, {Path: []string{"metadata"}, Value: client.Value("null")}})
	got, perr := c.atsf.Thread(ctx, edited, "")
	c.equal("edit", []any{got.Title, got.Metadata == nil}, cmpErr(err, perr), []any{"<&>", true})
	same, err := c.atsf.Edit(ctx, file, nil)
	c.equal("edit nothing", string(same), err, string(file))
	fork, err := c.atsf.Fork(ctx, client.ThreadFiles{Thread: file, Messages: messages}, client.ForkPlan{ID: "t2", Title: "F", Created: at1030, Through: "m1"})
	got, perr = c.atsf.Thread(ctx, fork.Thread, "t2")
	c.equal("fork", []any{got.Title, got.ParentID, got.Stats.Messages, string(fork.Messages)}, cmpErr(err, perr), []any{"F", "t1", int64(1), turn1 + "\n"})
	return file
}

func (c typed) figures(thread, messages []byte) {
	ctx := context.Background()
	files := client.ThreadFiles{Thread: thread, Messages: messages}
	want := client.Tally{
		Figures: client.Figures{Stats: client.Counts{Messages: 2, User: 1, Agent: 1, ToolCalls: 1}, Last: utc("2025-02-14T10:30:01.000Z", at1030+1000)},
		Next:    int64(len(messages)),
	}
	tally, err := c.atsf.Count(ctx, messages)
	c.equal("count", tally, err, want)
	compared, err := c.atsf.Compare(ctx, files)
	c.equal("compare", []any{compared.Tally, len(compared.Mismatches), compared.Mismatches[0].Field}, err, []any{want, 5, "stats.messageCount"})
	fixed, err := c.atsf.Repair(ctx, files)
	c.equal("repair", []any{fixed.Changed, len(fixed.Mismatches)}, err, []any{true, 5})
	compared, err = c.atsf.Compare(ctx, client.ThreadFiles{Thread: fixed.Data, Messages: messages})
	c.equal("compare the repaired", compared.Mismatches, err, []client.Mismatch{})
	check, err := c.atsf.Check(ctx, client.ThreadFiles{Thread: fixed.Data, Messages: append(messages, '{')}, client.CheckOptions{Dir: "t2", Limit: 1})
	c.equal("check", []any{check.Torn, check.More, check.Findings}, err, []any{true, int64(3), []client.ThreadFinding{{
		File: "thread.json", Finding: client.Finding{Level: "fault", Fault: client.Fault{Rule: "L2", Field: "threadId", Reason: `threadId "t1" is not the directory's name "t2"`}},
	}}})
}

func (c typed) assets() {
	ctx := context.Background()
	const name = "sha256-ba7816bf8f01cfea.txt" // of "abc"
	a, err := c.atsf.NameAsset(ctx, []byte("abc"), "txt")
	c.equal("name an asset", a, err, client.Asset{Name: name})
	a, err = c.atsf.CheckAsset(ctx, name, []byte("abd"))
	c.equal("check an asset", []any{a.Fault.Rule, a.ImageType}, err, []any{"L4", ""})
	a, err = c.atsf.CheckAsset(ctx, name, []byte("abc"))
	c.equal("check a good asset", a.Fault, err, (*client.Fault)(nil))
	n, err := c.atsf.AssetName(ctx, name)
	c.equal("asset name", n, err, client.AssetName{Hex: "ba7816bf8f01cfea", Ext: "txt"})
	line, assets, err := c.atsf.TakeInline(ctx, []byte(`{"content":[{"type":"image","data":"YWJj"},{"type":"audio","data":"YWI="}]}`))
	c.equal("take inline", []any{string(line), assets}, err, []any{
		`{"content":[{"type":"image","assetRef":"sha256-ba7816bf8f01cfea.bin"},{"type":"audio","assetRef":"sha256-fb8e20fc2e4c3f24.bin"}]}`,
		[]client.StoredAsset{{Name: "sha256-fb8e20fc2e4c3f24.bin", Content: []byte("ab")}, {Name: "sha256-ba7816bf8f01cfea.bin", Content: []byte("abc")}},
	})
	id, err := c.atsf.NewID(ctx, [16]byte{15: 1})
	c.equal("new id", id, err, "00000000-0000-4000-8000-000000000001")
	valid, err := c.atsf.ValidID(ctx, id)
	c.equal("valid id", valid, err, true)
}

func (c typed) config() {
	ctx := context.Background()
	file, err := c.atsf.BuildConfig(ctx, client.Application{Name: "n<", Version: "v"})
	got, perr := c.atsf.Config(ctx, file)
	empty := client.AgentConfig{
		Version: client.Version{Major: 1, Minor: 1}, CreatedBy: &client.Application{Name: "n<", Version: "v"},
		Hooks: client.Hooks{Symlinks: []client.Symlink{}, Commands: []client.Command{}}, Secrets: []client.Fault{}, Findings: client.Findings{Faults: []client.Fault{}, Notes: []client.Fault{}},
	}
	c.equal("config", got, cmpErr(err, perr), empty)
	yes := true
	empty.CreatedBy, empty.Defaults, empty.AgentSettings = nil, client.Defaults{AgentID: "a", ModelID: "m", UseWorktree: &yes}, client.Value(`{"a": {}}`)
	empty.Hooks = client.Hooks{Symlinks: []client.Symlink{{Source: "a", Target: "b"}}, Commands: []client.Command{{Command: "make", Timeout: 120000, Platforms: []string{}}}, InitialPrompt: "go"}
	got, err = c.atsf.Config(ctx, []byte(`{"specVersion":"1.1","defaults":{"agentId":"a","modelId":"m","useWorktree":true},"agentSettings":{"a": {}},"worktreeHooks":{"symlinks":[{"source":"a","target":"b"}],"postSetupCommands":[{"command":"make","platforms":[]}],"initialPrompt":"go"}}`))
	c.equal("config with hooks", got, err, empty)
}

func second[T any](_ T, err error) error { return err }

func third[T, U any](_ T, _ U, err error) error { return err }

// liar answers every call with the same bytes.
type liar string

func (l liar) Call(context.Context, abi.Op, []byte, []byte) ([]byte, error) { return []byte(l), nil }

// testATSFLyingModule answers with places that lie outside what was sent.
func (suite *Suite) testATSFLyingModule(t *testing.T) {
	ctx := context.Background()
	for name, err := range map[string]error{
		"block":  second(client.NewATSF(liar(`{"content":[{"offset":1,"length":5}]}`)).Message(ctx, []byte("{}"))),
		"tool":   second(client.NewATSF(liar(`{"tools":[{"offset":-1,"length":1}]}`)).Message(ctx, []byte("{}"))),
		"entry":  second(client.NewATSF(liar(`{"entries":[{"offset":9,"length":1,"message":{}}]}`)).Log(ctx, []byte("{}"), 0)),
		"fork":   second(client.NewATSF(liar("{\"threadLength\":1,\"messagesLength\":9223372036854775807}\nab")).Fork(ctx, client.ThreadFiles{}, client.ForkPlan{})),
		"inline": third(client.NewATSF(liar("{\"length\":1,\"assets\":[{\"length\":2}]}\nab")).TakeInline(ctx, nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), "broke the ABI") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
