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
	// Version is the zero Version if the file has none that can be read. Such a thread is shown,
	// but never written.
	Version          Version
	ID, Title        string
	Created, Updated Time
	Agent            Agent
	Context          Context
	Stats            Stats
	// ParentID is parentThreadId. Real files have it for forks, but the spec does not mention
	// it.
	ParentID string
	// Metadata is the raw object, opaque by rule T5, or nil.
	Metadata []byte
	canon.Findings
}

// Agent is the agent that answers in a thread.
type Agent struct {
	ID, Name, Version, Protocol string
	// ProtocolVersion is 0 if the file has none.
	ProtocolVersion int64
}

// Context is where a thread took place.
type Context struct {
	// WorkingDir is absolute on the machine that made the thread; RelativeDir is relative to
	// the project's root (rule T3). Both are untrusted and never opened.
	WorkingDir, RelativeDir, GitBranch, GitCommit string
	// Worktree is nil if the thread ran in the main checkout.
	Worktree *Worktree
}

// Worktree is the git worktree that a thread ran in.
type Worktree struct{ Path, Branch string }

// Stats are a thread's cached counts (rule T4). A system message counts only in
// Messages (rule Z5).
type Stats struct{ Messages, User, Agent, ToolCalls int64 }

// counts returns the counts in the order of statsShape.
func (s *Stats) counts() [4]int64 { return [...]int64{s.Messages, s.User, s.Agent, s.ToolCalls} }

