package panel

// Reach is how an agent is reached: [sessions.Reaching] decides it for every door.
type Reach string

// The ways to reach an agent.
const (
	ReachSend     Reach = "send"     // mail, at its next step
	ReachWake     Reach = "wake"     // mail, which wakes it
	ReachType     Reach = "type"     // mail, and a line typed into its terminal in this window
	ReachWait     Reach = "wait"     // mail, which waits until somebody resumes the idle agent
	ReachContinue Reach = "continue" // it has ended: its program's own command resumes it
	ReachSetUp    Reach = "setUp"    // its program is not connected
	ReachBegin    Reach = "begin"    // mail to a worktree without an agent: the next agent there reads it
)

// AgentState is what a session of an agent's program is doing.
type AgentState string

// The states of a session.
const (
	AgentWorking AgentState = "working"
	AgentWaiting AgentState = "waiting" // for a person, mostly for permission
	AgentIdle    AgentState = "idle"    // it has stopped and sits at its prompt
	AgentEnded   AgentState = "ended"

	// These states are read from logs.
	AgentSilent  AgentState = "silent"  // at work, but nothing was written for a while
	AgentStopped AgentState = "stopped" // silent for so long that it may have stopped
	AgentFailed  AgentState = "failed"  // it broke off
	AgentDone    AgentState = "done"    // it has finished, and the user has not looked since

	// AgentNone is the state of a worktree in which no agent works.
	AgentNone AgentState = "none"
)

// AgentItem is one session of an agent's program, and what the program reported about it.
type AgentItem struct {
	Key    string     `json:"key"`    // identifies the session, also after the server restarts
	Client string     `json:"client"` // claude, codex, gemini, copilot, opencode
	Alias  string     `json:"alias"`
	State  AgentState `json:"state"`
	For    string     `json:"for,omitempty"` // what it waits for
	// Permission is the action to permit, mostly a command, if the agent waits for permission.
	Permission string `json:"permission,omitempty"`
	Since      int64  `json:"since"`
	Unread     int    `json:"unread"` // mail that waits for the alias of an idle session
	Folder     string `json:"folder"`
	Worktree   string `json:"worktree,omitempty"`
	Branch     string `json:"branch,omitempty"`
	// Thread is the thread that its program wrote for the session, if it is known.
	Thread *Ref `json:"thread,omitempty"`
	// Reach says how it is reached. It is empty for a session that reads other mail.
	Reach Reach `json:"reach,omitempty"`
	// Processes are the process ids of the program and of its parents, nearest first, at most
	// 16. The list is empty if they are not known.
	Processes []int `json:"processes"`

	// The fields below are set only in the list of all agents.

	Needs  bool   `json:"needs,omitempty"`  // it waits for the user, or it failed and the user has not looked since
	Asks   bool   `json:"asks,omitempty"`   // it waits for an answer
	Opened bool   `json:"opened,omitempty"` // its worktree or folder is open in the editor
	Gone   bool   `json:"gone,omitempty"`   // its worktree was removed
	Said   string `json:"said,omitempty"`   // its last words, in one line
	Begun  int64  `json:"begun,omitempty"`  // when its thread began
	// Added and Removed count the lines that its thread's newest 200 messages changed.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
	// SaidHTML is its last text in full, as safe HTML. Files are the files that those messages
	// changed. Both are set only if the agent was requested by its key.
	SaidHTML string        `json:"saidHtml,omitempty"`
	Files    []ChangedFile `json:"files,omitempty"`
}

// AgentsParams are the params of signalbox/agents/list. All adds agents that have ended, agents
// that are known only by their threads, and worktrees without an agent. Key, an AgentItem.key,
// asks for one of all agents, in full.
type AgentsParams struct {
	All bool   `json:"all,omitempty"`
	Key string `json:"key,omitempty"`
}

// AgentsPage is the result of signalbox/agents/list, at most 200 agents. The agent whose state
// began last comes first. If all were asked for, agents in opened folders come first, then the
// order goes by name.
type AgentsPage struct {
	Agents []AgentItem `json:"agents"`
	// Uncounted is set if the lines that some agents changed are not counted yet. A later
	// request returns more of the counts.
	Uncounted bool      `json:"uncounted,omitempty"`
	Revision  int64     `json:"revision"`
	Warnings  []Warning `json:"warnings"`
}

// TerminalsParams are the params of signalbox/terminals/set. Shells are the process ids of the
// shells in the window's terminals. The window can type to agents that run below one of them.
type TerminalsParams struct {
	Shells []int `json:"shells" check:"most 200"`
}

// TerminalsSet is the result of signalbox/terminals/set.
type TerminalsSet struct {
	Revision int64 `json:"revision"`
}

// ContinueParams are the params of signalbox/sessions/resume. Text is the prompt to resume the
// session with. It may be empty.
type ContinueParams struct {
	Ref  Ref    `json:"ref"`
	Text string `json:"text,omitempty" check:"long"`
}

// Continuing is the result of signalbox/sessions/resume. Words are the command that resumes the
// session, and its arguments. They are to be run in Folder, and not as a line of a shell. Taken
// is set if one of them is the text. Words is empty if the session is under way, or if its
// program cannot resume one.
type Continuing struct {
	Words  []string `json:"words"`
	Taken  bool     `json:"taken"`
	Client string   `json:"client"`
	Folder string   `json:"folder"`
	Group  string   `json:"group"`
}
