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

// codexServer is the table of our server.
func (m machine) codexServer() []pair {
	return []pair{
		{"command", quoteTOML(m.command)},
		{"args", listTOML(m.args("mcp"))},
		{"default_tools_approval_mode", `"approve"`},
		// Codex hands no variables on unless it is told which.
		{"env_vars", listTOML([]string{"AGENT_MESSAGE_DIR", "SIGNALBOX_AS", "SIGNALBOX_SSOT", "AMP_DIR", "SIGNALBOX_PROFILE", "SIGNALBOX_STATE_DIR", "SIGNALBOX_CONFIG_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"})},
	}
}

func serverMap(pairs []pair) map[string]string {
	all := make(map[string]string)
	for _, p := range pairs {
		all[p.key] = p.value
	}
	return all
}

// valueOf returns what a value in TOML says.
func valueOf(text string) any {
	all, err := decode([]byte("v = " + text))
	if err != nil {
		return nil
	}
	return all["v"]
}

func decode(text []byte) (all map[string]any, err error) {
	if _, err := toml.Decode(string(text), &all); err != nil {
		return nil, fmt.Errorf("is no TOML: %w", err)
	}
	return all, nil
}

// server returns our server's table in a file.
func server(all map[string]any) (table map[string]any, there bool) {
	servers, _ := all["mcp_servers"].(map[string]any)
	v, there := servers[serverName]
	table, _ = v.(map[string]any)
	return table, there
}

// hashIn returns the hash that Codex has of a hook, if nothing else is said of the hook.
func hashIn(all map[string]any, hook string) (hash string, alone bool) {
	of, _ := stateOf(all)[hook].(map[string]any)
	hash, there := of["trusted_hash"].(string)
	return hash, there && len(of) == 1
}

// starts reports whether a table starts what a written one does.
func starts(table map[string]any, written map[string]string) bool {
	for _, key := range []string{"command", "args"} {
		if v, ok := table[key]; !ok || !reflect.DeepEqual(v, valueOf(written[key])) {
			return false
		}
	}
	return true
}

func (t tables) Has(text []byte) (bool, error) {
	all, err := decode(text)
	_, there := server(all)
	return there, err
}

func (t tables) Owns(text []byte, wrote string) bool {
	all, err := decode(text)
	if err != nil {
		return false
	}
	table, there := server(all)
	return starts(table, readWritten(wrote).Server) || !there && slices.ContainsFunc(statements(text), t.mark)
}

func (t tables) Wrote(before string) string {
	w := tablesWritten{Server: serverMap(t.codexServer()), Hashes: t.hashes}
	if w.Hashes == nil {
		w.Hashes = readWritten(before).Hashes
	}
	return cli.Marshal(w)
}

// Earlier goes by our server's table. Hashes are ours between the marks: a person trusts
// hooks of the same file elsewhere.
func (t tables) Earlier(text []byte) string {
	all, err := decode(text)
	if err != nil {
		return ""
	}
	table, _ := server(all)
	then, ok := t.startedBy(argvOf([]byte(cli.Marshal(table))), "mcp")
	w := tablesWritten{Server: serverMap(then.codexServer()), Hashes: make(map[string]string)}
	if !ok || !starts(table, w.Server) || len(table) != len(w.Server) {
		return ""
	}
	for key, value := range w.Server {
		if !reflect.DeepEqual(table[key], valueOf(value)) {
			return ""
		}
	}
	inside := false
	for _, s := range statements(text) {
		if t.mark(s) {
			inside = strings.TrimSpace(s.text) == t.Begin
		}
		if hook, ok := s.hook(); ok && inside {
			if hash, alone := hashIn(all, hook); alone {
				w.Hashes[hook] = hash
			}
		}
	}
	return cli.Marshal(w)
}

func (t tables) Add(text []byte, wrote string) ([]byte, error) {
	all, err := decode(text)
	if err != nil {
		return nil, err
	}
	c := change{tables: t, list: statements(text), all: all}
	if c.was = readWritten(wrote); wrote == "" {
		c.was.Server = nil
	}
	table, there := server(all)
	switch {
	case !there && closed(c.list, "mcp_servers"):
		err = errors.New("mcp_servers is written on one line, to which no table can be added; write it as tables")
	case !there:
		c.pieces = append(c.pieces, tableText("mcp_servers."+serverName, t.codexServer()))
	case wrote != "":
		err = c.merge(table)
	case !starts(table, serverMap(t.codexServer())):
		err = fmt.Errorf("mcp_servers.%s is there already, and not as Signalbox wrote it", serverName)
	}
	if err != nil {
		return nil, err
	}
	c.trust()
	if !c.changed && len(c.pieces) == 0 {
		return text, nil
	}
	out, err := c.insert()
	if err != nil {
		return nil, err
	}
	return out, same(text, out, func(all map[string]any) { c.apply(all, there) })
}

func tableText(name string, pairs []pair) string {
	text := "[" + name + "]\n"
	for _, p := range pairs {
		text += p.key + " = " + p.value + "\n"
	}
	return text
}

// sub returns a table in a table, and makes it if it is missing.
func sub(all map[string]any, name string) map[string]any {
	table, ok := all[name].(map[string]any)
	if !ok {
		table = make(map[string]any)
		all[name] = table
	}
	return table
}

// stateOf returns what Codex knows of hooks, by hook.
func stateOf(all map[string]any) map[string]any {
	hooks, _ := all["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	return state
}

func (t tables) Remove(text []byte, wrote string) ([]byte, error) {
	all, err := decode(text)
	if err != nil || wrote == "" {
		return text, err
	}
	was := readWritten(wrote)
	gone := make(map[string]bool)
	for hook, old := range was.Hashes {
		have, alone := hashIn(all, hook)
		gone[hook] = alone && have == old
	}
	list := cut(statements(text), func(s statement) bool {
		hook, ok := s.hook()
		return ok && gone[hook] || len(s.path) > 1 && s.path[0] == "mcp_servers" && s.path[1] == serverName
	})
	out := []byte(join(t.unmarked(list)))
	return out, same(text, out, func(all map[string]any) {
		if servers, ok := all["mcp_servers"].(map[string]any); ok {
			delete(servers, serverName)
		}
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
