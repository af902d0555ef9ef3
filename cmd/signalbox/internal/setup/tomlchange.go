package setup

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// change is a change of Codex's configuration.
type change struct {
	tables
	list    []statement
	all     map[string]any
	was     tablesWritten
	changed bool
	// set are the keys of our server's table that are given another value, and pieces the
	// tables that are added.
	set    []pair
	hashes map[string]*string
	pieces []string
}

// merge gives the keys of our table the values that are wanted now, where they are as they
// were written.
func (c *change) merge(table map[string]any) error {
	for _, p := range c.codexServer() {
		have, there := table[p.key]
		old, wrote := c.was.Server[p.key]
		if reflect.DeepEqual(have, valueOf(p.value)) || there != wrote || wrote && !reflect.DeepEqual(have, valueOf(old)) {
			continue
		}
		if err := c.put(p, old); err != nil {
			return err
		}
		c.set, c.changed = append(c.set, p), true
	}
	return nil
}

var errLayout = errors.New("it is laid out in a way in which Signalbox's tables cannot be changed alone; change them by hand")

// put writes a value in the place of the old one, or a key that was never written behind
// the table's header.
func (c *change) put(p pair, old string) error {
	ours := false
	for i := range c.list {
		s := &c.list[i]
		if s.header {
			ours = slices.Equal(s.path, []string{"mcp_servers", serverName})
			if ours && old == "" {
				end := "\n"
				if strings.HasSuffix(s.text, "\r\n") {
					end = "\r\n"
				}
				s.text = strings.TrimRight(s.text, "\r\n") + end + p.key + " = " + p.value + end
				return nil
			}
		}
		if ours && slices.Equal(s.path, []string{p.key}) && strings.Contains(s.text, old) && old != "" {
			s.text = strings.Replace(s.text, old, p.value, 1)
			return nil
		}
	}
	return errLayout
}

// trust adds the hashes that are wanted, gives those of ours that changed their new value,
// and removes those of ours that no hook has any more. What a person said of a hook stays.
func (c *change) trust() {
	if c.tables.hashes == nil {
		return
	}
	c.hashes = make(map[string]*string)
	for _, hook := range slices.Sorted(maps.Keys(c.tables.hashes)) {
		hash := c.tables.hashes[hook]
		have, alone := hashIn(c.all, hook)
		_, said := stateOf(c.all)[hook]
		switch {
		case !said && closed(c.list, "hooks", "state"):
			continue
		case !said:
			c.pieces = append(c.pieces, tableText("hooks.state."+quoteTOML(hook), []pair{{"trusted_hash", quoteTOML(hash)}}))
		case have == hash || !alone || c.was.Hashes[hook] != have:
			continue
		case !c.replaceHash(hook, have, hash):
			continue
		}
		c.hashes[hook] = &hash
	}
	for hook, old := range c.was.Hashes {
		_, wanted := c.tables.hashes[hook]
		if have, alone := hashIn(c.all, hook); !wanted && alone && have == old {
			c.list = cut(c.list, func(s statement) bool { h, ok := s.hook(); return ok && h == hook })
			c.hashes[hook], c.changed = nil, true
		}
	}
}

func (c *change) replaceHash(hook, old, hash string) bool {
	inside := false
	for i := range c.list {
		s := &c.list[i]
		if s.header {
			h, ok := s.hook()
			inside = ok && h == hook
		}
		if inside && !s.header && strings.Contains(s.text, quoteTOML(old)) {
			s.text = strings.Replace(s.text, quoteTOML(old), quoteTOML(hash), 1)
			c.changed = true
			return true
		}
	}
	return false
}

// insert returns the text with the new tables between the marks, or with a new section.
func (c *change) insert() ([]byte, error) {
	if len(c.pieces) == 0 {
		return []byte(join(c.list)), nil
	}
	b := c.Block
	b.Text = strings.Join(c.pieces, "\n")
	at := slices.IndexFunc(c.list, func(s statement) bool { return strings.TrimSpace(s.text) == b.End })
	if at <= 0 || !slices.ContainsFunc(c.list[:at], c.mark) {
		return b.Add([]byte(join(c.list)))
	}
	end := "\n"
	if strings.HasSuffix(c.list[at-1].text, "\r\n") {
		end = "\r\n"
	}
	text := strings.ReplaceAll(b.Text, "\n", end)
	if !c.mark(c.list[at-1]) {
		text = end + text
	}
	return []byte(join(slices.Insert(c.list, at, statement{text: text}))), nil
}

// apply does to a file as it was understood what was done to its text.
func (c *change) apply(all map[string]any, there bool) {
	set := c.set
	if !there {
		set = c.codexServer()
		sub(sub(all, "mcp_servers"), serverName)
	}
	table, _ := server(all)
	for _, p := range set {
		table[p.key] = valueOf(p.value)
	}
	for hook, hash := range c.hashes {
		state := sub(sub(all, "hooks"), "state")
		if hash == nil {
			delete(state, hook)
		} else {
			state[hook] = map[string]any{"trusted_hash": *hash}
		}
	}
}

// same returns an error if two texts differ in anything else than a change.
func same(before, after []byte, change func(all map[string]any)) error {
	a, err := decode(before)
	if err != nil {
		return err
	}
	b, err := decode(after)
	if err != nil {
		return errLayout
	}
	if a == nil {
		a = make(map[string]any)
	}
	change(a)
	if !reflect.DeepEqual(pruned(a), pruned(b)) {
		return errLayout
	}
	return nil
}

// pruned removes tables of lists that are empty.
func pruned(all map[string]any) map[string]any {
	hooks, _ := all["hooks"].(map[string]any)
	for _, in := range []struct {
		table map[string]any
		name  string
	}{{hooks, "state"}, {all, "hooks"}, {all, "mcp_servers"}} {
		if v, ok := in.table[in.name].(map[string]any); ok && len(v) == 0 {
			delete(in.table, in.name)
		}
	}
	if all == nil {
		return map[string]any{}
	}
	return all
}
