package setup

import (
	"runtime"
	"strings"
	"testing"
)

// TestSwitchedOff names the setting, and its file, that keeps a client from running what
// was written.
func TestSwitchedOff(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("paths of clients differ; the settings are held on Linux")
		return
	}
	for _, c := range []struct{ client, file, text, want string }{
		{"claude", ".claude/settings.json", `{"disableAllHooks": true}`, "disableAllHooks is true: no hook runs"},
		{"claude", ".claude/settings.local.json", `{"disableAllHooks": true}`, "disableAllHooks is true"},
		{"claude", "proj/.claude/settings.json", "{// theirs\n\"disableAllHooks\": true,}", "disableAllHooks is true"},
		{"claude", "etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": true}`, "allowManagedHooksOnly is true"},
		{"claude", "etc/claude-code/managed-settings.d/10.json", `{"disableAllHooks": true}`, "disableAllHooks is true"},
		{"claude", "etc/claude-code/managed-settings.json", `{"deniedMcpServers": [{"serverName": "signalbox"}]}`, "deniedMcpServers is a list"},
		{"claude", "etc/claude-code/managed-settings.json", `{"allowedMcpServers": [{"serverName": "x"}]}`, "allowedMcpServers is a list"},
		{"claude", ".claude/settings.json", `{"permissions": {"deny": ["mcp__signalbox"]}}`, "permissions.deny is a list"},
		{"codex", ".codex/config.toml", "[features]\nhooks = false\n", "features.hooks is false: no hook runs"},
		{"codex", ".codex/config.toml", "features.codex_hooks = false\n", "features.codex_hooks is false"},
		{"codex", "proj/.codex/config.toml", "features = { hooks = false }\n", "features.hooks is false"},
		{"codex", "etc/codex/requirements.toml", "allow_managed_hooks_only = true\n", "allow_managed_hooks_only is true"},
		{"codex", "etc/codex/managed_config.toml", "[features]\nhooks = false\n", "features.hooks is false"},
		{"codex", "etc/codex/requirements.toml", "[mcp_servers.docs.identity]\ncommand = \"x\"\n", "mcp_servers is a table"},
		{"gemini", ".gemini/settings.json", `{"hooksConfig": {"enabled": false}}`, "hooksConfig.enabled is false"},
		{"gemini", ".gemini/settings.json", `{"hooksConfig": {"disabled": ["/opt/signalbox/bin/signalbox hook gemini"]}}`, "hooksConfig.disabled is a list"},
		{"gemini", "etc/gemini-cli/settings.json", `{"mcp": {"allowed": ["x"]}}`, "mcp.allowed is a list"},
		{"gemini", "proj/.gemini/settings.json", `{"mcp": {"excluded": ["signalbox"]}}`, "mcp.excluded is a list"},
		{"copilot", ".copilot/settings.json", `{"disableAllHooks": true}`, "disableAllHooks is true"},
		{"copilot", ".copilot/config.json", `{"disabledMcpServers": ["signalbox"]}`, "disabledMcpServers is a list"},
		{"opencode", ".config/opencode/opencode.json", `{"mcp": {"signalbox": {"enabled": false}}}`, "mcp.signalbox.enabled is false"},
		{"opencode", "proj/opencode.jsonc", `{"tools": {"signalbox*": false}}`, "tools.signalbox* is false"},
		{"zed", ".config/zed/settings.json", `{"context_servers": {"signalbox": {"enabled": false}}}`, "context_servers.signalbox.enabled is false"},
		{"windsurf", ".codeium/windsurf/mcp_config.json", `{"mcpServers": {"signalbox": {"disabled": true}}}`, "mcpServers.signalbox.disabled is true"},
		{"vscode", ".config/Code/User/settings.json", `{"chat.mcp.access": "none"}`, "chat.mcp.access is none"},
		{"claude", ".claude/settings.json", `{"disableAllHooks": false}`, ""},
		{"claude", ".claude/settings.json", `{"disableAllHooks": `, ""},
		{"codex", "etc/codex/requirements.toml", "[mcp_servers.signalbox.identity]\ncommand = \"x\"\n", ""},
	} {
		t.Run(c.client+" "+c.want, func(t *testing.T) {
			p := newPlace(t, map[string]string{c.file: c.text})
			s := &setup{machine: machine{getenv: func(string) string { return "" }, home: p.home, disk: p.home, repository: p.path("proj"), command: usual}}
			list := s.off(clientNamed(c.client))
			if c.want == "" {
				if len(list) > 0 {
					t.Errorf("it says %v", list)
				}
				return
			}
			if len(list) != 1 || list[0].Path != p.path(c.file) || !strings.HasPrefix(list[0].Reason, c.want) {
				t.Errorf("it says %v", list)
			}
		})
	}
}

// TestSaysSwitchedOff says so when it sets up and when it is asked.
func TestSaysSwitchedOff(t *testing.T) {
	p := newPlace(t, map[string]string{".claude/settings.json": `{"disableAllHooks": true}`})
	for _, args := range [][]string{{"claude", "--yes"}, {"claude", "--yes"}, {"claude", "--check"}} {
		if out := p.must(args...); !strings.Contains(out, "disableAllHooks is true: no hook runs") || strings.Contains(out, "Claude Code  set up") {
			t.Errorf("%v: %s", args, out)
		}
	}
	if out := p.must("claude", "--check", "--json"); !strings.Contains(out, `"state":"switched off"`) {
		t.Errorf("%s", out)
	}
}
