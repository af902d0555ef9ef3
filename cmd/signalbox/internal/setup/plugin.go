package setup

import (
	_ "embed"
	"encoding/json"
	"path"
	"slices"
)

//go:generate go run ./plugingen ../../../..

// about is what every manifest says of Signalbox.
var about = struct{ name, title, summary, site, author string }{
	serverName, "Signalbox",
	"Mail between your coding agents and you: they read and send it, ask you, and wait for the answer",
	"https://github.com/signalbox-dev/signalbox", "The Signalbox authors",
}

var keywords = []string{"agents", "mail", "inbox", "messages", "mcp", "multi-agent", "human-in-the-loop"}

//go:embed plugin/SKILL.md
var skill string

//go:embed plugin/README.md
var pluginReadme string

// member is a member of a JSON object, whose order a reader sees.
type member struct {
	name  string
	value any
}

type object []member

func (o object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, m := range o {
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}

// Plugins returns the files by which agents' programs install Signalbox as a plugin, by their
// paths below the repository's root: a folder for each kind of program, and the marketplaces
// that name the folders. Each kind has a folder of its own, since Claude Code and Gemini CLI
// both run what hooks/hooks.json of a plugin says, and mean other events and other units of
// time by it; and Codex runs no hooks of a folder that has a manifest of Agent Plugins.
//
// The plugins start "signalbox" by its name, so that it must be on the PATH.
func Plugins(version string) (map[string][]byte, error) {
	m := machine{getenv: func(string) string { return "" }, command: "signalbox", plugin: true}
	files := pluginFiles{all: make(map[string][]byte), machine: m, version: version}
	files.claude()
	files.codex()
	files.gemini()
	files.portable()
	return files.all, files.err
}

type pluginFiles struct {
	machine
	version string
	all     map[string][]byte
	err     error
}

func (f *pluginFiles) add(name string, v any) {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil && f.err == nil {
		f.err = err
	}
	f.all[name] = append(text, '\n')
}

// common adds what is the same in each folder.
func (f *pluginFiles) common(folder string) {
	f.all[path.Join(folder, "skills", about.name, "SKILL.md")] = []byte(skill)
	f.all[path.Join(folder, "README.md")] = []byte(pluginReadme)
}

// hooks adds what setup writes of a client's hooks, in a file of their own.
func (f *pluginFiles) hooks(client, name string) {
	var text []byte
	for _, file := range clientNamed(client).files(f.machine) {
		for _, w := range file.wants {
			if w.what != "hooks" || f.err != nil {
				continue
			}
			text, f.err = w.edit.Add(text, "")
		}
	}
	var hooks json.RawMessage
	if err := json.Unmarshal(text, &hooks); err != nil && f.err == nil {
		f.err = err
	}
	f.add(name, hooks)
}

// manifest is what the manifests of plugins have in common.
func (f *pluginFiles) manifest() object {
	return object{
		{"name", about.name},
		{"version", f.version},
		{"description", about.summary},
		{"author", object{{"name", about.author}, {"url", about.site}}},
		{"homepage", about.site},
		{"repository", about.site},
		{"license", "MIT"},
		{"keywords", keywords},
	}
}

// servers is our server in the form of a list of servers.
func (f *pluginFiles) servers(kind string) member {
	return member{"mcpServers", map[string]mcpServer{serverName: {Type: kind, Command: f.command, Args: f.args("mcp")}}}
}

// claude is the plugin for Claude Code: https://code.claude.com/docs/en/plugins-reference and
// …/plugin-marketplaces.
func (f *pluginFiles) claude() {
	const folder = "plugins/claude"
	f.common(folder)
	f.add(folder+"/.claude-plugin/plugin.json", f.manifest())
	f.add(folder+"/.mcp.json", object{f.servers("stdio")})
	f.hooks("claude", folder+"/hooks/hooks.json")
	f.add(".claude-plugin/marketplace.json", f.marketplace(folder))
}

// marketplace lists one plugin, in the form of Claude Code that Copilot CLI took over.
func (f *pluginFiles) marketplace(folder string) object {
	return object{
		{"name", about.name},
		{"owner", object{{"name", about.author}}},
		{"description", about.summary},
		{"plugins", []object{{{"name", about.name}, {"source", "./" + folder}, {"description", about.summary}}}},
	}
}

// codex is the plugin for Codex: https://developers.openai.com/codex/plugins/build.
func (f *pluginFiles) codex() {
	const folder = "plugins/codex"
	f.common(folder)
	f.add(folder+"/.codex-plugin/plugin.json", append(f.manifest(),
		member{"skills", "./skills/"}, member{"mcpServers", "./.mcp.json"}, member{"hooks", "./hooks/hooks.json"},
		member{"interface", object{
			{"displayName", about.title},
			{"shortDescription", about.summary},
			{"developerName", about.author},
			{"category", "Developer Tools"},
			{"websiteURL", about.site},
		}}))
	f.add(folder+"/.mcp.json", object{{"mcpServers", object{{serverName, object{{"command", f.command}, {"args", f.args("mcp")}, {"env_vars", codexVariables}}}}}})
	f.hooks("codex", folder+"/hooks/hooks.json")
	f.add(".agents/plugins/marketplace.json", object{
		{"name", about.name},
		{"interface", object{{"displayName", about.title}}},
		{"plugins", []object{{
			{"name", about.name},
			{"source", object{{"source", "local"}, {"path", "./" + folder}}},
			{"policy", object{{"installation", "AVAILABLE"}, {"authentication", "ON_INSTALL"}}},
			{"category", "Developer Tools"},
		}}},
	})
}

// gemini is the extension for Gemini CLI: its docs/extensions/reference.md.
func (f *pluginFiles) gemini() {
	const folder = "plugins/gemini"
	f.common(folder)
	f.add(folder+"/gemini-extension.json", object{{"name", about.name}, {"version", f.version}, {"description", about.summary}, f.servers("")})
	f.hooks("gemini", folder+"/hooks/hooks.json")
}

// portable is the plugin of Agent Plugins 1.0, https://agent-plugins.org/specification, for VS
// Code, Copilot CLI, Cursor and Kiro. The standard has skills and servers; hooks are for Copilot.
func (f *pluginFiles) portable() {
	const (
		folder  = "plugins/portable"
		schemas = "https://agent-plugins.org/schemas/1.0.0/"
	)
	f.common(folder)
	f.add(folder+"/plugin.json", slices.Concat(object{{"$schema", schemas + "plugin.schema.json"}}, f.manifest()))
	f.add(folder+"/mcp.json", object{{"$schema", schemas + "mcp.schema.json"}, f.servers("stdio")})
	f.hooks("copilot", folder+"/com.github.copilot/hooks/hooks.json")
	f.add(".github/plugin/marketplace.json", f.marketplace(folder))
}
