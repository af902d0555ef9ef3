package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// editor changes one thing in a text. mine is what setup wrote of it before, which distinguishes
// Signalbox's own text from text that only looks like it. It is "" if nothing there is Signalbox's.
type editor interface {
	// Find reports whether the text has the thing, whoever wrote it. mine is what the
	// journal says was written, if that is still there, or otherwise the text there, if a
	// version of setup writes exactly that.
	Find(text []byte, wrote string) (there bool, mine string, err error)
	// Add returns the text with the thing in it. It keeps a person's changes to the thing,
	// and does not touch anything of others.
	Add(text []byte, mine string) ([]byte, error)
	// Remove returns the text without what setup wrote.
	Remove(text []byte, mine string) ([]byte, error)
	// Wrote returns what the journal saves after Add.
	Wrote(mine string) string
}

// find is Find of the editor. memory is what the journal has of the file, or nil.
func (w want) find(text []byte, memory map[string]string) (there bool, mine string, err error) {
	wrote := memory[w.id]
	there, mine, err = w.edit.Find(text, wrote)
	if _, weak := w.edit.(rule); weak && memory != nil && wrote == "" {
		mine = ""
	}
	return there, mine, err
}

// state reports whether a text has the thing, and whether Add would change nothing.
func (w want) state(text []byte, memory map[string]string) (there, equal bool, err error) {
	there, mine, err := w.find(text, memory)
	if err != nil {
		return false, false, err
	}
	out, err := w.edit.Add(text, mine)
	return there || mine != "", err == nil && bytes.Equal(out, text), err
}

// program is an entry that starts Signalbox: the member at a path, or a command among those
// of an event. A person's own command counts if it has the same words as ours, but not if it
// only ends in them.
type program struct {
	machine
	path  []string
	event bool
	// words is the Signalbox command that it runs, such as "hook claude".
	words string
	value func(machine) any
	// other is the value that another setting or an earlier version writes. It may be nil.
	other func(machine) any
	// matcher selects the tools for which the event runs the command, "" for all.
	matcher string
}

// with returns the want with its program changed.
func (w want) with(change func(*program)) want {
	e, _ := w.edit.(program)
	change(&e)
	w.edit = e
	return w
}

func (e program) at(is func(v []byte) bool) edit.JSON {
	if e.event {
		return edit.JSON{Path: e.path, List: "hooks", Matcher: e.matcher, Item: is, Value: e.value(e.machine)}
	}
	return edit.JSON{Path: e.path, Value: e.value(e.machine)}
}

// first returns the first value for which is holds, or nil.
func (e program) first(text []byte, is func(v []byte) bool) ([]byte, error) {
	v, err := e.at(is).Find(text)
	if err != nil || v == nil || !is(v) {
		return nil, err
	}
	return v, nil
}

// written returns the value that setup wrote, and a function that recognises it: the value
// that equals wrote, or that runs the same program, or that a version of setup writes
// although the journal does not have it.
func (e program) written(text []byte, wrote string) (is func(v []byte) bool, mine string) {
	for _, like := range []func(a, b []byte) bool{edit.Same, sameProgram} {
		is = func(v []byte) bool { return like(v, []byte(wrote)) }
		if v, err := e.first(text, is); v != nil && err == nil {
			return is, wrote
		}
	}
	is = func(v []byte) bool { mine = e.earlier(v); return mine != "" }
	_, _ = e.first(text, is)
	return is, mine
}

// earlier returns the value as setup writes it if a version of setup wrote it, or "".
func (e program) earlier(v []byte) string {
	argv := argvOf(v)
	then, ok := e.startedBy(argv, e.words)
	if e.event && len(argv) == 1 {
		then, ok = e.started(argv[0], e.words)
	}
	for _, value := range []func(machine) any{e.value, e.other} {
		if ok && value != nil && edit.Same(v, []byte(cli.Marshal(value(then)))) {
			return cli.Marshal(value(then))
		}
	}
	return ""
}

