package setup

import (
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

const (
	// hookSeconds is how long a client waits for a hook. Hooks end earlier by themselves.
	hookSeconds = 10
	hookMillis  = hookSeconds * 1000
	// waitSeconds is how long a hook may wait that runs beside a session. The next one
	// starts when the session stops again.
	waitSeconds = 24 * 60 * 60
	// hidingSeconds is how long a client waits for a hook while it hides its own dialog.
	hidingSeconds = int(userconfig.MaxHiding/time.Second) + hookSeconds
)

// clients are the programs that setup knows, in the order in which it lists them. The files each
// program reads were observed with the versions that the tests pin; docs/agents.md lists them.
var clients = []client{
	{
		name: "claude", title: "Claude Code", command: "claude", off: claudeOff,
		folders: func(m machine) []string { return []string{m.dir("CLAUDE_CONFIG_DIR", ".claude")} },
		files: func(m machine) []file {
			servers := filepath.Join(m.home, ".claude.json")
			if dir := m.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
				servers = filepath.Join(dir, ".claude.json")
			}
			dir := m.dir("CLAUDE_CONFIG_DIR", ".claude")
			settings := append(m.hooks("claude", hookSeconds, "SessionStart", "UserPromptSubmit", "PostToolUse"), m.asked("claude", false))
			settings = append(settings, m.hooks("claude", hookSeconds, "Notification", "Stop", "SessionEnd")...)
			settings = append(settings, m.waiter(), want{"tools", "permissions.allow", rule{
				[]string{"permissions", "allow"}, "mcp__" + serverName, settings[0].edit,
			}})
			return []file{
				{m.at(".mcp.json", servers), []want{m.tools("mcpServers", mcpServer{Type: "stdio"})}},
				{m.at(".claude/settings.json", filepath.Join(dir, "settings.json")), settings},
				{m.at("CLAUDE.md", filepath.Join(dir, "CLAUDE.md")), []want{m.instructions()}},
			}
		},
	},
	{
		name: "codex", title: "Codex", command: "codex", off: codexOff,
		folders: func(m machine) []string { return []string{m.dir("CODEX_HOME", ".codex")} },
		files: func(m machine) []file {
			dir := m.dir("CODEX_HOME", ".codex")
			return []file{
				{m.at(".codex/hooks.json", filepath.Join(dir, "hooks.json")), m.codexHooks()},
				{m.at(".codex/config.toml", filepath.Join(dir, "config.toml")), []want{m.codexTools(nil)}},
				{m.at("AGENTS.md", filepath.Join(dir, "AGENTS.md")), []want{m.instructions()}},
			}
		},
		after: trustHooks,
	},
	{
		name: "gemini", title: "Gemini CLI", command: "gemini", off: geminiOff,
		folders: func(m machine) []string { return []string{filepath.Join(m.home, ".gemini")} },
		files: func(m machine) []file {
			dir := filepath.Join(m.home, ".gemini")
			// Without trust, the tools are not even offered in runs where nobody can be asked.
			settings := []want{m.tools("mcpServers", mcpServer{Trust: true})}
			settings = append(settings, m.hooks("gemini", hookMillis, "SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "Notification", "AfterAgent", "SessionEnd")...)
			return []file{
				{m.at(".gemini/settings.json", filepath.Join(dir, "settings.json")), settings},
				{m.at("GEMINI.md", filepath.Join(dir, "GEMINI.md")), []want{m.instructions()}},
			}
		},
	},
	{
		name: "copilot", title: "Copilot CLI", command: "copilot", off: copilotOff,
		folders: func(m machine) []string { return []string{m.dir("COPILOT_HOME", ".copilot")} },
		files: func(m machine) []file {
			dir := m.dir("COPILOT_HOME", ".copilot")
			tools := m.tools("mcpServers", mcpServer{Type: "local", Tools: []string{"*"}})
			if m.project != "" {
				// In a project it reads Claude Code's file.
				tools = m.tools("mcpServers", mcpServer{Type: "stdio"})
			}
			return []file{
				{m.at(".mcp.json", filepath.Join(dir, "mcp-config.json")), []want{tools}},
				{m.at(".github/hooks/signalbox.json", filepath.Join(dir, "hooks", "signalbox.json")), []want{m.copilotHooks()}},
				{m.at("AGENTS.md", filepath.Join(dir, "copilot-instructions.md")), []want{m.instructions()}},
			}
		},
	},
	{
		name: "opencode", title: "opencode", command: "opencode", off: opencodeOff,
		folders: func(m machine) []string {
			return []string{filepath.Join(m.dir("XDG_CONFIG_HOME", ".config"), "opencode"), filepath.Join(m.dir("XDG_DATA_HOME", ".local", "share"), "opencode")}
		},
		files: func(m machine) []file {
			dir := filepath.Join(m.dir("XDG_CONFIG_HOME", ".config"), "opencode")
			return []file{
				{m.at("opencode.json", filepath.Join(dir, "opencode.json")), []want{m.server("mcp", func(m machine) any {
					return struct {
						Type    string   `json:"type"`
						Command []string `json:"command"`
						Enabled bool     `json:"enabled"`
					}{"local", append([]string{m.command}, m.args("mcp")...), true}
				})}},
				{m.at(".opencode/plugins/signalbox.js", filepath.Join(dir, "plugins", "signalbox.js")), []want{m.opencodePlugin()}},
				{m.at("AGENTS.md", filepath.Join(dir, "AGENTS.md")), []want{m.instructions()}},
			}
		},
	},
	{
		name: "cursor", title: "Cursor",
		folders: func(m machine) []string { return []string{filepath.Join(m.home, ".cursor")} },
		files: func(m machine) []file {
			return []file{{m.at(".cursor/mcp.json", filepath.Join(m.home, ".cursor", "mcp.json")), []want{m.tools("mcpServers", mcpServer{})}}}
		},
	},
	{
		name: "vscode", title: "VS Code", command: "code", off: vscodeOff,
		folders: func(m machine) []string { return []string{m.config("Code")} },
		files: func(m machine) []file {
			return []file{{m.at(".vscode/mcp.json", filepath.Join(m.config("Code"), "User", "mcp.json")), []want{m.tools("servers", mcpServer{Type: "stdio"})}}}
		},
	},
	{
		name: "zed", title: "Zed", command: "zed",
		folders: func(m machine) []string { return []string{m.zed()} },
		files: func(m machine) []file {
			return []file{{m.at(".zed/settings.json", filepath.Join(m.zed(), "settings.json")), []want{m.tools("context_servers", mcpServer{})}}}
		},
	},
	{
		name: "windsurf", title: "Windsurf", command: "windsurf",
		folders: func(m machine) []string { return []string{filepath.Join(m.home, ".codeium", "windsurf")} },
		files: func(m machine) []file {
			if m.project != "" {
				return nil // it reads only the user's file
			}
			return []file{{filepath.Join(m.home, ".codeium", "windsurf", "mcp_config.json"), []want{m.tools("mcpServers", mcpServer{})}}}
		},
	},
}

// zed returns Zed's configuration folder. On a Mac it isn't where other programs keep theirs.
func (m machine) zed() string {
	if m.windows {
		return m.config("Zed")
	}
	return filepath.Join(m.dir("XDG_CONFIG_HOME", ".config"), "zed")
}

func clientNamed(name string) *client {
	for i := range clients {
		if clients[i].name == name {
			return &clients[i]
		}
	}
	return nil
}

func clientNames() (names []string) {
	for i := range clients {
		names = append(names, clients[i].name)
	}
	return names
}
