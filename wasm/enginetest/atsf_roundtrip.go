package enginetest

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/engine"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// testATSFRoundTrip makes random sequences of all our writes over every fixture
// thread of our major version, through the module and with core/atsf natively. The bytes are the same after each step, and no foreign member, block
// or line changes (rules X4, T5, B2, Z2).
func (suite *Suite) testATSFRoundTrip(t *testing.T) {
	const sequences, steps = 6, 12
	module := suite.open(t, engine.Options{Instances: 1}).ATSF()
	again := 0
	for _, f := range agentThreads(t) {
		if path.Base(f.dir) == "major-2" {
			continue
		}
		t.Run("ATSF X4 T5 B2 Z2/"+f.dir, func(t *testing.T) {
			for n := range sequences {
				random := rand.New(rand.NewPCG(uint64(len(f.both())), uint64(n)))
				w := &writer{T: t, atsf: module, random: random, agentThread: f, kept: foreign(t, f.thread), lines: finished(f.messages), again: &again}
				for range steps {
					w.step()
					if t.Failed() {
						t.Fatalf("after %s:\n%s\n%s", strings.Join(w.did, ", "), w.thread, w.messages)
					}
				}
			}
		})
	}
	if again < 20 {
		t.Errorf("only %d of the fixtures' messages were written again", again)
	}
}

// writer is a thread that is being written to.
type writer struct {
	*testing.T
	atsf   client.ATSF
	random *rand.Rand
	agentThread
	// kept is the tree of thread.json without what our writes change, and lines
	// are the lines that have to be there in this order.
	kept  any
	lines []string
	did   []string
	again *int
}

// step makes one random write and checks that the files keep what they must.
func (w *writer) step() {
	w.Helper()
	writes := []struct {
		name string
		make func()
	}{
		{"title", w.title},
		{"metadata", w.metadata},
		{"repair", w.repair},
		{"append", w.append},
		{"append again", w.appendAgain},
		{"append inline data", w.appendInline},
		{"fork", w.fork},
	}
	write := writes[w.random.IntN(len(writes))]
	w.did = append(w.did, write.name)
	write.make()
	if diff := cmp.Diff(w.kept, foreign(w.T, w.thread)); diff != "" {
		w.Errorf("ATSF X4: thread.json lost or changed (-had +has): %s", diff)
	}
	if diff := cmp.Diff(w.lines, finished(w.messages)); diff != "" {
		w.Errorf("ATSF M1: the lines changed: %s", diff)
	}
}

// agree returns the module's bytes, after comparing them with the bytes that
// core/atsf makes natively.
func (w *writer) agree(module []byte, err error, native []byte, nativeErr error) []byte {
	w.Helper()
	if err != nil || nativeErr != nil {
		w.Fatalf("the module fails with %v, core/atsf with %v", err, nativeErr)
	}
	if diff := cmp.Diff(string(native), string(module)); diff != "" {
		w.Fatalf("the module's bytes differ: %s", diff)
	}
	return module
}

func (w *writer) edit(changes ...atsf.Change) {
	w.Helper()
	var list []client.Change
	for _, c := range changes {
		list = append(list, client.Change{Path: c.Path, Value: c.Value})
	}
	out, err := w.atsf.Edit(context.Background(), []byte(w.thread), list)
	native, nativeErr := atsf.Edit([]byte(w.thread), changes...)
	w.thread = string(w.agree(out, err, native, nativeErr))
}

func (w *writer) files() client.ThreadFiles {
	return client.ThreadFiles{Thread: []byte(w.thread), Messages: []byte(w.messages)}
}

func (w *writer) title() {
	w.edit(atsf.SetTitle("Title <" + strconv.Itoa(w.random.IntN(100)) + "> \"é\"\n"))
}

func (w *writer) metadata() {
	values := []string{`1e3`, `{"a" : [ 1.0, null, {"<" : "\u00e9"} ]}`, `"\u2028"`, `[]`, `null`}
	w.edit(atsf.SetMetadata("signalbox", []byte(values[w.random.IntN(len(values))])))
}

func (w *writer) repair() {
	out, err := w.atsf.Repair(context.Background(), w.files())
	tally, _ := atsf.Count([]byte(w.messages))
	native, nativeErr := atsf.Repair([]byte(w.thread), tally)
	w.thread = string(w.agree(out.Data, err, native, nativeErr))
}

// add appends a line as a writer does: an unfinished one is ended first.
func (w *writer) add(line string) {
	if torn := w.messages[strings.LastIndex(w.messages, "\n")+1:]; torn != "" {
		w.messages += "\n"
		w.lines = append(w.lines, torn)
	}
	w.messages += line
	w.lines = append(w.lines, strings.TrimSuffix(line, "\n"))
}

