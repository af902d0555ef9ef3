package atsf

import (
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/isotime"
)

// Gitignore is the .agent/.gitignore of a new directory (Default .gitignore, rule G1). It does
// not ignore thread.json: this follows the rules of the spec's own file, not its comment (rule Z3).
const Gitignore = `# Conversations are kept out of commits: they grow large and may hold secrets.
threads/*/messages.jsonl
threads/*/assets/
`

// BuildConfig returns the config.json of a new directory (rules K1 and V1). It
// returns a *[canon.Fault] of rule X1 for text that is not UTF-8.
func BuildConfig(by CreatedBy) ([]byte, error) {
	w := newWriter("  ", ": ")
	w.Text("specVersion", SpecVersion)
	w.Open("createdBy", '{')
	w.Text("name", by.Name)
	w.Text("version", by.Version)
	w.Close('}')
	return w.file()
}

// BuildThread returns a new thread.json, in version 1.1 and with a line for each member (rules
// T1 and Z1). It writes the fields of t that are in the spec, and parentThreadId. It ignores
// Raw, Version and Findings. Updated is written as Created if it is not OK (rule Z7).
//
// It returns a *[canon.Fault] for an id that cannot be a directory's name (L3), a required
// field that is empty (T1), a path that breaks T3, an invalid time or text that is not UTF-8
// (X1), and metadata that is not an object (T5).
func BuildThread(t Thread) ([]byte, error) {
	if err := checkThread(&t); err != nil {
		return nil, err
	}
	w := newWriter("  ", ": ")
	w.Text("specVersion", SpecVersion)
	w.Text("threadId", t.ID)
	w.Text("title", t.Title)
	w.Text("createdAt", FormatTime(t.Created.Millis))
	if !t.Updated.OK {
		t.Updated = t.Created
	}
	w.Text("updatedAt", FormatTime(t.Updated.Millis))
	w.Open("agent", '{')
	w.Text("id", t.Agent.ID)
	w.Text("name", t.Agent.Name)
	w.Optional("version", t.Agent.Version)
	w.Optional("protocol", t.Agent.Protocol)
	if n := t.Agent.ProtocolVersion; n != 0 {
		w.Number("protocolVersion", n)
	}
	w.Close('}')
	w.Open("context", '{')
	w.Text("workingDir", t.Context.WorkingDir)
	w.Optional("relativeDir", t.Context.RelativeDir)
	w.Optional("gitBranch", t.Context.GitBranch)
	w.Optional("gitCommit", t.Context.GitCommit)
	if tree := t.Context.Worktree; tree != nil {
		w.Open("worktree", '{')
		w.Text("path", tree.Path)
		w.Text("branch", tree.Branch)
		w.Close('}')
	}
	w.Close('}')
	w.Open("stats", '{')
	for i, n := range t.Stats.counts() {
		w.Number(statsShape.Fields[i].Name, n)
	}
	w.Close('}')
	w.Optional("parentThreadId", t.ParentID)
	if t.Metadata == nil {
		t.Metadata = []byte("{}")
	}
	w.Key("metadata")
	w.Out = newFileStyle().value(w.Out, t.Metadata, 1)
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

// At returns the time of Unix milliseconds, as new files write it.
func At(millis int64) Time {
	return Time{Text: FormatTime(millis), Millis: millis, OK: true, UTC: true}
}

func writableTime(t Time) bool { return t.Millis >= isotime.Min && t.Millis <= isotime.Max }

// file closes the object and returns the new file.
func (w *writer) file() ([]byte, error) {
	w.Close('}')
	if w.Bad != nil {
		return nil, w.Bad
	}
	if err := canon.Valid(w.Out); err != nil {
		return nil, &canon.Fault{Rule: "X4", Reason: "the file cannot be written: " + err.Error()}
	}
	return append(w.Out, '\n'), nil
}
