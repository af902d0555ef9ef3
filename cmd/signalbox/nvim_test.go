//go:build editors

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestNeovim has a real editor without an extension of ours, set up as docs/neovim.md
// says, read and answer mail, follow links, look at an agent's thread, answer an
// escalation and mend a task message, over plain LSP. It is built with the tag editors,
// since it needs Neovim: make test-editors installs it.
func TestNeovim(t *testing.T) {
	d := newEditorFixture(t)
	dir, mail, r := d.dir, d.mail, d.record
	const agentThread = "a1b2c3d4-e5f6-4890-abcd-ef1234567890"
	agent := filepath.Join(dir, ".agent")
	if err := os.CopyFS(agent, os.DirFS("../../testdata/atsf/main/dot-agent")); err != nil {
		t.Fatal(err)
	}
	config := "{\n  \"specVersion\": \"1.1\",\n  \"agentSettings\": {\"a\": {\"apiKey\": \"sk-abcdefghijklmnopqrstuvwx\"}}\n}\n"
	if err := errors.Join(os.Remove(filepath.Join(agent, "config.json")), os.WriteFile(filepath.Join(agent, "config.json"), []byte(config), 0o600)); err != nil {
		t.Fatal(err)
	}
	const task, escalation = editorTask, editorEscalation
	verdict, err := os.ReadFile("../../testdata/agn/amp-chain/04-review_verdict.json")
	if err != nil {
		t.Fatal(err)
	}
	// Wide characters stand before the fault in its line, and nothing is known of
	// the task.
	sound := strings.NewReplacer(task, "T-2026-045", "It is recommended", "\u00e9\U0001d11e", ",\n    \"confidence\"", ", \"confidence\"").Replace(string(verdict))
	broken := strings.Replace(sound, `"confidence": 0.95`, `"confidence": "0.95"`, 1)
	d.write(t, "message.json", broken)
	scripts, err := filepath.Abs("../../testdata/nvim")
	if err != nil {
		t.Fatal(err)
	}
	initLua := d.write(t, "init.lua", strings.Join(docBlocks(t, "neovim.md", "lua"), "\n"))
	var got struct {
		Hover, Inbox, Thread, After         string
		AgentHover, AgentThread, Diagnostic string
		Message, Action, Mended             string
		Preview, Responded, Task            string
		Definition, References, Symbols     string
		Links, Recipients, Threads          string
		Lenses, Marked, Mention             string
		Outline                             int
		Left                                int
		Reply                               struct{ ID string }
		Page                                struct {
			Inbox, Thread, Draft, After, Composed, Search string
			Escalations, Answer, Answered                 string
			Refused, Failed                               string
			Modified, Kept                                bool
		}
	}
	d.run(t, &got, []string{"SIGNALBOX_AGENT_THREAD=" + agentThread, "SIGNALBOX_TASK=" + task, "SIGNALBOX_ESCALATION=" + escalation},
		"nvim", "--headless", "-i", "NONE", "--cmd", "luafile "+filepath.Join(scripts, "start.lua"), "-u", initLua,
		filepath.Join(dir, "notes.md"), "-c", "luafile "+filepath.Join(scripts, "mail.lua"))
	for name, text := range map[string]string{"hover": got.Hover, "inbox": got.Inbox, "thread": got.Thread} {
		if !strings.Contains(text, "alice") || !strings.Contains(text, "login") {
			t.Errorf("%s shows %q", name, text)
		}
	}
	for name, text := range map[string]string{"hover": got.AgentHover, "thread": got.AgentThread} {
		if !strings.Contains(text, "Claude Code") || !strings.Contains(text, "I found the issue") {
			t.Errorf("of an agent's thread, %s shows %q", name, text)
		}
	}
	log := "log-alice.jsonl:1:" + fmt.Sprint(strings.Index(string(r.Append(nil)), r.ID))
	if got.Definition != log+" log-alice.jsonl:1" {
		t.Errorf("the definition is %q, want %q", got.Definition, log)
	}
	if !strings.HasPrefix(got.References, log+" notes.md:3:4 log-bob.jsonl:4:") {
		t.Errorf("references: %q", got.References)
	}
	// A thread is completed by a word of its title too: "log" begins "logic" and "login".
	threads := "Reconstruct watchOS breathing engine timing logic and fix timer exception when background hangs=T-2026-044]" +
		" The login bug is back.=login] Fix login comparison – ünïcode ✓=a1b2c3d4-e5f6-4890-abcd-ef1234567890]"
	if got.Recipients != "alice=alice" || got.Threads != threads {
		t.Errorf("completed are %q and %q", got.Recipients, got.Threads)
	}
	if !strings.Contains(got.Symbols, "The login bug is back. (login) log-bob.jsonl:2:0") {
		t.Errorf("symbols: %q", got.Symbols)
	}
	if want := "2 file://" + filepath.ToSlash(mail) + "/log-alice.jsonl#L1"; got.Links != want {
		t.Errorf("links: %q, want %q", got.Links, want)
	}
	if !strings.Contains(got.Lenses, "Open Reply Mark read") || !strings.Contains(got.Marked, "0 unread") || got.Outline != 3 {
		t.Errorf("lenses %q, %q; %d in the outline", got.Lenses, got.Marked, got.Outline)
	}
	if !strings.Contains(got.Mention, "Open: alice") || !strings.Contains(got.Mention, "Reply: ") || !strings.HasSuffix(got.Mention, "Copy link") {
		t.Errorf("at the mention: %q", got.Mention)
	}
	if got.Diagnostic != "K3 line 3" { // ATSF K3
		t.Errorf("the secret in config.json is told as %q", got.Diagnostic)
	}
	// AGN X9: an escalation is seen, answered and gone.
	d.resumed(t, "split", "Smaller, from Neovim.")
	page := got.Page
	for _, check := range []struct{ name, text, part string }{
		{"the page's inbox", page.Inbox, "# Inbox: 1 unread"},
		{"the page's thread", page.Thread, "The **login** bug is back."},
		{"the page's draft", page.Draft, "To: alice\nThread: login\nAnswers: {"},
		{"the thread after a draft", page.After, "Fixed, from a draft."},
		{"the composed draft", page.Composed, "To: alice\nThread: plan\n\nShall we?"},
		{"the search", page.Search, "Shall we?"},
		{"the page's escalations", page.Escalations, "Stopped after 3 rejections"},
		{"the answer", page.Answer, "Action: redirect\nAnswers: {"},
		{"a wrong action", page.Refused, "is none of approve, redirect, split, terminate"},
		{"the escalations after the answer", page.Answered, "answered: split"},
		{"a thread that is none", page.Failed, "there is no message or thread"},
		{"the same answer again", got.Responded, "running again"},
		{"what another answer would write", got.Preview, "it was answered already"},
		{"the task", got.Task, "answer: split"},
	} {
		if !strings.Contains(check.text, check.part) {
			t.Errorf("%s: %q does not say %q", check.name, check.text, check.part)
		}
	}
	if n := strings.Count(page.After, "Fixed, from a draft."); n != 1 || page.Modified || !page.Kept {
		t.Errorf("the draft was sent %d times; %t after that it is modified, %t after a refusal", n, page.Modified, page.Kept)
	}
	before, _, _ := strings.Cut(broken, `"0.95"`)
	column := len(before) - strings.LastIndex(before, "\n")
	place := fmt.Sprintf("V6 %d:%d-%d", strings.Count(before, "\n")+1, column, column+len(`"0.95"`)) // AGN V6
	if got.Message != place || got.Action != "Write 0.95 without quotes" || got.Left != 0 || got.Mended != sound {
		t.Errorf("the fault is told as %q, not %q; after %q %d are left of %s", got.Message, place, got.Action, got.Left, got.Mended)
	}
	if !strings.Contains(got.After, "Fixed, from Neovim.") {
		t.Errorf("the thread does not show the reply: %q", got.After)
	}
	sent := d.sent(t)
	if len(sent) != 4 || sent[0].ID != got.Reply.ID || sent[0].Thread != "login" || sent[0].To != "alice" || samp.Identify(&sent[0]) != samp.FormSpaced {
		t.Errorf("the log holds %+v, the server said %+v", sent, got.Reply)
	}
}
