package setup

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// tables are our tables in Codex's configuration, in a marked section at its end. Codex
// writes the file, too, and takes no heed of the marks: what it puts between them stays,
// and our tables are found wherever they are. The file has to say the same before and
// after but for them.
type tables struct {
	edit.Block
	machine
	// hooks is the file whose hooks our section trusts.
	hooks string
}

// server returns our server's table in a file, nil if there is none.
func server(all map[string]any) (table map[string]any, there bool) {
	servers, ok := all["mcp_servers"].(map[string]any)
	if !ok {
		return nil, false
	}
	v, there := servers[serverName]
	table, _ = v.(map[string]any)
	return table, there
}

func decode(text []byte) (all map[string]any, err error) {
	if _, err := toml.Decode(string(text), &all); err != nil {
		return nil, fmt.Errorf("is no TOML: %w", err)
	}
	return all, nil
}

// mine returns an error if a server of our name is there that is somebody else's.
func (t tables) mine(all map[string]any) (there bool, err error) {
	table, there := server(all)
	if !there {
		return false, nil
	}
	command, _ := table["command"].(string)
	args, _ := table["args"].([]any)
	line := command
	for _, a := range args {
		line += " " + fmt.Sprint(a)
	}
	if !t.runs(line, "mcp") {
		return true, fmt.Errorf("mcp_servers.%s is there already, and not Signalbox's", serverName)
	}
	return true, nil
}

func (t tables) Has(text []byte) (there, equal bool, err error) {
	all, err := decode(text)
	if err != nil {
		return false, false, err
	}
	if there, err = t.mine(all); !there || err != nil {
		return false, false, err
	}
	wanted, err := decode([]byte(t.Text))
	if err != nil {
		return false, false, err
	}
	have, _ := server(all)
	want, _ := server(wanted)
	equal = true
	for name, v := range want {
		equal = equal && reflect.DeepEqual(have[name], v)
	}
	for key := range states(wanted) {
		equal = equal && reflect.DeepEqual(states(all)[key], states(wanted)[key])
	}
	return true, equal, nil
}

// states returns what Codex knows of hooks, by hook.
func states(all map[string]any) map[string]any {
	hooks, _ := all["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	return state
}

// inline finds a list of servers that TOML closes: no table may be added to it, though not
// every reader says so.
var inline = regexp.MustCompile(`(?m)^\s*"?mcp_servers"?\s*=`)

func (t tables) Add(text []byte) ([]byte, error) {
	if _, equal, err := t.Has(text); equal || err != nil {
		return text, err
	}
	if inline.Match(text) {
		return nil, errors.New("mcp_servers is written on one line, to which no table can be added; write it as tables")
	}
	rest, err := t.Remove(text)
	if err != nil {
		return nil, err
	}
	out, err := t.Block.Add(rest)
	if err != nil {
		return nil, err
	}
	if _, equal, err := t.Has(out); !equal || err != nil {
		return nil, errors.Join(errors.New("the section would not be read"), err)
	}
	return out, t.same(text, out)
}

func (t tables) Remove(text []byte) ([]byte, error) {
	all, err := decode(text)
	if err != nil {
		return nil, err
	}
	if _, err := t.mine(all); err != nil {
		return nil, err
	}
	out := t.cut(text)
	return out, t.same(text, out)
}

// cut removes our tables and the marks, with the empty line before each.
func (t tables) cut(text []byte) []byte {
	var out []byte
	inside, ours := false, false
	for line := range bytes.Lines(text) {
		bare := strings.TrimSpace(string(line))
		switch {
		case bare == t.Begin, bare == t.End:
			inside, ours = bare == t.Begin, false
			out = trimBlank(out)
			continue
		case strings.HasPrefix(bare, "["):
			if ours = t.header(bare, inside); ours {
				out = trimBlank(out)
			}
		case bare == "", strings.HasPrefix(bare, "#"):
			ours = false
		}
		if !ours {
			out = append(out, line...)
		}
	}
	return out
}

// header reports whether a line begins a table of ours. What trusts hooks is ours between
// the marks alone: a person trusts hooks of the same file elsewhere.
func (t tables) header(line string, inside bool) bool {
	name := strings.TrimLeft(line, "[ \t")
	for _, own := range []string{"mcp_servers." + serverName, `mcp_servers."` + serverName + `"`} {
		if rest, ok := strings.CutPrefix(name, own); ok && (strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, ".")) {
			return true
		}
	}
	return inside && strings.HasPrefix(name, "hooks.state.")
}

// trimBlank removes an empty line at the end of a text.
func trimBlank(text []byte) []byte {
	for _, end := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(text, []byte(end+end)) {
			return text[:len(text)-len(end)]
		}
	}
	return text
}

// same returns an error if two texts say different things, but for our tables.
func (t tables) same(before, after []byte) error {
	a, err := decode(before)
	if err != nil {
		return err
	}
	b, err := decode(after)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(t.without(a), t.without(b)) {
		return errors.New("it is laid out in a way in which Signalbox's tables cannot be changed alone; change them by hand")
	}
	return nil
}

// without returns a file without our tables, and without tables that are empty then.
func (t tables) without(all map[string]any) map[string]any {
	if servers, ok := all["mcp_servers"].(map[string]any); ok {
		delete(servers, serverName)
		if len(servers) == 0 {
			delete(all, "mcp_servers")
		}
	}
	hooks, _ := all["hooks"].(map[string]any)
	state := states(all)
	maps.DeleteFunc(state, func(key string, _ any) bool { return strings.HasPrefix(key, t.hooks+":") })
	if state != nil && len(state) == 0 {
		delete(hooks, "state")
		if len(hooks) == 0 {
			delete(all, "hooks")
		}
	}
	return all
}