var (
	threadShape = canon.Shape[*threadReader]{What: "thread.json", Fields: []canon.Field[*threadReader]{
		{Name: "specVersion", Rule: "T1", Set: func(t *threadReader, m *canon.Member) { t.Version = versionOf(m, &t.refused) }},
		{Name: "threadId", Rule: "T1", Set: func(t *threadReader, m *canon.Member) { t.ID = m.Text() }},
		{Name: "title", Rule: "T1", Set: func(t *threadReader, m *canon.Member) { t.Title = m.Text() }},
		{Name: "createdAt", Rule: "T1", Set: func(t *threadReader, m *canon.Member) { t.Created = readTime(m) }},
		{Name: "updatedAt", Rule: "T1", Set: func(t *threadReader, m *canon.Member) { t.Updated = readTime(m) }},
		{Name: "agent", Rule: "T1", Set: func(t *threadReader, m *canon.Member) {
			t.Agent = Agent{}
			agentShape.Read(m, &t.Agent)
		}},
		{Name: "context", Rule: "T1", Set: func(t *threadReader, m *canon.Member) {
			t.Context = Context{}
			contextShape.Read(m, &t.Context)
		}},
		{Name: "stats", Rule: "T1", Set: func(t *threadReader, m *canon.Member) {
			t.Stats = Stats{}
			statsShape.Read(m, &t.Stats)
		}},
		{Name: "metadata", Rule: "T2", Optional: true, Set: func(t *threadReader, m *canon.Member) {
			if m.Is(canon.Mapping) {
				t.Metadata = m.Raw
			}
		}},
		{Name: "parentThreadId", Rule: "T2", Optional: true, Set: func(t *threadReader, m *canon.Member) { t.ParentID = m.Text() }},
	}}
	agentShape = canon.Shape[*Agent]{What: "agent", Rule: "T1", Fields: []canon.Field[*Agent]{
		{Name: "id", Rule: "T1", Set: func(a *Agent, m *canon.Member) { a.ID = m.Text() }},
		{Name: "name", Rule: "T1", Set: func(a *Agent, m *canon.Member) { a.Name = m.Text() }},
		{Name: "version", Rule: "T2", Optional: true, Set: func(a *Agent, m *canon.Member) { a.Version = m.Text() }},
		{Name: "protocol", Rule: "T2", Optional: true, Set: func(a *Agent, m *canon.Member) {
			a.Protocol = m.Text()
			if p := a.Protocol; p != "" && p != "acp" && p != "mcp" && p != "custom" {
				m.Note("agent.protocol " + quote(p) + " is none of acp, mcp and custom")
			}
		}},
		{Name: "protocolVersion", Rule: "T2", Optional: true, Set: func(a *Agent, m *canon.Member) { a.ProtocolVersion = whole(m) }},
	}}
	contextShape = canon.Shape[*Context]{What: "context", Rule: "T1", Fields: []canon.Field[*Context]{
		{Name: "workingDir", Rule: "T1", Set: func(c *Context, m *canon.Member) {
			c.WorkingDir = m.Text()
			if m.Kind == canon.String && !absolute(c.WorkingDir) {
				m.FaultOf("T3", "context.workingDir "+quote(c.WorkingDir)+" is not absolute")
			}
		}},
		{Name: "relativeDir", Rule: "T2", Optional: true, Set: func(c *Context, m *canon.Member) {
			if c.RelativeDir = m.Text(); absolute(c.RelativeDir) {
				m.FaultOf("T3", "context.relativeDir "+quote(c.RelativeDir)+" is not relative")
			}
		}},
		{Name: "gitBranch", Rule: "T2", Optional: true, Set: func(c *Context, m *canon.Member) { c.GitBranch = m.Text() }},
		{Name: "gitCommit", Rule: "T2", Optional: true, Set: func(c *Context, m *canon.Member) { c.GitCommit = m.Text() }},
		{Name: "worktree", Rule: "T2", Optional: true, Set: func(c *Context, m *canon.Member) {
			if m.Is(canon.Mapping) {
				c.Worktree = new(Worktree)
				worktreeShape.Read(m, c.Worktree)
			}
		}},
	}}
	worktreeShape = canon.Shape[*Worktree]{What: "context.worktree", Fields: []canon.Field[*Worktree]{
		{Name: "path", Rule: "T2", Set: func(w *Worktree, m *canon.Member) {
			w.Path = m.Text()
			if m.Kind == canon.String && !absolute(w.Path) {
				m.Fault("context.worktree.path " + quote(w.Path) + " is not absolute")
			}
		}},
		{Name: "branch", Rule: "T2", Set: func(w *Worktree, m *canon.Member) { w.Branch = m.Text() }},
	}}
	statsShape = canon.Shape[*Stats]{What: "stats", Rule: "T1", Fields: []canon.Field[*Stats]{
		{Name: "messageCount", Rule: "T1", Set: func(s *Stats, m *canon.Member) { s.Messages = count(m) }},
		{Name: "userMessageCount", Rule: "T1", Set: func(s *Stats, m *canon.Member) { s.User = count(m) }},
		{Name: "agentMessageCount", Rule: "T1", Set: func(s *Stats, m *canon.Member) { s.Agent = count(m) }},
		{Name: "toolCallCount", Rule: "T1", Set: func(s *Stats, m *canon.Member) { s.ToolCalls = count(m) }},
	}}
)

// threadReader is a thread.json that is being read.
type threadReader struct {
	Thread
	refused *canon.Fault // for its version
}

// ParseThread reads a thread.json. It returns a *[canon.Fault] if nothing can be shown:
// for text that is not a JSON object (T1) or not UTF-8 (X1), and for a major version
// that must be refused (V2). All other faults are listed in the Thread.
func ParseThread(data []byte) (Thread, error) {
	t := threadReader{Thread: Thread{Raw: data}}
	root, bad := rootOf(data, "T1", "thread.json", &t.Findings)
	if bad != nil {
		return Thread{}, bad
	}
	threadShape.Read(root, &t)
	if t.refused != nil {
		return Thread{}, t.refused
	}
	if t.ID != "" && !ValidID(t.ID) {
		t.AddFault("L3", "threadId", 0, "threadId "+quote(t.ID)+" cannot be the name of a directory everywhere")
	}
	return t.Thread, nil
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
