//go:build editors

package main

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// helixLanguages are the parts of languages.toml that the page uses, by the names
// that Helix documents: https://docs.helix-editor.com/languages.html
type helixLanguages struct {
	LanguageServer map[string]struct {
		Command string         `toml:"command"`
		Args    []string       `toml:"args"`
		Config  map[string]any `toml:"config"` // its initializationOptions
	} `toml:"language-server"`
	Language []struct {
		Name            string   `toml:"name"`
		LanguageServers []string `toml:"language-servers"`
	} `toml:"language"`
}

// TestEditorHelix starts the server as docs/helix.md has Helix start it and goes
// through the panels with what Helix can send: commands without an argument, code
// actions, and the text of open documents. What commands answer is dropped.
func TestEditorHelix(t *testing.T) {
	blocks := docBlocks(t, "helix.md", "toml")
	if len(blocks) != 2 {
		t.Fatalf("helix.md has %d blocks of TOML", len(blocks))
	}
	var languages helixLanguages
	decodeTOML(t, blocks[0], &languages)
	server := languages.LanguageServer["signalbox"]
	if server.Command == "" || len(languages.Language) == 0 || languages.Language[0].Name != "markdown" {
		t.Fatalf("languages.toml says %+v", languages)
	}
	for _, l := range languages.Language {
		if !strings.Contains(strings.Join(l.LanguageServers, " "), "signalbox") {
			t.Errorf("%s does not have the server", l.Name)
		}
	}
	var config struct {
		Keys struct {
			Normal struct {
				Space struct {
					M map[string]string `toml:"m"`
				} `toml:"space"`
			} `toml:"normal"`
		} `toml:"keys"`
	}
	decodeTOML(t, blocks[1], &config)
	keys := config.Keys.Normal.Space.M

	d := newEditorFixture(t)
	c := startServer(t, d, d.program(server.Command), server.Args...)
	var hello struct {
		Capabilities struct {
			ExecuteCommandProvider struct{ Commands []string }
		}
	}
	c.call("initialize", map[string]any{
		"processId": nil, "rootUri": "file://" + d.dir, "initializationOptions": server.Config,
		"capabilities": map[string]any{
			"window":       map[string]any{"showDocument": map[string]any{"support": true}},
			"textDocument": map[string]any{"codeAction": map[string]any{"codeActionLiteralSupport": map[string]any{}}},
		},
	}, &hello)
	c.notify("initialized", map[string]any{})
	// key presses one of the page's keys.
	key := func(name string) (path, text string) {
		t.Helper()
		command, ok := strings.CutPrefix(keys[name], ":lsp-workspace-command ")
		if !ok || !strings.Contains(strings.Join(hello.Capabilities.ExecuteCommandProvider.Commands, " ")+" ", command+" ") {
			t.Fatalf("the key %s is %q, and no command", name, keys[name])
		}
		return c.execute(lspCommand{Command: command})
	}
	says := func(what, text, part string) {
		t.Helper()
		if !strings.Contains(text, part) {
			t.Errorf("%s: %q does not say %q", what, text, part)
		}
	}
	// The index is filled behind initialize.
	path, inbox := key("i")
	for !strings.Contains(inbox, "login") {
		path, inbox = key("i")
	}
	says("the inbox", inbox, "# Inbox: 1 unread")
	c.open(path, inbox)
	path, thread := c.act(path, inbox, "signalbox://thread/login", "Open")
	says("the thread", thread, "The **login** bug is back.")
	c.open(path, thread)
	draftPath, draft := c.act(path, thread, d.record.ID, "Reply")
	says("the draft", draft, "To: alice\nThread: login\nAnswers: {")
	draft += "Fixed, from Helix.\n"
	c.open(draftPath, draft)
	_, sent := c.act(draftPath, draft, "To:", "Send")
	says("what was sent", sent, "to alice in `login`")
	_, again := c.act(draftPath, draft, "To:", "Send")
	if again != sent {
		t.Errorf("the draft was sent again: %q after %q", again, sent)
	}
	if records := d.sent(t); len(records) != 1 || records[0].Body != "Fixed, from Helix." || records[0].To != "alice" || records[0].Thread != "login" {
		t.Errorf("the log holds %+v", records)
	}
	_, marked := c.act(path, thread, d.record.ID, "Mark read")
	says("after marking", marked, "0 unread")

	path, escalations := key("e")
	says("the escalations", escalations, "Stopped after 3 rejections")
	c.open(path, escalations)
	draftPath, answer := c.act(path, escalations, editorEscalation, "Answer")
	answer = strings.Replace(answer, "redirect", "split", 1) + "Smaller, from Helix.\n"
	c.open(draftPath, answer)
	_, answered := c.act(draftPath, answer, "Action:", "Send")
	says("the answer", answered, editorTask)
	d.resumed(t, "split", "Smaller, from Helix.")

	for name, part := range map[string]string{"t": "# Tasks", "n": "To: \nThread: \n", "r": "To: alice\n", "s": "# Signalbox"} {
		_, text := key(name)
		says("the key "+name, text, part)
	}
	_, failed := c.execute(lspCommand{Command: "signalbox.thread"})
	if failed == "" {
		t.Error("a command without the argument that it needs says nothing")
	}
}

// decodeTOML decodes all of a block.
func decodeTOML(t *testing.T, block string, v any) {
	t.Helper()
	meta, err := toml.Decode(block, v)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range meta.Undecoded() {
		t.Errorf("%s is no key that is known here", key)
	}
}