// append writes a message of our own.
func (w *writer) append() {
	at := int64(1771578000000 + w.random.IntN(1_000_000))
	input, took := `{"x":1}`, int64(3)
	out, err := w.atsf.BuildMessage(context.Background(), client.AgentMessage{
		ID: "ours", Role: "agent", Time: client.ThreadTime{Millis: at}, Content: []client.Block{{Type: "text", Text: "<\u2028>"}}, Tokens: &client.Tokens{Output: 4},
		Tools: []client.ToolCall{{ID: "c", Name: "edit", Status: "completed", Input: &input, Duration: &took, Diff: &client.Diff{Path: "p", New: "x\n"}, Locations: []client.Location{{Path: "p", Line: 2}}}},
	})
	native, nativeErr := atsf.BuildMessage(atsf.Message{
		ID: "ours", Role: "agent", Time: atsf.At(at), Content: []atsf.Block{{Type: "text", Text: "<\u2028>"}}, Tokens: &atsf.Tokens{Output: 4},
		Tools: []atsf.ToolCall{{ID: "c", Name: "edit", Status: "completed", Input: input, HasInput: true, Duration: took, Diff: &atsf.Diff{Path: "p", New: "x\n"}, Locations: []atsf.Location{{Path: "p", Line: 2}}}},
	})
	w.add(string(w.agree(out, err, native, nativeErr)))
}

// appendAgain writes somebody's message again, with its blocks and tool calls as
// they are: what we do not know in them is kept.
func (w *writer) appendAgain() {
	ctx := context.Background()
	line := w.lines[w.random.IntN(len(w.lines))]
	m, err := w.atsf.Message(ctx, []byte(line))
	read, nativeErr := atsf.ParseMessage([]byte(line))
	if err != nil && nativeErr != nil {
		return // a line that is no message
	}
	asset := slices.ContainsFunc(m.Content, func(b client.Block) bool { return strings.Contains(b.AssetRef, "/") })
	if asset || len(m.Faults) > 0 {
		return // it breaks a rule, and cannot be written
	}
	out, err := w.atsf.BuildMessage(ctx, m)
	native, nativeErr := atsf.BuildMessage(read)
	made := w.agree(out, err, native, nativeErr)
	before, after := tree(w.T, line).(map[string]any), tree(w.T, string(made)).(map[string]any)
	for _, name := range []string{"content", "toolCalls"} {
		if diff := cmp.Diff(before[name], after[name]); diff != "" {
			w.Errorf("ATSF B2: %s changed: %s", name, diff)
		}
	}
	w.add(string(made))
	*w.again++
}

func (w *writer) appendInline() {
	line := `{"id":"inline","role":"user","timestamp":"2026-02-20T09:01:00.000Z", "x" : {"y":1.0},"content":[{"a":1,"type":"image","mimeType":"image/png","data":"YWJj"},{"type":"video","data":"YWJj"}]}`
	out, assets, err := w.atsf.TakeInline(context.Background(), []byte(line))
	native, stored, nativeErr := atsf.TakeInline([]byte(line))
	made := w.agree(out, err, native, nativeErr)
	if len(assets) != 1 || len(stored) != 1 || assets[0].Name != stored[0].Name.String() || string(assets[0].Content) != "abc" {
		w.Errorf("ATSF B3: the module stores %v, core/atsf %v", assets, stored)
	}
	if want := strings.Replace(line, `"data":"YWJj"`, `"assetRef":"sha256-ba7816bf8f01cfea.png"`, 1); string(made) != want {
		w.Errorf("ATSF B3: %s", made)
	}
	w.add(string(made) + "\n")
}

// fork continues in a fork of the thread.
func (w *writer) fork() {
	id := "fork-" + strconv.Itoa(len(w.did))
	fork, err := w.atsf.Fork(context.Background(), w.files(), client.ForkPlan{ID: id, Created: at1030})
	native, nativeLog, nativeErr := atsf.Fork([]byte(w.thread), []byte(w.messages), atsf.ForkPlan{ID: id, Created: at1030})
	w.thread = string(w.agree(fork.Thread, err, native, nativeErr))
	w.messages = string(w.agree(fork.Messages, err, nativeLog, nativeErr))
}

// foreign is the tree of a thread.json without the members that are ours to set.
func foreign(t *testing.T, thread string) any {
	t.Helper()
	all := tree(t, thread).(map[string]any)
	for _, name := range []string{"title", "updatedAt", "threadId", "createdAt", "specVersion", "parentThreadId"} {
		delete(all, name)
	}
	if stats, ok := all["stats"].(map[string]any); ok {
		for _, name := range []string{"messageCount", "userMessageCount", "agentMessageCount", "toolCallCount"} {
			delete(stats, name)
		}
	}
	if metadata, ok := all["metadata"].(map[string]any); ok {
		delete(metadata, "signalbox")
		if len(metadata) == 0 {
			delete(all, "metadata")
		}
	}
	return all
}

// tree is what encoding/json makes of a text, numbers as they are written.
func tree(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// finished returns the lines of a log that have a line end.
func finished(log string) []string {
	lines := strings.Split(log, "\n")
	return lines[:len(lines)-1]
}
