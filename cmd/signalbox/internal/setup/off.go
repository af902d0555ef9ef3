package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// setting is a setting of a client that can keep it from running what setup wrote.
type setting struct {
	// name is the path to the value.
	name []string
	off  func(v any) bool
	// so is the consequence, in words.
	so string
}

type settingIn struct {
	path string
	// project is set if the file belongs to the repository.
	project bool
	setting
}

// settings returns every setting in every file: files of the user or the machine, and
// files of the repository.
func (m machine) settings(files, repository []string, all ...setting) (list []settingIn) {
	for _, path := range files {
		for _, s := range all {
			list = append(list, settingIn{path, false, s})
		}
	}
	if m.repository == "" {
		return list
	}
	for _, name := range repository {
		for _, s := range all {
			list = append(list, settingIn{filepath.Join(m.repository, filepath.FromSlash(name)), true, s})
		}
	}
	return list
}

const (
	noHooks = "no hook runs"
	noTools = "the tools are not offered"
)

func is(want any) func(any) bool { return func(v any) bool { return v == want } }

// lists returns a function that reports whether a list has one of the values, as a string
// or as the serverName of an object.
func lists(values ...string) func(any) bool {
	return func(v any) bool {
		list, _ := v.([]any)
		return slices.ContainsFunc(list, func(item any) bool {
			if object, ok := item.(map[string]any); ok {
				item = object["serverName"]
			}
			text, ok := item.(string)
			return ok && slices.Contains(values, text)
		})
	}
}

// lacks reports whether a list or table of what is allowed does not contain our server.
func lacks(v any) bool {
	switch list := v.(type) {
	case []any:
		return len(list) > 0 && !lists(serverName)(v)
	case map[string]any:
		_, there := list[serverName]
		return !there
	}
	return false
}

// system returns the path of a file with an administrator's settings for all users.
func (m machine) system(unix, mac, windows string) string {
	switch {
	case m.windows:
		return windows
	case m.mac:
		return filepath.Join(m.disk, mac)
	}
	return filepath.Join(m.disk, unix)
}

func claudeOff(m machine) []settingIn {
	managed := m.system("/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json", `C:\Program Files\ClaudeCode\managed-settings.json`)
	more, _ := filepath.Glob(filepath.Join(filepath.Dir(managed), "managed-settings.d", "*.json"))
	files := append([]string{managed}, more...)
	list := m.settings(files, nil,
		setting{[]string{"allowManagedHooksOnly"}, is(true), noHooks},
		setting{[]string{"deniedMcpServers"}, lists(serverName), noTools},
		setting{[]string{"allowedMcpServers"}, lacks, noTools},
	)
	dir := m.dir("CLAUDE_CONFIG_DIR", ".claude")
	files = append(files, filepath.Join(dir, "settings.json"), filepath.Join(dir, "settings.local.json"))
	return append(list, m.settings(files, []string{".claude/settings.json", ".claude/settings.local.json"},
		setting{[]string{"disableAllHooks"}, is(true), noHooks},
		setting{[]string{"permissions", "deny"}, lists("mcp__"+serverName, "mcp__"+serverName+"__*"), noTools},
		setting{[]string{"disabledMcpjsonServers"}, lists(serverName), "the tools of the repository's .mcp.json are not offered"},
	)...)
}

func codexOff(m machine) []settingIn {
	dir := m.dir("CODEX_HOME", ".codex")
	rules := m.system("/etc/codex/requirements.toml", "/etc/codex/requirements.toml", `C:\ProgramData\OpenAI\Codex\requirements.toml`)
	system := filepath.Dir(rules)
	files := []string{rules, filepath.Join(system, "managed_config.toml"), filepath.Join(system, "config.toml"), filepath.Join(dir, "config.toml")}
	list := m.settings(files, []string{".codex/config.toml"},
		setting{[]string{"features", "hooks"}, is(false), noHooks},
		setting{[]string{"features", "codex_hooks"}, is(false), noHooks},
		setting{[]string{"mcp_servers", serverName, "enabled"}, is(false), noTools},
		setting{[]string{"hooks", "state"}, m.codexHookOff(dir), "some of the hooks do not run"},
	)
	return append(list, m.settings([]string{rules}, nil,
		setting{[]string{"allow_managed_hooks_only"}, is(true), noHooks},
		setting{[]string{"mcp_servers"}, lacks, noTools},
	)...)
}

// codexHookOff returns a function that reports whether a hook of the file with our hooks
// is switched off.
func (m machine) codexHookOff(dir string) func(any) bool {
	return func(v any) bool {
		all, _ := v.(map[string]any)
		for hook, state := range all {
			of, _ := state.(map[string]any)
			if of["enabled"] == false && strings.HasPrefix(hook, filepath.Join(dir, "hooks.json")+":") {
				return true
			}
		}
		return false
	}
}

