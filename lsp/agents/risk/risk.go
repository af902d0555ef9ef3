// Package risk finds effects of an agent's request that are hard to undo or hard to see. It checks
// a fixed list of effects, using only the text of a command or the path of a file that a tool
// writes. A request without findings is not proven safe: scripts and programs that it runs are not
// read.
//
// Start with [Of]. It is pure: it judges paths by their text and does not access the disk. The
// package imports nothing from this project.
//
// The package has its own lexer for the text of commands. A complete parser (mvdan.cc/sh) rejects
// syntax that it does not know, such as another shell's, and would then find nothing.
package risk

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Level is how much damage a risk can do.
type Level string

// The levels.
const (
	Red    Level = "red"
	Yellow Level = "yellow"
)

// Kind is the kind of a risk.
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

// Risk is one risky effect of a request. Its text contains parts of the request, which are
// untrusted.
type Risk struct {
	Level Level
	Kind  Kind
	// Text is a sentence: "Force push: rewrites main on origin."
	Text string
	// Line is its line in a command with several lines, counted from 1, otherwise 0.
	Line int
}

// Request is an agent's request to use a tool.
type Request struct {
	// Tool is the program's name for the tool.
	Tool string
	// Args are its arguments. Each is a text or JSON.
	Args []Arg
	// Folder is where it runs, Worktree is the root of the work tree around Folder, and Home is
	// the user's home folder. Each may be empty. They are paths on the agent's system.
	Folder, Worktree, Home string
	// Windows is set if the agent's system is Windows.
	Windows bool
	// Hidden is set if the texts contain invisible characters.
	Hidden bool
}

// Arg is one argument of a tool.
type Arg struct{ Name, Text string }

// maxRisks is how many risks of each level are returned.
const maxRisks = 20

// Of returns the risks of a request, red ones first, otherwise in the order of its text. Each pair
// of kind and text is returned once.
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

// The names that programs use for the arguments of their tools.
var (
	commandNames = []string{"command", "cmd", "fullCommandText", "script"}
	patchNames   = []string{"patch", "input", "patchText"}
	sqlNames     = []string{"sql"}
	pathNames    = []string{"file_path", "filePath", "notebook_path", "absolute_path", "fileName", "path"}
)

// writes reports whether a tool changes the file in its arguments.
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

// patch judges the files that a patch changes.
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

// add adds a risk, unless it was found already or its level has [maxRisks].
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