func (e program) Find(text []byte, wrote string) (bool, string, error) {
	v, err := e.first(text, func(v []byte) bool { return !e.event || e.runs(v) })
	_, mine := e.written(text, wrote)
	return v != nil, mine, err
}

// runs reports whether a value starts the same program as ours.
func (e program) runs(v []byte) bool { return sameProgram(v, []byte(e.Wrote(""))) }

func (e program) Add(text []byte, mine string) ([]byte, error) {
	v, err := e.first(text, e.runs)
	if err != nil {
		return nil, err
	}
	is, mine := e.written(text, mine)
	j := e.at(is)
	switch {
	case v != nil && (mine == "" || e.event && !sameProgram(v, []byte(mine))):
		return text, nil
	case mine != "":
		j.Was = json.RawMessage(mine)
		return j.Add(text)
	case e.event:
		return e.at(e.runs).Add(text)
	}
	if v, err := j.Find(text); v != nil || err != nil {
		return nil, cmp.Or(err, fmt.Errorf("%s is there already, and not as Signalbox wrote it", strings.Join(e.path, ".")))
	}
	return j.Add(text)
}

func (e program) Remove(text []byte, mine string) ([]byte, error) {
	is, mine := e.written(text, mine)
	if mine == "" {
		return text, nil
	}
	return e.at(is).Remove(text)
}

func (e program) Wrote(string) string { return cli.Marshal(e.value(e.machine)) }

// argvOf returns the program that a value starts, followed by its arguments.
func argvOf(value []byte) (argv []string) {
	var v struct {
		Command any      `json:"command"`
		Args    []string `json:"args"`
	}
	if !edit.Decode(value, &v) {
		return nil
	}
	switch c := v.Command.(type) {
	case string:
		argv = []string{c}
	case []any:
		for _, word := range c {
			argv = append(argv, fmt.Sprint(word))
		}
	}
	return append(argv, v.Args...)
}

func sameProgram(a, b []byte) bool {
	one, two := argvOf(a), argvOf(b)
	return len(one) > 0 && cli.Marshal(one) == cli.Marshal(two)
}

// rule is a text in a list. A person may have added it too: without a journal it counts as
// ours only if one of our hooks is in the file.
type rule struct {
	path   []string
	text   string
	beside editor
}

func (e rule) at() edit.JSON {
	return edit.JSON{Path: e.path, Value: e.text, Item: func(item []byte) bool { return edit.Same(item, []byte(cli.Marshal(e.text))) }}
}

func (e rule) Find(text []byte, wrote string) (there bool, mine string, err error) {
	item, err := e.at().Find(text)
	if item == nil || err != nil {
		return false, "", err
	}
	if _, ours, _ := e.beside.Find(text, ""); ours != "" {
		wrote = e.text
	}
	return true, wrote, nil
}

func (e rule) Add(text []byte, _ string) ([]byte, error) { return e.at().Add(text) }

func (e rule) Remove(text []byte, mine string) ([]byte, error) {
	if mine == "" {
		return text, nil
	}
	return e.at().Remove(text)
}

func (e rule) Wrote(string) string { return e.text }

// section is a marked section of a text for people. It keeps a person's own lines between
// the marks.
type section struct{ edit.Block }

func (e section) Find(text []byte, wrote string) (there bool, mine string, err error) {
	if there, _, err = e.Has(text); there {
		mine = cmp.Or(wrote, e.Text)
	}
	return there, mine, err
}

func (e section) Add(text []byte, mine string) ([]byte, error) {
	was := e.Block
	was.Text = mine
	there, equal, err := was.Has(text)
	if there && !equal || err != nil {
		return text, err
	}
	return e.Block.Add(text)
}

func (e section) Remove(text []byte, mine string) ([]byte, error) {
	e.Text = mine
	return e.Block.Remove(text)
}

func (e section) Wrote(string) string { return e.Text }
