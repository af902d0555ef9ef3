// Package risk says what an agent's request would do that is hard to undo or hard to see: a
// fixed list of things, as far as the text of a command, or the file that a tool writes, tells
// them. What is not found is not safe: a script that is run is not read, and neither is a program.
//
// Start with [Of]. It is pure: paths are judged by their text, and nothing is looked up on the
// disk. Of this project the package imports nothing.
//
// The text of commands is read by a lexer of its own. A whole parser (mvdan.cc/sh) refuses what
// it does not know, such as another shell's syntax, and then nothing would be found.
package risk

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Level says how much a risk can destroy.
type Level string

// The levels.
const (
	Red    Level = "red"
	Yellow Level = "yellow"
)

// Kind is what a risk is.
type Kind string

// The kinds.
const (
	ForcePush      Kind = "forcePush"
	DeletesOutside Kind = "deletesOutside"
	Deletes        Kind = "deletes"
	Drops          Kind = "drops"
	Sudo           Kind = "sudo"
	Downloads      Kind = "downloads"
	Hidden         Kind = "hidden"
	WritesOutside  Kind = "writesOutside"
)

// Risk is one thing that a request would do. Its text has parts of the request in it, which are a
// stranger's.
type Risk struct {
	Level Level
	Kind  Kind
	// Text is a sentence: "Force push: rewrites main on origin."
	Text string
	// Line is where it stands in a command with several lines, from 1, or 0.
	Line int
}

// Request is the use of a tool that an agent asks for.
type Request struct {
	// Tool is the program's name for the tool.
	Tool string
	// Args are its arguments: a text, or JSON.
	Args []Arg
	// Folder is where it runs, Worktree the root of the work tree there, and Home the user's
	// own folder; each may be empty. They are paths of the agent's system.
	Folder, Worktree, Home string
	// Windows is set if that is Windows.
	Windows bool
	// Hidden is set if characters that cannot be seen are in the texts.
	Hidden bool
}

// Arg is one argument of a tool.
type Arg struct{ Name, Text string }

// maxRisks is how many risks of each level are returned.
const maxRisks = 20

// Of returns the risks of a request, the worst first, in the order of its text otherwise. Of one
// kind with one text there is one.
func Of(r *Request) []Risk {
	j := &judge{places: placesOf(r)}
	for _, a := range r.Args {
		switch {
		case slices.Contains(commandNames, a.Name) && strings.HasPrefix(a.Text, "*** Begin Patch"),
			slices.Contains(patchNames, a.Name) && strings.Contains(a.Text, "*** Begin Patch"):
			j.patch(a.Text)
		case slices.Contains(commandNames, a.Name):
			j.shell(a.Text, r)
		case slices.Contains(sqlNames, a.Name):
			j.lines = strings.Contains(a.Text, "\n")
			j.sql(word{text: a.Text, line: 1})
		case slices.Contains(pathNames, a.Name) && writes(r.Tool):
			j.write(word{text: a.Text})
		}
	}
	if r.Hidden {
		j.add(Risk{Level: Red, Kind: Hidden, Text: "Has invisible or misleading characters, shown as their numbers."})
	}
	slices.SortStableFunc(j.found, func(a, b Risk) int { return cmp.Compare(rank(a.Level), rank(b.Level)) })
	return j.found
}

func rank(l Level) int {
	if l == Red {
		return 0
	}
	return 1
}

// The names that programs have for the arguments of their tools.
var (
	commandNames = []string{"command", "cmd", "fullCommandText", "script"}
	patchNames   = []string{"patch", "input", "patchText"}
	sqlNames     = []string{"sql"}
	pathNames    = []string{"file_path", "filePath", "notebook_path", "absolute_path", "fileName", "path"}
)

// writes reports whether a tool changes the file that it names.
func writes(tool string) bool {
	tool = strings.ToLower(tool)
	return slices.ContainsFunc([]string{"edit", "write", "create", "replace", "patch"}, func(part string) bool { return strings.Contains(tool, part) })
}

// shell judges a command: a text, or a JSON list of its words.
func (j *judge) shell(text string, r *Request) {
	var argv []string
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &argv) == nil {
		c := command{}
		for _, a := range argv {
			c.words = append(c.words, word{text: a, line: 1})
			j.lines = j.lines || strings.Contains(a, "\n")
		}
		j.run([]command{c}, 0)
		return
	}
	j.lines = strings.Contains(strings.TrimSpace(text), "\n")
	tool := strings.ToLower(r.Tool)
	j.literal = strings.Contains(tool, "powershell") || strings.Contains(tool, "pwsh") || tool == "cmd" || r.Windows && strings.Contains(tool, "run_shell")
	j.run(read(text, 1, 0, j.literal), 0)
}

// patch judges the files that a patch names.
func (j *judge) patch(text string) {
	for line := range strings.Lines(text[:min(len(text), maxInput)]) {
		kind, file, ok := strings.Cut(line, " File: ")
		if !ok {
			kind, file, ok = strings.Cut(line, " to: ")
		}
		if ok && strings.HasPrefix(kind, "*** ") {
			j.write(word{text: strings.TrimSpace(file)})
		}
	}
}

// add adds a risk that is not there yet, unless there are many.
func (j *judge) add(r Risk) {
	if !j.lines {
		r.Line = 0
	}
	same := 0
	for _, o := range j.found {
		if o.Kind == r.Kind && o.Text == r.Text {
			return
		}
		if o.Level == r.Level {
			same++
		}
	}
	if same < maxRisks {
		j.found = append(j.found, r)
	}
}
