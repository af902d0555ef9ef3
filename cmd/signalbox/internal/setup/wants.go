package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

// editor changes one thing in a text. What it wrote there before is given back to it, as it
// returned it then: by that it tells what is Signalbox's from what only looks like it. ""
// means that it wrote nothing, or that nobody remembers.
type editor interface {
	// Add returns the text with the thing in it. What a person changed of it stays, and
	// what is somebody else's is not touched.
	Add(text []byte, wrote string) ([]byte, error)
	// Has reports whether the text has the thing, whoever wrote it.
	Has(text []byte) (bool, error)
	// Remove returns the text without what was written.
	Remove(text []byte, wrote string) ([]byte, error)
	// Wrote returns what is to be remembered after Add.
	Wrote(before string) string
	// Owns reports whether what was written is still there.
	Owns(text []byte, wrote string) bool
	// Earlier returns what was written if what is there is, byte for byte, what a version
	// of setup writes, though nobody remembers it.
	Earlier(text []byte) string
}

// mine returns what setup wrote of a thing that is there. memory is nil where nothing is
// remembered of the file.
func (w want) mine(text []byte, memory map[string]string) string {
	if wrote := memory[w.id]; wrote != "" && w.edit.Owns(text, wrote) {
		return wrote
	}
	if _, weak := w.edit.(rule); weak && memory != nil {
		return ""
	}
	return w.edit.Earlier(text)
}

// state reports whether a text has the thing, and whether Add would leave it as it is.
func (w want) state(text []byte, memory map[string]string) (there, equal bool, err error) {
	if there, err = w.edit.Has(text); err != nil {
		return false, false, err
	}
	mine := w.mine(text, memory)
	out, err := w.edit.Add(text, mine)
	return there || mine != "", err == nil && bytes.Equal(out, text), err
}

// member is our server, a member of a client's list of servers.
type member struct {
	machine
	path  []string
	value func(machine) any
}

func (e member) at(wrote string) edit.JSON {
	j := edit.JSON{Path: e.path, Value: e.value(e.machine)}
	if wrote != "" {
		j.Was = json.RawMessage(wrote)
	}
	return j
}

func (e member) Add(text []byte, wrote string) ([]byte, error) {
	have, err := e.at("").Find(text)
	switch {
	case err != nil:
		return nil, err
	case have == nil, wrote != "":
		return e.at(wrote).Add(text)
	case sameProgram(have, []byte(cli.Marshal(e.value(e.machine)))):
		return text, nil // a person wrote it
	}
	return nil, fmt.Errorf("%s is there already, and not as Signalbox wrote it", strings.Join(e.path, "."))
}

func (e member) Has(text []byte) (bool, error) {
	have, err := e.at("").Find(text)
	return have != nil, err
}

func (e member) Remove(text []byte, wrote string) ([]byte, error) {
	if wrote == "" {
		return text, nil
	}
	return e.at("").Remove(text)
}

func (e member) Wrote(string) string { return cli.Marshal(e.value(e.machine)) }

func (e member) Owns(text []byte, wrote string) bool {
	have, err := e.at("").Find(text)
	return err == nil && have != nil && sameProgram(have, []byte(wrote))
}

func (e member) Earlier(text []byte) string {
	have, err := e.at("").Find(text)
	if err != nil || have == nil {
		return ""
	}
	then, ok := e.startedBy(argvOf(have), "mcp")
	if value := cli.Marshal(e.value(then)); ok && edit.Same(have, []byte(value)) {
		return value
	}
	return ""
}

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

// hook is our command among those that run at an event. A command of a person's that is no
// word longer than ours is as good; one that only ends in ours is another.
type hook struct {
	machine
	path    []string
	client  string
	timeout int
}

func (e hook) words() string { return "hook " + e.client }

func (e hook) value(m machine) hookCommand {
	return hookCommand{Type: "command", Command: m.shell(e.words()), Timeout: e.timeout}
}

func (e hook) at(is func(item []byte) bool) edit.JSON {
	return edit.JSON{Path: e.path, List: "hooks", Item: is, Value: e.value(e.machine)}
}

func runs(command string) func(item []byte) bool {
	return func(item []byte) bool {
		argv := argvOf(item)
		return len(argv) == 1 && argv[0] == command
	}
}

// written returns where what was written is: the item that is like it, else the one that
// runs the same.
func (e hook) written(text []byte, wrote string) edit.JSON {
	whole := e.at(func(item []byte) bool { return edit.Same(item, []byte(wrote)) })
	if item, err := whole.Find(text); err == nil && item != nil {
		return whole
	}
	if argv := argvOf([]byte(wrote)); len(argv) == 1 {
		return e.at(runs(argv[0]))
	}
	return e.at(func([]byte) bool { return false })
}

func (e hook) Add(text []byte, wrote string) ([]byte, error) {
	own := e.at(runs(e.value(e.machine).Command))
	there, err := own.Find(text)
	switch {
	case err != nil:
		return nil, err
	case there != nil:
		return text, nil
	case wrote == "":
		return own.Add(text)
	}
	j := e.written(text, wrote)
	j.Was = json.RawMessage(wrote)
	return j.Add(text)
}

func (e hook) Has(text []byte) (bool, error) {
	item, err := e.at(runs(e.value(e.machine).Command)).Find(text)
	return item != nil, err
}

func (e hook) Remove(text []byte, wrote string) ([]byte, error) {
	if wrote == "" {
		return text, nil
	}
	return e.written(text, wrote).Remove(text)
}

func (e hook) Wrote(string) string { return cli.Marshal(e.value(e.machine)) }

func (e hook) Owns(text []byte, wrote string) bool {
	item, err := e.written(text, wrote).Find(text)
	return err == nil && item != nil
}

func (e hook) Earlier(text []byte) (wrote string) {
	_, _ = e.at(func(item []byte) bool {
		argv := argvOf(item)
		if len(argv) != 1 {
			return false
		}
		then, ok := e.started(argv[0], e.words())
		value := cli.Marshal(e.value(then))
		if ok = ok && edit.Same(item, []byte(value)); ok {
			wrote = value
		}
		return ok
	}).Find(text)
	return wrote
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

func (e rule) Add(text []byte, _ string) ([]byte, error) { return e.at().Add(text) }

func (e rule) Has(text []byte) (bool, error) {
	item, err := e.at().Find(text)
	return item != nil, err
}

func (e rule) Remove(text []byte, wrote string) ([]byte, error) {
	if wrote == "" {
		return text, nil
	}
	return e.at().Remove(text)
}

func (e rule) Wrote(string) string { return e.text }

func (e rule) Owns(text []byte, _ string) bool {
	there, err := e.Has(text)
	return err == nil && there
}

func (e rule) Earlier(text []byte) string {
	if e.beside.Earlier(text) == "" || !e.Owns(text, "") {
		return ""
	}
	return e.text
}
