package panel

// Reach is how an agent is reached: [sessions.Reaching] decides it for every door.
type Reach string

// The ways to reach an agent.
const (
	ReachSend     Reach = "send"     // mail, at its next step
	ReachWake     Reach = "wake"     // mail, which wakes it
	ReachType     Reach = "type"     // mail, and a line typed into its terminal in this window
	ReachWait     Reach = "wait"     // mail, which waits until somebody goes on with it
	ReachContinue Reach = "continue" // it has ended: its program's own command goes on with it
	ReachSetUp    Reach = "setUp"    // its program is not connected
	ReachBegin    Reach = "begin"    // mail to a work tree without an agent: the next one reads it
)

// AgentState says what a session of an agent's program is doing.
type AgentState string

// The states of a session.
const (
	AgentWorking AgentState = "working"
	AgentWaiting AgentState = "waiting" // for a person: for permission, mostly
	AgentIdle    AgentState = "idle"    // it has stopped and sits at its prompt
	AgentEnded   AgentState = "ended"

	// These are read from logs: nothing was written for a while although the agent was at
	// work, it broke off, or it has finished and the user has not looked since.
	AgentSilent  AgentState = "silent"
	AgentStopped AgentState = "stopped" // silent for so long that it may have stopped
	AgentFailed  AgentState = "failed"
	AgentDone    AgentState = "done"

	// AgentNone is the state of a worktree in which no agent works.
	AgentNone AgentState = "none"
)

// AgentItem is what one session of an agent's program is doing, as the program told it.
type AgentItem struct {
	Key    string     `json:"key"`    // names the session, for one run of the server and the next
	Client string     `json:"client"` // claude, codex, gemini, copilot, opencode
	Alias  string     `json:"alias"`
	State  AgentState `json:"state"`
	For    string     `json:"for,omitempty"` // what it waits for
	// Permission is what is to be permitted, where For is a permission: a command, mostly.
	Permission string `json:"permission,omitempty"`
	Since      int64  `json:"since"`
	Unread     int    `json:"unread"` // mail that waits for the alias of an idle session
	Folder     string `json:"folder"`
	Worktree   string `json:"worktree,omitempty"`
	Branch     string `json:"branch,omitempty"`
	// Thread is what its program wrote of it, where that is known.
	Thread *Ref `json:"thread,omitempty"`
	// Reach says how it is reached; empty for one that reads other mail.
	Reach Reach `json:"reach,omitempty"`
	// Processes are the program, then what runs it, nearest first, at most 16. There are
	// none if that is not known.
	Processes []int `json:"processes"`

	// The rest is set in the list of all agents only.

	Needs  bool   `json:"needs,omitempty"`  // it waits for the user, or failed and was not looked at since
	Asks   bool   `json:"asks,omitempty"`   // what it waits for is an answer
	Opened bool   `json:"opened,omitempty"` // its worktree or folder is open in the editor
	Gone   bool   `json:"gone,omitempty"`   // its worktree was removed
	Said   string `json:"said,omitempty"`   // its last words: one line
	Begun  int64  `json:"begun,omitempty"`  // when its thread began
	// Added and Removed count lines, in the edits of its thread's newest 200 messages.
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
	// SaidHTML is the whole of its last words, as safe HTML, and Files are what it changed in
	// those edits. They are set for an agent that was asked for by its key.
	SaidHTML string        `json:"saidHtml,omitempty"`
	Files    []ChangedFile `json:"files,omitempty"`
}

// AgentsParams are the params of signalbox/agents/list. All adds agents that have ended or of
// which only the thread is known, and worktrees without an agent. Key, an AgentItem.key, asks
// for one of all, with all that is known of it.
type AgentsParams struct {
	All bool   `json:"all,omitempty"`
	Key string `json:"key,omitempty"`
}

// AgentsPage is the result of signalbox/agents/list, at most 200 agents: sessions under way
// first, then those whose state began last; or where all were asked for, the opened folders
// first, then by name.
type AgentsPage struct {
	Agents []AgentItem `json:"agents"`
	// Uncounted is set if the lines that some agents changed are not counted yet: another
	// request has more of them.
	Uncounted bool      `json:"uncounted,omitempty"`
	Revision  int64     `json:"revision"`
	Warnings  []Warning `json:"warnings"`
}

// TerminalsParams are the params of signalbox/terminals/set: the processes of the shells in
// the terminals of the window that asks. Agents that run below one can be typed to.
type TerminalsParams struct {
	Shells []int `json:"shells" check:"most 200"`
}

// TerminalsSet is the result of signalbox/terminals/set.
type TerminalsSet struct {
	Revision int64 `json:"revision"`
}

// ContinueParams are the params of signalbox/sessions/resume. Text is what a session is gone
// on with, or empty.
type ContinueParams struct {
	Ref  Ref    `json:"ref"`
	Text string `json:"text,omitempty" check:"long"`
}

// Continuing is the result of signalbox/sessions/resume: the words of the command that goes
// on with a session, in Folder. They are no line for a shell. Taken is set if the text is one
// of them. There are no words for a session that is under way, or of a program that offers no
// way.
type Continuing struct {
	Words  []string `json:"words"`
	Taken  bool     `json:"taken"`
	Client string   `json:"client"`
	Folder string   `json:"folder"`
	Group  string   `json:"group"`
}
