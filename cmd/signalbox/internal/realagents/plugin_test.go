//go:build agents

package realagents

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// extension is how a program installs a plugin from a folder, and takes it away again.
type extension struct {
	install [][]string
	// session are arguments by which the tools of the plugin may run unasked.
	session []string
	remove  [][]string
	// list shows what is installed.
	list []string
}

// repository is the root of this repository, in which the marketplaces lie.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func extensions(root string) map[string]extension {
	// The three that have marketplaces take the same words but for two.
	marketplace := func(add, remove string, session ...string) extension {
		return extension{
			[][]string{{"plugin", "marketplace", "add", root}, {"plugin", add, "signalbox@signalbox"}},
			session,
			[][]string{{"plugin", remove, "signalbox@signalbox"}, {"plugin", "marketplace", "remove", "signalbox"}},
			[]string{"plugin", "list"},
		}
	}
	return map[string]extension{
		"claude":  marketplace("install", "uninstall", "--allowedTools", "mcp__plugin_signalbox_signalbox,mcp__signalbox"),
		"codex":   marketplace("add", "remove", "--dangerously-bypass-hook-trust"),
		"copilot": marketplace("install", "uninstall"),
		"gemini": {
			[][]string{{"extensions", "install", "--consent", "--skip-settings", filepath.Join(root, "plugins", "gemini")}},
			[]string{"--approval-mode", "yolo"},
			[][]string{{"extensions", "uninstall", "signalbox"}},
			[]string{"extensions", "list"},
		},
	}
}

// TestAgentsPlugin has each program that takes plugins live through the story with the plugin
// alone, installed from this repository's folder.
func TestAgentsPlugin(t *testing.T) {
	for i := range clients {
		c := &clients[i]
		e, ok := extensions(repository(t))[c.name]
		if !ok {
			continue
		}
		t.Run(c.name, func(t *testing.T) { pluginStory(t, c, &e, false) })
	}
}

// TestAgentsPluginAndSetup is the same with setup beside the plugin: each message is told of
// once, one session is known under one name, and each tool is offered once.
func TestAgentsPluginAndSetup(t *testing.T) {
	for i := range clients {
		c := &clients[i]
		e, ok := extensions(repository(t))[c.name]
		if !ok {
			continue
		}
		t.Run(c.name, func(t *testing.T) { pluginStory(t, c, &e, true) })
	}
}

func pluginStory(t *testing.T, c *client, e *extension, setup bool) {
	began := time.Now()
	d := newFixture(t, c)
	m := newModel(t, prompt, d.turns())
	m.logOnFailure(c.name)
	d.env = append(d.env, c.env(m.URL)...)
	if c.before != nil {
		c.before(d, m.URL)
		if c.name == "codex" {
			path := d.home + "/.codex/config.toml"
			d.write("home/.codex/config.toml", strings.Replace(d.files()[path], "[features]\nplugins = false\n", "", 1))
		}
	}
	d.must("signalbox", "setup", "--only-person", "--person", "dev", "--yes")
	if setup {
		d.must("signalbox", "setup", c.name, "--yes")
	}
	for _, args := range e.install {
		d.must(c.command, args...)
	}
	if out := d.must(c.command, e.list...); !strings.Contains(out, "signalbox") {
		t.Errorf("%v does not show the plugin: %s", e.list, out)
	}
	d.must("signalbox", "--as", "dev", "send", "coder", "The staging server moved to port 8443.")
	c.session(d, e.session, prompt)
	select {
	case <-m.done:
	case <-time.After(runLimit):
		t.Fatalf("it stopped after %d of %d turns", m.turn(), len(m.turns))
	}
	d.checkEnd()
	for _, args := range e.remove {
		d.must(c.command, args...)
	}
	if out := d.must(c.command, e.list...); strings.Contains(out, "signalbox@") || strings.Contains(out, "signalbox (") {
		t.Errorf("%v shows the plugin after its removal: %s", e.list, out)
	}
	t.Logf("%s took %s", c.name, time.Since(began).Round(time.Millisecond))
}
