package atsf

import (
	"strconv"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/isotime"
)

// Gitignore is the .agent/.gitignore of a new directory (Default .gitignore,
// rule G1). thread.json is not ignored: the text's comment says so and its
// rules do not (rule Z3).
const Gitignore = `# Conversations are kept out of commits: they grow large and may hold secrets.
threads/*/messages.jsonl
threads/*/assets/
`

// BuildConfig returns the config.json of a new directory (rules K1 and V1). It
// returns a *[canon.Fault] of rule X1 for text that is not UTF-8.
func BuildConfig(by CreatedBy) ([]byte, error) {
	w := builder{dst: []byte("{}")}
	w.set(SpecVersion, "specVersion")
	w.set(by.Name, "createdBy", "name")
	w.set(by.Version, "createdBy", "version")
	return w.file()
}

// BuildThread returns a new thread.json, in version 1.1 and with a line for each member
// (rules T1 and Z1). It writes the fields of t that the text and parentThreadId name;
// Raw, Version and Findings are ignored. Updated is written as Created if it is not OK
// (rule Z7).
//
// It returns a *[canon.Fault] for an id that cannot be a directory's name (L3), a
// required field that is empty (T1), a path that breaks T3, an invalid time or text
// that is not UTF-8 (X1), and metadata that is not an object (T5).
func BuildThread(t Thread) ([]byte, error) {
	if err := checkThread(&t); err != nil {
		return nil, err
	}
	w := builder{dst: []byte("{}")}
	w.set(SpecVersion, "specVersion")
	w.set(t.ID, "threadId")
	w.set(t.Title, "title")
	w.set(FormatTime(t.Created.Millis), "createdAt")
	if !t.Updated.OK {
		t.Updated = t.Created
	}
	w.set(FormatTime(t.Updated.Millis), "updatedAt")
	w.set(t.Agent.ID, "agent", "id")
	w.set(t.Agent.Name, "agent", "name")
	w.optional(t.Agent.Version, "agent", "version")
	w.optional(t.Agent.Protocol, "agent", "protocol")
	if n := t.Agent.ProtocolVersion; n != 0 {
		w.raw(strconv.AppendInt(nil, n, 10), "agent", "protocolVersion")
	}
	w.set(t.Context.WorkingDir, "context", "workingDir")
	w.optional(t.Context.RelativeDir, "context", "relativeDir")
	w.optional(t.Context.GitBranch, "context", "gitBranch")
	w.optional(t.Context.GitCommit, "context", "gitCommit")
	if tree := t.Context.Worktree; tree != nil {
		w.set(tree.Path, "context", "worktree", "path")
		w.set(tree.Branch, "context", "worktree", "branch")
	}
	for _, c := range SetStats(t.Stats) {
		w.raw(c.Value, c.Path...)
	}
	w.optional(t.ParentID, "parentThreadId")
	if t.Metadata == nil {
		t.Metadata = []byte("{}")
	}
	w.raw(t.Metadata, "metadata")
	return w.file()
}

func checkThread(t *Thread) error {
	for _, c := range [...]struct{ field, text string }{
		{"title", t.Title}, {"agent.id", t.Agent.ID}, {"agent.name", t.Agent.Name}, {"context.workingDir", t.Context.WorkingDir},
	} {
		if c.text == "" {
			return &canon.Fault{Rule: "T1", Field: c.field, Reason: "a thread needs " + quote(c.field)}
		}
	}
	switch tree := t.Context.Worktree; {
	case !ValidID(t.ID):
		return &canon.Fault{Rule: "L3", Field: "threadId", Reason: "the thread id " + quote(t.ID) + " cannot be the name of a directory everywhere"}
	case t.ParentID == t.ID:
		return &canon.Fault{Rule: "L3", Field: "parentThreadId", Reason: "a thread is not its own parent"}
	case !absolute(t.Context.WorkingDir):
		return &canon.Fault{Rule: "T3", Field: "context.workingDir", Reason: "the working directory " + quote(t.Context.WorkingDir) + " is not absolute"}
	case absolute(t.Context.RelativeDir):
		return &canon.Fault{Rule: "T3", Field: "context.relativeDir", Reason: "the path " + quote(t.Context.RelativeDir) + " is not relative"}
	case tree != nil && (!absolute(tree.Path) || tree.Branch == ""):
		return &canon.Fault{Rule: "T2", Field: "context.worktree", Reason: "a worktree needs an absolute path and a branch"}
	case !t.Created.OK || !writableTime(t.Created) || t.Updated.OK && !writableTime(t.Updated):
		return &canon.Fault{Rule: "X1", Field: "createdAt", Reason: "the time cannot be written"}
	case t.Stats.Messages < 0 || t.Stats.User < 0 || t.Stats.Agent < 0 || t.Stats.ToolCalls < 0:
		return &canon.Fault{Rule: "T1", Field: "stats", Reason: "a count is negative"}
	}
	if t.Metadata != nil {
		if bad := canon.CheckObject(t.Metadata, "the metadata", "X1", "T5"); bad != nil {
			return bad
		}
	}
	return nil
}

// At is the time of Unix milliseconds, as new files write it.
func At(millis int64) Time {
	return Time{Text: FormatTime(millis), Millis: millis, OK: true, UTC: true}
}

func writableTime(t Time) bool { return t.Millis >= isotime.Min && t.Millis <= isotime.Max }

// builder makes a new file by setting one member after another, so that new
// files and edited ones are written by the same code.
type builder struct {
	dst []byte
	bad *canon.Fault
}

func (w *builder) raw(value []byte, path ...string) {
	if w.bad == nil {
		w.dst, w.bad = set(w.dst, Change{Path: path, Value: value})
	}
}

func (w *builder) set(text string, path ...string) {
	if w.bad == nil && !utf8.ValidString(text) {
		w.bad = &canon.Fault{Rule: "X1", Field: path[len(path)-1], Reason: quote(path[len(path)-1]) + " is not valid UTF-8"}
	}
	w.raw(canon.AppendString(nil, text), path...)
}

func (w *builder) optional(text string, path ...string) {
	if text != "" {
		w.set(text, path...)
	}
}

func (w *builder) file() ([]byte, error) {
	if w.bad != nil {
		return nil, w.bad
	}
	if err := canon.Valid(w.dst); err != nil {
		return nil, &canon.Fault{Rule: "X4", Reason: "the file cannot be written: " + err.Error()}
	}
	return append(w.dst, '\n'), nil
}
