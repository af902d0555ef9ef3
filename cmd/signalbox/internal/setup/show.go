package setup

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
	"github.com/signalbox-dev/signalbox/core/render"
)

// say writes a line, but not with --json, whose output is only the plan.
func (s *setup) say(format string, args ...any) {
	if s.JSON {
		return
	}
	io.WriteString(s.Stdout, render.Text(fmt.Sprintf(format, args...))+"\n")
}

// Plan is what changes for a client.
type Plan struct {
	Client string     `json:"client"`
	Title  string     `json:"title"`
	Files  []FilePlan `json:"files"`
	// Left are the files that cannot be changed, and why.
	Left []FileState `json:"left,omitempty"`
}

// FilePlan is what changes in a file.
type FilePlan struct {
	Path    string `json:"path"`
	New     bool   `json:"new,omitempty"`
	Removed bool   `json:"removed,omitempty"`
	// Edits are the changes, at offsets in bytes of the file as it is.
	Edits []edit.Splice `json:"edits"`
}

func (w *work) plan() Plan {
	p := Plan{Client: w.name, Title: w.title, Files: make([]FilePlan, len(w.changes)), Left: w.left}
	for i := range w.changes {
		c := &w.changes[i]
		p.Files[i] = FilePlan{Path: c.path, New: !c.there, Removed: c.gone, Edits: edit.Between(c.before, c.result())}
	}
	return p
}

func (s *setup) show(w work) {
	if s.JSON {
		out := s.Writer()
		_ = cli.WriteJSON(out, w.plan()) // Flush returns the error
		if err := out.Flush(); err != nil {
			s.failed = true
			s.Warn("%v", err)
		}
		return
	}
	for i := range w.changes {
		p := &w.changes[i]
		switch {
		case !p.there:
			s.say("%s: %s (new)", w.title, p.path)
		case p.gone:
			s.say("%s: %s (removed)", w.title, p.path)
		default:
			s.say("%s: %s", w.title, p.path)
		}
		for _, h := range hunks(lines(p.before), lines(p.result())) {
			s.say("  line %d", h.line)
			h = h.narrow()
			for _, l := range h.out {
				s.say("  - %s", l)
			}
			for _, l := range h.in {
				s.say("  + %s", l)
			}
		}
	}
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\n"), "\n")
}

// hunk is a run of changed lines, beginning at a line.
type hunk struct {
	line    int
	out, in []string
}

// hunks compares two texts. Setup inserts and removes lines in few places, so it is enough
// to look for the next place at which both texts agree.
func hunks(before, after []string) (list []hunk) {
	for i, j := 0, 0; i < len(before) || j < len(after); {
		if i < len(before) && j < len(after) && before[i] == after[j] {
			i, j = i+1, j+1
			continue
		}
		out, in := apart(before[i:], after[j:])
		list = append(list, hunk{i + 1, before[i : i+out], after[j : j+in]})
		i, j = i+out, j+in
	}
	return list
}

// maxLine is the length in bytes of the longest line that is shown whole. A file in one
// line may contain a login.
const maxLine = 200

// narrow returns the hunk; of one long line, only the part that changes.
func (h hunk) narrow() hunk {
	if len(h.out) != 1 || len(h.in) != 1 || max(len(h.out[0]), len(h.in[0])) <= maxLine {
		return h
	}
	changed := hunk{line: h.line}
	for _, s := range edit.Between([]byte(h.out[0]), []byte(h.in[0])) {
		if s.Old != "" {
			changed.out = append(changed.out, "… "+s.Old+" …")
		}
		if s.New != "" {
			changed.in = append(changed.in, "… "+s.New+" …")
		}
	}
	return changed
}

// apart returns how many lines of each text precede the next place at which both agree, as
// few as possible.
func apart(before, after []string) (out, in int) {
	for n := 1; n < len(before)+len(after); n++ {
		for out := max(0, n-len(after)); out <= min(n, len(before)); out++ {
			if in := n - out; agree(before[out:], after[in:]) {
				return out, in
			}
		}
	}
	return len(before), len(after)
}

