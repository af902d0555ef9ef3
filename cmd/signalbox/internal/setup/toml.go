package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// tables are our tables in Codex's configuration, in a marked section at its end. Codex
// writes the file, too, and takes no heed of the marks: what it puts between them stays,
// and our tables are found wherever they are. A value that is not as it was written is
// somebody else's, and stays.
type tables struct {
	edit.Block
	machine
	// hashes are those by which Codex knows the hooks that it may run, by its names of
	// them. They are nil where nobody asked for them.
	hashes map[string]string
}

// tablesWritten is what is remembered: values as TOML writes them.
type tablesWritten struct {
	Server map[string]string `json:"server"`
	Hashes map[string]string `json:"hashes,omitempty"`
}

func readWritten(text string) (w tablesWritten) {
	_ = json.Unmarshal([]byte(text), &w)
	return w
}

// pair is a key with its value as TOML writes it.
type pair struct{ key, value string }

// codexVariables are the variables that Signalbox reads. Codex hands none on unless it is told
// which.
var codexVariables = []string{
	"AGENT_MESSAGE_DIR", "SIGNALBOX_AS", "SIGNALBOX_SSOT", "AMP_DIR", "SIGNALBOX_PROFILE", "SIGNALBOX_STATE_DIR", "SIGNALBOX_CONFIG_DIR",
	"XDG_STATE_HOME", "XDG_CONFIG_HOME",
}

// codexServer is the table of our server.
func (m machine) codexServer() []pair {
	return []pair{
		{"command", quoteTOML(m.command)},
		{"args", listTOML(m.args("mcp"))},
		{"default_tools_approval_mode", `"approve"`},
		{"env_vars", listTOML(codexVariables)},
	}
}

func (t tables) Wrote(mine string) string {
	w := tablesWritten{Server: make(map[string]string), Hashes: t.hashes}
	for _, p := range t.codexServer() {
		w.Server[p.key] = p.value
	}
	if w.Hashes == nil {
		w.Hashes = readWritten(mine).Hashes
	}
	return cli.Marshal(w)
}

// valueOf returns what a value in TOML says.
func valueOf(text string) any {
	all, _ := decode([]byte("v = " + text))
	return all["v"]
}

func decode(text []byte) (map[string]any, error) {
	all := make(map[string]any)
	if _, err := toml.Decode(string(text), &all); err != nil {
		return nil, fmt.Errorf("is no TOML: %w", err)
	}
	return all, nil
}

func tableText(name string, pairs []pair) string {
	text := "[" + name + "]\n"
	for _, p := range pairs {
		text += p.key + " = " + p.value + "\n"
	}
	return text
}

func server(all map[string]any) (table map[string]any, there bool) {
	servers, _ := all["mcp_servers"].(map[string]any)
	v, there := servers[serverName]
	table, _ = v.(map[string]any)
	return table, there
}

func stateOf(all map[string]any) map[string]any {
	hooks, _ := all["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	return state
}

// hashIn returns the hash that Codex has of a hook, if nothing else is said of the hook.
func hashIn(all map[string]any, hook string) (hash string, alone bool) {
	of, _ := stateOf(all)[hook].(map[string]any)
	hash, there := of["trusted_hash"].(string)
	return hash, there && len(of) == 1
}

// starts reports whether a table starts what a written one does.
func starts(table map[string]any, written string) bool {
	w := readWritten(written).Server
	for _, key := range []string{"command", "args"} {
		if v, ok := table[key]; !ok || !reflect.DeepEqual(v, valueOf(w[key])) {
			return false
		}
	}
	return true
}

func (t tables) Find(text []byte, wrote string) (there bool, mine string, err error) {
	all, err := decode(text)
	if err != nil {
		return false, "", err
	}
	table, there := server(all)
	if starts(table, wrote) || wrote != "" && !there && slices.ContainsFunc(statements(text), t.mark) {
		return there, wrote, nil
	}
	return there, t.earlier(text, all), nil
}

// earlier goes by our server's table. Hashes are ours between the marks: a person trusts
// hooks of the same file elsewhere.
func (t tables) earlier(text []byte, all map[string]any) string {
	table, _ := server(all)
	then, ok := t.startedBy(argvOf([]byte(cli.Marshal(table))), "mcp")
	if wrote, _ := decode([]byte(tableText("t", then.codexServer()))); !ok || !reflect.DeepEqual(wrote["t"], any(table)) {
		return ""
	}
	hashes := make(map[string]string)
	inside := false
	for _, s := range statements(text) {
		if t.mark(s) {
			inside = strings.TrimSpace(s.text) == t.Begin
		}
		if hook, ok := s.hook(); ok && inside {
			if hash, alone := hashIn(all, hook); alone {
				hashes[hook] = hash
			}
		}
	}
	return tables{machine: then, hashes: hashes}.Wrote("")
}

func (t tables) Add(text []byte, mine string) ([]byte, error) {
	all, err := decode(text)
	if err != nil {
		return nil, err
	}
	c := change{tables: t, list: statements(text), all: all, was: readWritten(mine), told: make(map[string]string)}
	table, there := server(all)
	switch {
	case !there && closed(c.list, "mcp_servers"):
		err = errors.New("mcp_servers is written on one line, to which no table can be added; write it as tables")
	case !there:
		c.set = t.codexServer()
		c.pieces = append(c.pieces, tableText("mcp_servers."+serverName, c.set))
	case mine != "":
		err = c.merge(table)
	case !starts(table, t.Wrote("")):
		err = fmt.Errorf("mcp_servers.%s is there already, and not as Signalbox wrote it", serverName)
	}
	if err != nil {
		return nil, err
	}
	c.trust()
	out, err := c.insert()
	if err != nil {
		return nil, err
	}
	return out, checkOnly(text, out, c.apply)
}

func (t tables) Remove(text []byte, mine string) ([]byte, error) {
	all, err := decode(text)
	if err != nil || mine == "" {
		return text, err
	}
	gone := make(map[string]bool)
	for hook, old := range readWritten(mine).Hashes {
		have, alone := hashIn(all, hook)
		gone[hook] = alone && have == old
	}
	list := cut(statements(text), func(s statement) bool {
		hook, ok := s.hook()
		return ok && gone[hook] || len(s.path) > 1 && s.path[0] == "mcp_servers" && s.path[1] == serverName
	})
	out := []byte(join(t.unmarked(list)))
	return out, checkOnly(text, out, func(all map[string]any) {
		delete(sub(all, "mcp_servers"), serverName)
		for hook := range gone {
			if gone[hook] {
				delete(stateOf(all), hook)
			}
		}
	})
}

// unmarked removes the marks, with the empty line before each.
func (t tables) unmarked(list []statement) (out []statement) {
	for _, s := range list {
		if t.mark(s) {
			out = trimBlank(out)
		} else {
			out = append(out, s)
		}
	}
	return out
}

func (t tables) mark(s statement) bool {
	line := strings.TrimSpace(s.text)
	return line == t.Begin || line == t.End
}
