package atsf

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Thread is a thread.json (Thread Metadata Envelope, rules T1 and T2). Members
// that are missing or of the wrong kind are zero and listed in Findings.
type Thread struct {
	// Raw is the whole file. It aliases the input.
	Raw []byte
	// Version is the zero Version where the file has none that can be read;
	// such a thread is shown and not written to.
	Version          Version
	ID, Title        string
	Created, Updated Time
	Agent            Agent
	Context          Context
	Stats            Stats
	// ParentID is parentThreadId, which forks carry in real files; the text
	// does not name it.
	ParentID string
	// Metadata is the raw object, opaque by rule T5, or nil.
	Metadata []byte
	canon.Findings
}

// Agent says who answers in a thread.
type Agent struct {
	ID, Name, Version, Protocol string
	// ProtocolVersion is 0 where the file has none.
	ProtocolVersion int64
}

// Context says where a thread was held.
type Context struct {
	// WorkingDir is absolute on the machine that made the thread; RelativeDir
	// is relative to the project's root (rule T3). Both are a stranger's
	// words and never opened.
	WorkingDir, RelativeDir, GitBranch, GitCommit string
	// Worktree is nil where the thread ran in the main checkout.
	Worktree *Worktree
}

// Worktree is the git worktree that a thread ran in.
type Worktree struct{ Path, Branch string }

// Stats are a thread's cached counts (rule T4). A system message counts only in
// Messages (rule Z5).
type Stats struct{ Messages, User, Agent, ToolCalls int64 }

var (
	threadShape = canon.Shape{What: "thread.json", Fields: []canon.Field{
		{Name: "specVersion", Rule: "T1"},
		{Name: "threadId", Rule: "T1"},
		{Name: "title", Rule: "T1"},
		{Name: "createdAt", Rule: "T1"},
		{Name: "updatedAt", Rule: "T1"},
		{Name: "agent", Rule: "T1"},
		{Name: "context", Rule: "T1"},
		{Name: "stats", Rule: "T1"},
		{Name: "metadata", Rule: "T2", Optional: true},
		{Name: "parentThreadId", Rule: "T2", Optional: true},
	}}
	agentShape = canon.Shape{What: "agent", Fields: []canon.Field{
		{Name: "id", Rule: "T1"},
		{Name: "name", Rule: "T1"},
		{Name: "version", Rule: "T2", Optional: true},
		{Name: "protocol", Rule: "T2", Optional: true},
		{Name: "protocolVersion", Rule: "T2", Optional: true},
	}}
	contextShape = canon.Shape{What: "context", Fields: []canon.Field{
		{Name: "workingDir", Rule: "T1"},
		{Name: "relativeDir", Rule: "T2", Optional: true},
		{Name: "gitBranch", Rule: "T2", Optional: true},
		{Name: "gitCommit", Rule: "T2", Optional: true},
		{Name: "worktree", Rule: "T2", Optional: true},
	}}
	worktreeShape = canon.Shape{What: "context.worktree", Fields: []canon.Field{
		{Name: "path", Rule: "T2"},
		{Name: "branch", Rule: "T2"},
	}}
	statsShape = canon.Shape{What: "stats", Fields: []canon.Field{
		{Name: "messageCount", Rule: "T1"},
		{Name: "userMessageCount", Rule: "T1"},
		{Name: "agentMessageCount", Rule: "T1"},
		{Name: "toolCallCount", Rule: "T1"},
	}}
)

