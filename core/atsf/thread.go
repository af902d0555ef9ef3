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

// Stats are a thread's cached counts (rule T4). A system message counts in
// Messages alone (rule Z5).
type Stats struct{ Messages, User, Agent, ToolCalls int64 }

var (
	threadShape = shape{
		what: "thread.json", rule: "T1", optional: "T2", required: 8,
		names: []string{"specVersion", "threadId", "title", "createdAt", "updatedAt", "agent", "context", "stats", "metadata", "parentThreadId"},
	}
	agentShape = shape{
		what: "agent", rule: "T1", optional: "T2", required: 2,
		names: []string{"id", "name", "version", "protocol", "protocolVersion"},
	}
	contextShape = shape{
		what: "context", rule: "T1", optional: "T2", required: 1,
		names: []string{"workingDir", "relativeDir", "gitBranch", "gitCommit", "worktree"},
	}
	worktreeShape = shape{what: "context.worktree", rule: "T2", optional: "T2", required: 2, names: []string{"path", "branch"}}
	statsShape    = shape{
		what: "stats", rule: "T1", optional: "T1", required: 4,
		names: []string{"messageCount", "userMessageCount", "agentMessageCount", "toolCallCount"},
	}
)

// ParseThread reads a thread.json. It returns a *[canon.Fault] where nothing can be
// shown: text that is no JSON object (T1) or not UTF-8 (X1), and a major version
// that must be refused (V2). Every other fault is listed in the Thread.
func ParseThread(data []byte) (Thread, error) {
	v, bad := root(data, "T1", "thread.json")
	if bad != nil {
		return Thread{}, bad
	}
	t := Thread{Raw: data}
	var refused *canon.Fault
	readObject(&t.Findings, v, &threadShape, "", func(m *member) {
		switch m.at {
		case 0:
			// Of two versions one that must be refused is enough.
			var no *canon.Fault
			if t.Version, no = m.version(); no != nil {
				refused = no
			}
		case 1:
			t.ID = m.text()
		case 2:
			t.Title = m.text()
		case 3:
			t.Created = m.time()
		case 4:
			t.Updated = m.time()
		case 5:
			t.agent(m.v)
		case 6:
			t.context(m.v)
		case 7:
			t.stats(m.v)
		case 8:
			if m.is(canon.Mapping) {
				t.Metadata = m.v.Raw
			}
		case 9:
			t.ParentID = m.text()
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

func (t *Thread) agent(v canon.Value) {
	t.Agent = Agent{}
	readObject(&t.Findings, v, &agentShape, "agent.", func(m *member) {
		switch m.at {
		case 0:
			t.Agent.ID = m.text()
		case 1:
			t.Agent.Name = m.text()
		case 2:
			t.Agent.Version = m.text()
		case 3:
			t.Agent.Protocol = m.text()
			if p := t.Agent.Protocol; p != "" && p != "acp" && p != "mcp" && p != "custom" {
				m.out.AddNote("T2", m.path(), m.v.Offset, "agent.protocol "+quote(p)+" is none of acp, mcp and custom")
			}
		case 4:
			t.Agent.ProtocolVersion = m.whole()
		}
	})
}

func (t *Thread) context(v canon.Value) {
	t.Context = Context{}
	readObject(&t.Findings, v, &contextShape, "context.", func(m *member) {
		switch m.at {
		case 0:
			t.Context.WorkingDir = m.text()
			if dir := t.Context.WorkingDir; m.v.Kind == canon.String && !absolute(dir) {
				m.out.AddFault("T3", m.path(), m.v.Offset, "context.workingDir "+quote(dir)+" is not absolute")
			}
		case 1:
			t.Context.RelativeDir = m.text()
			if dir := t.Context.RelativeDir; absolute(dir) {
				m.out.AddFault("T3", m.path(), m.v.Offset, "context.relativeDir "+quote(dir)+" is not relative")
			}
		case 2:
			t.Context.GitBranch = m.text()
		case 3:
			t.Context.GitCommit = m.text()
		case 4:
			t.worktree(m)
		}
	})
}

func (t *Thread) worktree(m *member) {
	if !m.is(canon.Mapping) {
		return
	}
	w := new(Worktree)
	readObject(&t.Findings, m.v, &worktreeShape, "context.worktree.", func(m *member) {
		if m.at == 0 {
			w.Path = m.text()
			if m.v.Kind == canon.String && !absolute(w.Path) {
				m.out.AddFault("T2", m.path(), m.v.Offset, "context.worktree.path "+quote(w.Path)+" is not absolute")
			}
		} else {
			w.Branch = m.text()
		}
	})
	t.Context.Worktree = w
}

func (t *Thread) stats(v canon.Value) {
	t.Stats = Stats{}
	readObject(&t.Findings, v, &statsShape, "stats.", func(m *member) {
		*[...]*int64{&t.Stats.Messages, &t.Stats.User, &t.Stats.Agent, &t.Stats.ToolCalls}[m.at] = m.count()
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
