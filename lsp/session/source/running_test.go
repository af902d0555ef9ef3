package source

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestRunning shows a tool call that hooks told of until the transcript has it.
func TestRunning(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(home, "work")
	chats := filepath.Join(home, ".gemini/tmp/work/chats")
	for _, dir := range []string{work, chats} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, ".gemini/tmp/work/.project_root"), []byte(work), 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)
	at := func(second int) string { return now.Add(time.Duration(second) * time.Second).Format(time.RFC3339) }
	chat := filepath.Join(chats, "session-2026-02-01T09-00-abcdef01.jsonl")
	write := func(lines ...string) {
		t.Helper()
		f, err := os.OpenFile(chat, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	said := `{"id":"g","timestamp":"` + at(1) + `","type":"gemini","content":"I test it.","model":"m"`
	write(`{"sessionId":"s1","startTime":"`+at(0)+`"}`, `{"id":"u","timestamp":"`+at(0)+`","type":"user","content":"Test it."}`, said+"}")

	env := environ.Env{Getenv: func(string) string { return "" }, Home: home, Work: work}
	p := door.Open(panel.Options{
		Env: env, Folders: []string{work}, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Sources: []panel.NewSource{New}, Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	t.Cleanup(func() { _ = p.Close() })
	var ask activity.Ask
	tell := func(state activity.State, tools ...activity.Tool) {
		t.Helper()
		err := activity.At(env.StateDir()).Change(t.Context(), "gemini", "s1", func(s *activity.Session) bool {
			s.Tools, s.Ask = tools, ask
			s.Become(state, "", now.UnixMilli())
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	second := func(n int) int64 { return now.UnixMilli() + int64(n)*1000 }
	test := activity.Tool{Name: "run_shell_command", Input: `{"command":"make test"}`, Since: second(2)}
	read := activity.Tool{Name: "read_file", Input: `{"file_path":"` + work + `/a.go"}`, Since: second(2), Ended: second(3)}
	page := func(q panel.ThreadParams) panel.ThreadPage {
		t.Helper()
		if err := p.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := p.Inbox(t.Context(), panel.InboxParams{})
		if err != nil || len(list.Threads) != 1 {
			t.Fatalf("%+v, %v", list.Threads, err)
		}
		q.Ref = list.Threads[0].Ref
		got, err := p.Thread(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	holds := func(when string, q panel.ThreadParams, want ...string) {
		t.Helper()
		var got []string
		for _, m := range page(q).Messages {
			for _, part := range m.Turn.Parts {
				if part.Tool != nil {
					got = append(got, part.Tool.Title+" "+part.Tool.Status)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	newest := panel.ThreadParams{}
	// A session is one agent, known by its thread until a hook reports on it, under one key.
	agents := func(when string, state panel.AgentState) {
		t.Helper()
		got, err := p.Agents(t.Context(), panel.AgentsParams{All: true})
		if err != nil || len(got.Agents) != 1 || got.Agents[0].State != state || got.Agents[0].Thread == nil || got.Agents[0].Key != "gemini-s1" {
			t.Errorf("%s: %+v, %v", when, got, err)
		}
	}
	holds("nothing was told", newest)
	agents("nothing was told", panel.AgentDone)
	tell(activity.Working, test, read)
	holds("they run", newest, "make test running", "a.go completed")
	agents("they run", panel.AgentWorking)
	holds("a page of one", panel.ThreadParams{Limit: 1}, "make test running", "a.go completed")
	all := page(newest).Messages
	last := all[len(all)-1]
	if last.Time != second(2) || last.From != "Gemini CLI" || last.Ref == all[len(all)-2].Ref {
		t.Errorf("the message of the calls is %+v", last)
	}
	for _, side := range []panel.Side{panel.SideBefore, panel.SideAround, panel.SideAfter} {
		got, err := p.Thread(t.Context(), panel.ThreadParams{Ref: last.Ref, Side: side})
		want := map[panel.Side]int{panel.SideBefore: 2, panel.SideAround: 3, panel.SideAfter: 0}[side]
		if err != nil || len(got.Messages) != want || got.After != "" {
			t.Errorf("%s: %d messages, %v", side, len(got.Messages), err)
		}
	}
	tell(activity.Waiting, test)
	holds("it waits for permission", newest, "make test pending")
	ask = activity.Ask{Text: "Which port?", Since: second(4)}
	tell(activity.Working, test)
	holds("it waits in a question of its own", newest, "make test running")
	ask = activity.Ask{}
	tell(activity.Idle, test)
	holds("it was interrupted", newest)

	failed := test
	failed.Ended, failed.Failed = second(4), true
	tell(activity.Working, failed)
	holds("it failed", newest, "make test failed")
	write(said + `,"toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"make test"},"status":"error","timestamp":"` + at(5) + `"}]}`)
	holds("the transcript has it", newest, "make test failed")
	again := test
	again.Since = second(6)
	tell(activity.Working, failed, again)
	holds("it runs again", newest, "make test failed", "make test running")
	write(`{"id":"r","timestamp":"` + at(7) + `","type":"user","content":[{"functionResponse":{"id":"c2","response":{"output":"ok"}}}]}`)
	holds("its output was written", newest, "make test failed")
}
