package setup

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// change is a change to Codex's configuration.
type change struct {
	tables
	list []statement
	all  map[string]any
	was  tablesWritten
	// set are the keys of our server's table that get another value, and told the new
	// hashes of hooks, "" for removed ones. pieces are the tables that are added.
	set    []pair
	told   map[string]string
	pieces []string
}

var errLayout = errors.New("it is laid out in a way in which Signalbox's tables cannot be changed alone; change them by hand")

// merge sets the keys of our table to their new values, unless somebody else changed them.
func (c *change) merge(table map[string]any) error {
	for _, p := range c.codexServer() {
		have, there := table[p.key]
		old, wrote := c.was.Server[p.key]
		if reflect.DeepEqual(have, valueOf(p.value)) || there != wrote || wrote && !reflect.DeepEqual(have, valueOf(old)) {
			continue
		}
		if !c.put(p, old, "mcp_servers", serverName) {
			return errLayout
		}
		c.set = append(c.set, p)
	}
	return nil
}

// put replaces the old value of a key in a table, or adds the key after the table's header
// if there is no old value. It reports whether it could.
func (c *change) put(p pair, old string, table ...string) bool {
	inside := false
	for i := range c.list {
		s := &c.list[i]
		switch {
		case s.header:
			if inside = slices.Equal(s.path, table); inside && old == "" {
				s.text = strings.TrimRight(s.text, "\r\n") + lineEnd(s.text) + p.key + " = " + p.value + lineEnd(s.text)
				return true
			}
		case inside && old != "" && slices.Equal(s.path, []string{p.key}) && strings.Contains(s.text, old):
			s.text = strings.Replace(s.text, old, p.value, 1)
			return true
		}
	}
	return false
}

// trust adds the hashes of our hooks, updates ours that changed, and removes ours whose
// hook is gone. It does not touch a person's own settings of a hook.
func (c *change) trust() {
	if c.hashes == nil {
		return
	}
	for _, hook := range slices.Sorted(maps.Keys(c.hashes)) {
		p := pair{"trusted_hash", quoteTOML(c.hashes[hook])}
		have, alone := hashIn(c.all, hook)
		_, there := stateOf(c.all)[hook]
		switch {
		case !there && closed(c.list, "hooks", "state"):
			continue
		case !there:
			c.pieces = append(c.pieces, tableText("hooks.state."+quoteTOML(hook), []pair{p}))
		case have == c.hashes[hook] || !alone || c.was.Hashes[hook] != have || !c.put(p, quoteTOML(have), "hooks", "state", hook):
			continue
		}
		c.told[hook] = c.hashes[hook]
	}
	for hook, old := range c.was.Hashes {
		have, alone := hashIn(c.all, hook)
		if _, wanted := c.hashes[hook]; !wanted && alone && have == old {
			c.list = cut(c.list, func(s statement) bool { h, ok := s.hook(); return ok && h == hook })
			c.told[hook] = ""
		}
	}
}

// insert returns the text with the new tables added before the end mark. If the text has no marked
// section, it adds one.
func (c *change) insert() ([]byte, error) {
	if len(c.pieces) == 0 {
		return []byte(join(c.list)), nil
	}
	b, text := c.Block, strings.Join(c.pieces, "\n")
	endMark := slices.IndexFunc(c.list, func(s statement) bool { return strings.TrimSpace(s.text) == b.End })
	if endMark <= 0 || !slices.ContainsFunc(c.list[:endMark], c.mark) {
		b.Text = text
		return b.Add([]byte(join(c.list)))
	}
	before := c.list[endMark-1]
	end := lineEnd(before.text)
	text = strings.ReplaceAll(text, "\n", end)
	if !c.mark(before) { // the section is not empty
		text = end + text
	}
	return []byte(join(slices.Insert(c.list, endMark, statement{text: text}))), nil
}

// lineEnd returns the end of a line.
func lineEnd(line string) string {
	if strings.HasSuffix(line, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// apply makes the same change to the decoded file that was made to its text.
func (c *change) apply(all map[string]any) {
	for _, p := range c.set {
		sub(sub(all, "mcp_servers"), serverName)[p.key] = valueOf(p.value)
	}
	for hook, hash := range c.told {
		state := sub(sub(all, "hooks"), "state")
		if state[hook] = map[string]any{"trusted_hash": hash}; hash == "" {
			delete(state, hook)
		}
	}
}

// sub returns a table in a table, and adds it if it is missing.
func sub(all map[string]any, name string) map[string]any {
	table, ok := all[name].(map[string]any)
	if !ok {
		table = make(map[string]any)
		all[name] = table
	}
	return table
}

// checkOnly returns an error unless after decodes to before with apply made to it. Empty tables do
// not count.
func checkOnly(before, after []byte, apply func(all map[string]any)) error {
	a, err := decode(before)
	if err != nil {
		return err
	}
	b, err := decode(after)
	if err != nil {
		return errLayout
	}
	apply(a)
	if !reflect.DeepEqual(pruned(a), pruned(b)) {
		return errLayout
	}
	return nil
}

// pruned removes empty tables.
func pruned(all map[string]any) map[string]any {
	for name, v := range all {
		if table, ok := v.(map[string]any); ok && len(pruned(table)) == 0 {
			delete(all, name)
		}
	}
	return all
}
