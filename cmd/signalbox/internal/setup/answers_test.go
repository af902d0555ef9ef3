package setup

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestAnswersSetting writes how long the hook that waits for the person may take, by the setting.
// What an earlier version wrote is brought up to date, and what a person changed stays.
func TestAnswersSetting(t *testing.T) {
	p := newPlace(t, map[string]string{".claude/a": ""})
	hook := func(want, state string) {
		t.Helper()
		text := p.tree()[".claude/settings.json"]
		_, text, _ = strings.Cut(text, `"PermissionRequest"`)
		text, _, _ = strings.Cut(text, "}")
		if !strings.Contains(text, `"timeout": `+want+"\n") {
			t.Errorf("%s, want %s", text, want)
		}
		if out, err := p.run("claude", "--check"); err != nil || !strings.Contains(out, state) {
			t.Errorf("%s, %v, want %s", out, err, state)
		}
	}
	do := func(args ...string) string {
		t.Helper()
		out, err := p.run(append(args, "-y")...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	do("claude")
	hook("86410", "set up")
	if out := do("claude", "--answers", "off"); !strings.Contains(out, "config.json: answers = off") {
		t.Error(out)
	}
	hook("10", "set up")
	do("claude", "--answers", "30")
	hook("86410", "set up")
	if out, err := p.run("--only-person", "--answers", "off", "-y"); err != nil {
		t.Error(out, err)
	}
	hook("86410", "out of date")
	do("claude", "--answers", "on")

	// As an earlier version wrote it, whether that is remembered or not.
	path := p.path(".claude/settings.json")
	rewrite := func(from, to string) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	rewrite("86410", "10")
	if err := os.Remove(p.path("state/setup.json")); err != nil {
		t.Fatal(err)
	}
	hook("10", "out of date")
	do("claude")
	hook("86410", "set up")
	rewrite("86410", "77")
	do("claude")
	hook("77", "set up")

	for _, wrong := range []string{"maybe", "0", "-1", "3601"} {
		if out, err := p.run("claude", "--answers", wrong, "-y"); err == nil {
			t.Errorf("%s: %s", wrong, out)
		}
	}
}

// TestCodexAsks: the setting changes nothing of Codex's hooks, which it would have to trust anew,
// and a hook is told of questions alone before they are asked.
func TestCodexAsks(t *testing.T) {
	p := newPlace(t, map[string]string{".codex/hooks.json": ""})
	hooks := func(more ...string) string {
		t.Helper()
		if out, err := p.run(append(more, "codex", "-y")...); err != nil {
			t.Fatal(out, err)
		}
		return p.tree()[".codex/hooks.json"]
	}
	first := hooks()
	var v struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []hookCommand
		}
	}
	if err := json.Unmarshal([]byte(first), &v); err != nil {
		t.Fatal(err)
	}
	command := usual + " hook codex"
	if asks := v.Hooks["PermissionRequest"]; len(asks) != 1 || asks[0].Matcher != "" || asks[0].Hooks[0] != (hookCommand{Type: "command", Command: command, Timeout: 3610}) {
		t.Errorf("%+v", asks)
	}
	if before := v.Hooks["PreToolUse"]; len(before) != 1 || before[0].Matcher != "request_user_input" || before[0].Hooks[0] != (hookCommand{Type: "command", Command: command, Timeout: 10}) {
		t.Errorf("%+v", before)
	}
	if now := hooks("--answers", "60"); now != first {
		t.Errorf("the setting changes them: %s", now)
	}
	// As an earlier version wrote it, which nobody remembers.
	if err := os.Remove(p.path("state/setup.json")); err != nil {
		t.Fatal(err)
	}
	p.put(".codex/hooks.json", strings.Replace(first, "3610", "10", 1))
	if now := hooks(); now != first {
		t.Errorf("an earlier one becomes %s", now)
	}
	p.put(".codex/hooks.json", strings.Replace(first, "request_user_input", ".*", 1))
	if now := hooks(); !strings.Contains(now, `"matcher": ".*"`) || strings.Contains(now, "request_user_input") {
		t.Errorf("a person's matcher becomes %s", now)
	}
}
