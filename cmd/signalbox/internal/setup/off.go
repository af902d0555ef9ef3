package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// setting is one of a program's own settings that keeps it from running what setup wrote.
type setting struct {
	path string
	// project is set if the file belongs to the repository.
	project bool
	// name leads to the value.
	name []string
	off  func(v any) bool
	// so is what comes of it.
	so string
}

const (
	noHooks = "no hook runs"
	noTools = "the tools are not offered"
)

func is(want any) func(any) bool { return func(v any) bool { return v == want } }

// lists reports whether a list holds one of some values: texts, or objects with such a
// member.
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

// lacks reports whether a list, or a table, allows others and not us.
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

// system returns a file by which whoever runs the machine decides for all of its people.
func (m machine) system(unix, mac, windows string) string {
	switch {
	case m.windows:
		return windows
	case m.mac:
		return filepath.Join(m.disk, mac)
	}
	return filepath.Join(m.disk, unix)
}

func claudeOff(m machine) (list []setting) {
	managed := m.system("/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json", `C:\Program Files\ClaudeCode\managed-settings.json`)
	files := []string{managed}
	more, _ := filepath.Glob(filepath.Join(filepath.Dir(managed), "managed-settings.d", "*.json"))
	files = append(files, more...)
	for _, path := range files {
		list = append(list,
			setting{path, false, []string{"allowManagedHooksOnly"}, is(true), noHooks},
			setting{path, false, []string{"deniedMcpServers"}, lists(serverName), noTools},
			setting{path, false, []string{"allowedMcpServers"}, lacks, noTools},
		)
	}
	dir := m.dir("CLAUDE_CONFIG_DIR", ".claude")
	both := func(path string, project bool) {
		list = append(list,
			setting{path, project, []string{"disableAllHooks"}, is(true), noHooks},
			setting{path, project, []string{"permissions", "deny"}, lists("mcp__"+serverName, "mcp__"+serverName+"__*"), noTools},
			setting{path, project, []string{"disabledMcpjsonServers"}, lists(serverName), "the tools of the repository's .mcp.json are not offered"},
		)
	}
	for _, path := range append(files, filepath.Join(dir, "settings.json"), filepath.Join(dir, "settings.local.json")) {
		both(path, false)
	}
	for _, path := range m.inRepository(".claude/settings.json", ".claude/settings.local.json") {
		both(path, true)
	}
	return list
}

func codexOff(m machine) (list []setting) {
	dir := m.dir("CODEX_HOME", ".codex")
	rules := m.system("/etc/codex/requirements.toml", "/etc/codex/requirements.toml", `C:\ProgramData\OpenAI\Codex\requirements.toml`)
	both := func(path string, project bool) {
		for _, name := range []string{"hooks", "codex_hooks"} {
			list = append(list, setting{path, project, []string{"features", name}, is(false), noHooks})
		}
		list = append(list,
			setting{path, project, []string{"mcp_servers", serverName, "enabled"}, is(false), noTools},
			setting{path, project, []string{"hooks", "state"}, m.codexHookOff(dir), "some of the hooks do not run"},
		)
	}
	for _, path := range []string{
		rules, filepath.Join(filepath.Dir(rules), "managed_config.toml"), filepath.Join(filepath.Dir(rules), "config.toml"), filepath.Join(dir, "config.toml"),
	} {
		both(path, false)
	}
	for _, path := range m.inRepository(".codex/config.toml") {
		both(path, true)
	}
	return append(list,
		setting{rules, false, []string{"allow_managed_hooks_only"}, is(true), noHooks},
		setting{rules, false, []string{"mcp_servers"}, lacks, noTools},
	)
}

// codexHookOff reports whether a hook of the file that ours stand in is switched off.
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