// agree reports whether the next lines of two texts are the same: several, since a single
// line, such as a bracket, may be the same by chance.
func agree(before, after []string) bool {
	const enough = 3
	for i := range enough {
		switch {
		case i == len(before) && i == len(after):
			return true
		case i >= len(before) || i >= len(after) || before[i] != after[i]:
			return false
		}
	}
	return true
}

// Readiness is how far a client is set up.
type Readiness string

// The values of a [Readiness].
const (
	SetUp      Readiness = "set up"
	OutOfDate  Readiness = "out of date"
	NotSetUp   Readiness = "not set up"
	Unreadable Readiness = "cannot be read"
	// SwitchedOff: a setting of the program's keeps it from running what was written.
	SwitchedOff Readiness = "switched off"
)

// State is what a client's files have of us.
type State struct {
	Client string    `json:"client"`
	Title  string    `json:"title"`
	State  Readiness `json:"state"`
	// Files are those that are not as they are to be, and why.
	Files []FileState `json:"files,omitempty"`
}

// FileState is a file that is not as it is to be.
type FileState struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

func (st *State) add(path, reason string) {
	if f := (FileState{path, reason}); !slices.Contains(st.Files, f) {
		st.Files = append(st.Files, f)
	}
}

// Check returns the states of the clients that are found on this machine.
func Check(o *cli.Options) ([]State, error) {
	mine := *o
	mine.As = "" // doctor's --as is not a name for agents
	s := &setup{Options: &mine}
	if err := s.resolve(nil); err != nil {
		return nil, err
	}
	var err error
	if s.journal, err = openJournal(s.Env.StateDir()); err != nil {
		return nil, err
	}
	chosen, err := s.choose(nil)
	list := make([]State, len(chosen))
	for i, c := range chosen {
		list[i] = s.judge(c)
	}
	return list, err
}

func (s *setup) checkAll(chosen []*client) error {
	if len(chosen) == 0 && !s.JSON {
		s.say("No client was found on this machine.")
	}
	w := s.Writer()
	for _, c := range chosen {
		st := s.judge(c)
		if s.JSON {
			if err := cli.WriteJSON(w, st); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%-12s %s\n", c.title, st.State)
		for _, f := range st.Files {
			fmt.Fprintf(w, "    %s\n", cli.Line(f.Path+": "+f.Reason))
		}
	}
	return w.Flush()
}

// judge returns the state of a client: stateOf, except that the client may start an
// editor's copy instead, and that its settings may keep it from running what was written.
func (s *setup) judge(c *client) State {
	st := s.stateOrCopy(c)
	if st.State != NotSetUp {
		if off := s.off(c); len(off) > 0 {
			st.State, st.Files = SwitchedOff, append(off, st.Files...)
		}
	}
	return st
}

func (s *setup) stateOrCopy(c *client) State {
	st := s.stateOf(c)
	if _, err := os.Stat(s.copyPath()); err != nil || st.State != OutOfDate || s.shared {
		return st
	}
	editors := *s
	editors.command = s.copyPath()
	if other := editors.stateOf(c); other.State == SetUp {
		return other
	}
	return st
}

func (s *setup) stateOf(c *client) State {
	st := State{Client: c.name, Title: c.title}
	there, missing := 0, 0
	for _, f := range c.files(s.machine) {
		p, err := load(f, s.project)
		for _, w := range f.wants {
			has, equal := false, false
			if err == nil {
				has, equal, err = w.state(p.body(), s.journal.wrote(f.path))
			}
			switch {
			case err != nil:
				st.State = Unreadable
				st.add(f.path, err.Error())
			case has:
				there++
				if !equal {
					st.add(f.path, "the "+w.what+" are of another version")
				}
			default:
				missing++
				st.add(f.path, "the "+w.what+" are missing")
			}
			if err != nil {
				break
			}
		}
	}
	switch {
	case st.State != "":
	case there == 0:
		st.State, st.Files = NotSetUp, nil
	case len(st.Files) > 0:
		st.State = OutOfDate
	default:
		st.State = SetUp
	}
	return st
}