// ParseThread reads a thread.json. It returns a *[canon.Fault] if nothing can be shown:
// for text that is not a JSON object (T1) or not UTF-8 (X1), and for a major version
// that must be refused (V2). All other faults are listed in the Thread.
func ParseThread(data []byte) (Thread, error) {
	t := Thread{Raw: data}
	root, bad := rootOf(data, "T1", "thread.json", &t.Findings)
	if bad != nil {
		return Thread{}, bad
	}
	var refused *canon.Fault
	root.Object(&threadShape, func(m *canon.Member) {
		switch m.Name {
		case "specVersion":
			// Of two versions one that must be refused is enough.
			var no *canon.Fault
			if t.Version, no = versionOf(m); no != nil {
				refused = no
			}
		case "threadId":
			t.ID = m.Text()
		case "title":
			t.Title = m.Text()
		case "createdAt":
			t.Created = readTime(m)
		case "updatedAt":
			t.Updated = readTime(m)
		case "agent":
			t.agent(m)
		case "context":
			t.context(m)
		case "stats":
			t.stats(m)
		case "metadata":
			if m.Is(canon.Mapping) {
				t.Metadata = m.Raw
			}
		case "parentThreadId":
			t.ParentID = m.Text()
		}
	})
	if refused != nil {
		return Thread{}, refused
	}
	if t.ID != "" && !ValidID(t.ID) {
		t.AddFault("L3", "threadId", 0, "threadId "+quote(t.ID)+" cannot be the name of a directory everywhere")
	}
	return t, nil
}

func (t *Thread) agent(m *canon.Member) {
	t.Agent = Agent{}
	object(m, &agentShape, func(m *canon.Member) {
		switch m.Name {
		case "id":
			t.Agent.ID = m.Text()
		case "name":
			t.Agent.Name = m.Text()
		case "version":
			t.Agent.Version = m.Text()
		case "protocol":
			t.Agent.Protocol = m.Text()
			if p := t.Agent.Protocol; p != "" && p != "acp" && p != "mcp" && p != "custom" {
				m.NoteOf("T2", "agent.protocol "+quote(p)+" is none of acp, mcp and custom")
			}
		case "protocolVersion":
			t.Agent.ProtocolVersion = whole(m)
		}
	})
}

func (t *Thread) context(m *canon.Member) {
	t.Context = Context{}
	object(m, &contextShape, func(m *canon.Member) {
		switch m.Name {
		case "workingDir":
			t.Context.WorkingDir = m.Text()
			if dir := t.Context.WorkingDir; m.Kind == canon.String && !absolute(dir) {
				m.FaultOf("T3", "context.workingDir "+quote(dir)+" is not absolute")
			}
		case "relativeDir":
			t.Context.RelativeDir = m.Text()
			if dir := t.Context.RelativeDir; absolute(dir) {
				m.FaultOf("T3", "context.relativeDir "+quote(dir)+" is not relative")
			}
		case "gitBranch":
			t.Context.GitBranch = m.Text()
		case "gitCommit":
			t.Context.GitCommit = m.Text()
		case "worktree":
			t.worktree(m)
		}
	})
}

func (t *Thread) worktree(m *canon.Member) {
	if !m.Is(canon.Mapping) {
		return
	}
	w := new(Worktree)
	object(m, &worktreeShape, func(m *canon.Member) {
		if m.Name == "path" {
			w.Path = m.Text()
			if m.Kind == canon.String && !absolute(w.Path) {
				m.FaultOf("T2", "context.worktree.path "+quote(w.Path)+" is not absolute")
			}
		} else {
			w.Branch = m.Text()
		}
	})
	t.Context.Worktree = w
}

func (t *Thread) stats(m *canon.Member) {
	t.Stats = Stats{}
	object(m, &statsShape, func(m *canon.Member) {
		*[...]*int64{&t.Stats.Messages, &t.Stats.User, &t.Stats.Agent, &t.Stats.ToolCalls}[m.At] = count(m)
	})
}

// CheckDir compares a thread with the name of its directory, which is its
// address (Naming Conventions). It returns a *[canon.Fault] of rule L2 if they differ.
func (t *Thread) CheckDir(name string) error {
	if t.ID == name {
		return nil
	}
	return &canon.Fault{Rule: "L2", Field: "threadId", Reason: "threadId " + quote(t.ID) + " is not the directory's name " + quote(name)}
}

// absolute reports whether a path of any system starts at a root.
func absolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) || hasDrive(path)
}

func hasDrive(path string) bool {
	return len(path) >= 2 && path[1] == ':' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
}