func geminiOff(m machine) (list []setting) {
	system := m.system("/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json", `C:\ProgramData\gemini-cli\settings.json`)
	both := func(path string, project bool) {
		list = append(list,
			setting{path, project, []string{"hooksConfig", "enabled"}, is(false), noHooks},
			setting{path, project, []string{"hooksConfig", "disabled"}, lists(m.shell("hook gemini")), noHooks},
			setting{path, project, []string{"tools", "enableHooks"}, is(false), noHooks},
			setting{path, project, []string{"hooks", "enabled"}, is(false), noHooks},
			setting{path, project, []string{"hooks", "disabled"}, lists(m.shell("hook gemini")), noHooks},
			setting{path, project, []string{"mcp", "excluded"}, lists(serverName), noTools},
			setting{path, project, []string{"mcp", "allowed"}, lacks, noTools},
			setting{path, project, []string{"admin", "mcp", "enabled"}, is(false), noTools},
		)
	}
	if path := m.getenv("GEMINI_CLI_SYSTEM_SETTINGS_PATH"); path != "" {
		system = path
	}
	both(system, false)
	both(filepath.Join(filepath.Dir(system), "system-defaults.json"), false)
	both(filepath.Join(m.home, ".gemini", "settings.json"), false)
	for _, path := range m.inRepository(".gemini/settings.json") {
		both(path, true)
	}
	return list
}

func copilotOff(m machine) (list []setting) {
	dir := m.dir("COPILOT_HOME", ".copilot")
	both := func(path string, project bool) {
		list = append(list,
			setting{path, project, []string{"disableAllHooks"}, is(true), noHooks},
			setting{path, project, []string{"disabledMcpServers"}, lists(serverName), noTools},
		)
	}
	for _, name := range []string{"settings.json", "config.json", "hooks/signalbox.json"} {
		both(filepath.Join(dir, filepath.FromSlash(name)), false)
	}
	for _, path := range m.inRepository(".github/copilot/settings.json", ".github/copilot/settings.local.json", ".github/hooks/signalbox.json") {
		both(path, true)
	}
	return list
}

func opencodeOff(m machine) (list []setting) {
	dir := filepath.Join(m.dir("XDG_CONFIG_HOME", ".config"), "opencode")
	both := func(path string, project bool) {
		list = append(list,
			setting{path, project, []string{"mcp", serverName, "enabled"}, is(false), noTools},
			setting{path, project, []string{"tools", serverName + "*"}, is(false), noTools},
			setting{path, project, []string{"tools", serverName + "_*"}, is(false), noTools},
		)
	}
	for _, name := range []string{"config.json", "opencode.json", "opencode.jsonc"} {
		both(filepath.Join(dir, name), false)
	}
	for _, path := range m.inRepository("opencode.json", "opencode.jsonc") {
		both(path, true)
	}
	return list
}

// toolsOff returns the settings of a program that has tools alone: those of our server in
// the file that setup writes.
func toolsOff(c *client, m machine) (list []setting) {
	for _, f := range c.files(m) {
		for _, w := range f.wants {
			if e, ok := w.edit.(member); ok {
				list = append(list,
					setting{f.path, m.project != "", append(slices.Clone(e.path), "enabled"), is(false), noTools},
					setting{f.path, m.project != "", append(slices.Clone(e.path), "disabled"), is(true), noTools},
				)
			}
		}
	}
	return list
}

func vscodeOff(m machine) []setting {
	path := filepath.Join(m.config("Code"), "User", "settings.json")
	return []setting{
		{path, false, []string{"chat.mcp.access"}, is("none"), noTools},
		{path, false, []string{"chat.mcp.enabled"}, is(false), noTools},
	}
}

// inRepository returns files of the repository that is worked in.
func (m machine) inRepository(names ...string) (list []string) {
	for _, name := range names {
		if m.repository != "" {
			list = append(list, filepath.Join(m.repository, filepath.FromSlash(name)))
		}
	}
	return list
}

// off returns the settings that keep a client from running what setup wrote. A file that
// cannot be read says nothing.
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
		if v != nil && set.off(v) && !slices.ContainsFunc(list, func(f FileState) bool { return reflect.DeepEqual(f, st) }) {
			list = append(list, st)
		}
	}
	return list
}

// shown returns a value if it is short, and what it is otherwise.
func shown(v any) string {
	switch v.(type) {
	case bool, string:
		return fmt.Sprint(v)
	case []any:
		return "a list that decides it"
	}
	return "a table that decides it"
}

func (s *setup) readSettings(set setting) map[string]any {
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

// warnOff says what keeps clients from running what was written.
func (s *setup) warnOff(plan []work) {
	for _, w := range plan {
		for _, f := range s.off(w.client) {
			s.Warn("%s: %q: %s", w.title, f.Path, f.Reason)
		}
	}
}