func geminiOff(m machine) []settingIn {
	system := m.system("/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json", `C:\ProgramData\gemini-cli\settings.json`)
	if path := m.getenv("GEMINI_CLI_SYSTEM_SETTINGS_PATH"); path != "" {
		system = path
	}
	files := []string{system, filepath.Join(filepath.Dir(system), "system-defaults.json"), filepath.Join(m.home, ".gemini", "settings.json")}
	return m.settings(files, []string{".gemini/settings.json"},
		setting{[]string{"hooksConfig", "enabled"}, is(false), noHooks},
		setting{[]string{"hooksConfig", "disabled"}, lists(m.shell("hook gemini")), noHooks},
		setting{[]string{"tools", "enableHooks"}, is(false), noHooks},
		setting{[]string{"hooks", "enabled"}, is(false), noHooks},
		setting{[]string{"hooks", "disabled"}, lists(m.shell("hook gemini")), noHooks},
		setting{[]string{"mcp", "excluded"}, lists(serverName), noTools},
		setting{[]string{"mcp", "allowed"}, lacks, noTools},
		setting{[]string{"admin", "mcp", "enabled"}, is(false), noTools},
	)
}

func copilotOff(m machine) []settingIn {
	dir := m.dir("COPILOT_HOME", ".copilot")
	files := []string{filepath.Join(dir, "settings.json"), filepath.Join(dir, "config.json"), filepath.Join(dir, "hooks", "signalbox.json")}
	return m.settings(files, []string{".github/copilot/settings.json", ".github/copilot/settings.local.json", ".github/hooks/signalbox.json"},
		setting{[]string{"disableAllHooks"}, is(true), noHooks},
		setting{[]string{"disabledMcpServers"}, lists(serverName), noTools},
	)
}

func opencodeOff(m machine) []settingIn {
	dir := filepath.Join(m.dir("XDG_CONFIG_HOME", ".config"), "opencode")
	files := []string{filepath.Join(dir, "config.json"), filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")}
	return m.settings(files, []string{"opencode.json", "opencode.jsonc"},
		setting{[]string{"mcp", serverName, "enabled"}, is(false), noTools},
		setting{[]string{"tools", serverName + "*"}, is(false), noTools},
		setting{[]string{"tools", serverName + "_*"}, is(false), noTools},
	)
}

func vscodeOff(m machine) []settingIn {
	return m.settings([]string{filepath.Join(m.config("Code"), "User", "settings.json")}, nil,
		setting{[]string{"chat.mcp.access"}, is("none"), noTools},
		setting{[]string{"chat.mcp.enabled"}, is(false), noTools},
	)
}

// toolsOff returns the settings of our server, in the file that setup writes, that switch
// off a client's tools.
func toolsOff(c *client, m machine) (list []settingIn) {
	for _, f := range c.files(m) {
		for _, w := range f.wants {
			if e, ok := w.edit.(program); ok && !e.event {
				list = append(list,
					settingIn{f.path, m.project != "", setting{append(slices.Clone(e.path), "enabled"), is(false), noTools}},
					settingIn{f.path, m.project != "", setting{append(slices.Clone(e.path), "disabled"), is(true), noTools}},
				)
			}
		}
	}
	return list
}

// off returns the settings that keep a client from running what setup wrote. It ignores
// files that cannot be read.
func (s *setup) off(c *client) (list []FileState) {
	settings := toolsOff(c, s.machine)
	if c.off != nil {
		settings = append(settings, c.off(s.machine)...)
	}
	read := make(map[string]map[string]any)
	for _, set := range settings {
		all, known := read[set.path]
		if !known {
			all = s.readSettings(set)
			read[set.path] = all
		}
		v := any(all)
		for _, name := range set.name {
			table, _ := v.(map[string]any)
			v = table[name]
		}
		st := FileState{set.path, fmt.Sprintf("%s is %s: %s", strings.Join(set.name, "."), shown(v), set.so)}
		if v != nil && set.off(v) && !slices.Contains(list, st) {
			list = append(list, st)
		}
	}
	return list
}

func shown(v any) string {
	switch v.(type) {
	case bool, string:
		return fmt.Sprint(v)
	case []any:
		return "a list that decides it"
	}
	return "a table that decides it"
}

func (s *setup) readSettings(set settingIn) map[string]any {
	project := ""
	if set.project {
		project = s.repository
	}
	if _, err := os.Lstat(set.path); err != nil {
		return nil
	}
	p, err := load(file{path: set.path}, project)
	if err != nil {
		return nil
	}
	var all map[string]any
	if filepath.Ext(set.path) == ".toml" {
		all, _ = decode(p.body())
	} else {
		edit.Decode(p.body(), &all)
	}
	return all
}

func (s *setup) warnOff(plan []work) {
	for _, w := range plan {
		for _, f := range s.off(w.client) {
			s.Warn("%s: %q: %s", w.title, f.Path, f.Reason)
		}
	}
}
