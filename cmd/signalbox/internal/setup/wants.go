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

// editor changes one thing in a text. What setup wrote of it before is given back to it as
// mine, by which it tells what is Signalbox's from what only looks like it. "" means that
// nothing there is.
type editor interface {
	// Find reports whether the text has the thing, whoever wrote it. mine is what is
	// remembered to have been written, if that is still there, else what is there if it is,
	// byte for byte, what a version of setup writes.
	Find(text []byte, wrote string) (there bool, mine string, err error)
	// Add returns the text with the thing in it. What a person changed of it stays, and
	// what is somebody else's is not touched.
	Add(text []byte, mine string) ([]byte, error)
	// Remove returns the text without what was written.
	Remove(text []byte, mine string) ([]byte, error)
	// Wrote returns what is to be remembered after Add.
	Wrote(mine string) string
}

// find finds a thing in a text. memory is nil where nothing is remembered of the file.
func (w want) find(text []byte, memory map[string]string) (there bool, mine string, err error) {
	wrote := memory[w.id]
	there, mine, err = w.edit.Find(text, wrote)
	if _, weak := w.edit.(rule); weak && memory != nil && wrote == "" {
		mine = ""
	}
	return there, mine, err
}

// state reports whether a text has the thing, and whether Add would leave it as it is.
func (w want) state(text []byte, memory map[string]string) (there, equal bool, err error) {
	there, mine, err := w.find(text, memory)
	if err != nil {
		return false, false, err
	}
	out, err := w.edit.Add(text, mine)
	return there || mine != "", err == nil && bytes.Equal(out, text), err
}

// program is what starts us: the member at a path, or a command among those that run at an
// event. A command of a person's that is no word longer than ours is as good; one that only
// ends in ours is another.
type program struct {
	machine
	path  []string
	event bool
	// words are what it runs of ours, such as "hook claude".
	words string
	value func(machine) any
	// other is what is written with another setting, or was by an earlier version. It may be
	// nil.
	other func(machine) any
	// matcher is for which tools the event is told of, "" for all.
	matcher string
}

// with returns the want of a program with something else in it.
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

// first returns the first value for which a function holds, nil if there is none.
func (e program) first(text []byte, is func(v []byte) bool) ([]byte, error) {
	v, err := e.at(is).Find(text)
	if err != nil || v == nil || !is(v) {
		return nil, err
	}
	return v, nil
}

// written returns which value setup wrote: the one that is like it, else the one that runs
// the same, else one that a version of setup writes, though nobody remembers it.
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

// earlier returns a value if it is what a version of setup writes, or "".
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

// runs reports whether a value starts what ours does.
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

// argvOf returns the program that a value starts, and its arguments.
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

// rule is a text in a list. A person may have it there, too, so that without a memory it
// counts as ours only beside a hook of ours.
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

// section is a marked section of a text for people. What a person wrote between the marks
// stays.
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
