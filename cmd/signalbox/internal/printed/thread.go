package printed

// Thread is a thread of an agent, as "threads list" has it.
type Thread struct {
	ID string `json:"id"`
	// the id that thread.json has, which should be the same
	ThreadID string `json:"threadId"`
	Title    string `json:"title"`
	// the id of the agent
	Agent string `json:"agent"`
	// the name of the agent
	AgentName string `json:"agentName"`
	Time      int64  `json:"time"`
	// when it was begun, as a time; 0 if that is not known
	Created int64 `json:"created"`
	// how many messages it has, by thread.json
	Messages int64 `json:"messages"`
	// how many of them the user wrote
	UserMessages int64 `json:"userMessages"`
	// how many of them the agent wrote
	AgentMessages int64  `json:"agentMessages"`
	ToolCalls     int64  `json:"toolCalls"`
	Parent        string `json:"parent"`
	Worktree      string `json:"worktree"`
	Branch        string `json:"branch"`
	// whether that is the main checkout
	Main bool `json:"main"`
	// whether the worktree was removed
	Gone bool `json:"gone"`
	// the folder of the thread
	File string `json:"file"`
	Rule string `json:"rule"`
	// why thread.json cannot be read, if it cannot
	Reason string `json:"reason"`
}

// Session is a session that an agent's program recorded, as "threads list" has it.
type Session struct {
	ID     string `json:"id"`
	Client string `json:"client"`
	// the id that the program knows it by
	Session string `json:"session"`
	Title   string `json:"title"`
	// the name of the agent
	AgentName string `json:"agentName"`
	State     string `json:"state"`
	For       string `json:"for"`
	// the model that wrote in it last
	Model string `json:"model"`
	// the version of the agent's program
	Version string `json:"version"`
	Time    int64  `json:"time"`
	// when it was begun, as a time; 0 if that is not known
	Created  int64  `json:"created"`
	Parent   string `json:"parent"`
	Worktree string `json:"worktree"`
	Branch   string `json:"branch"`
	// the worktree was removed
	Gone bool `json:"gone"`
	// the folder that the agent worked in
	WorkingDir string `json:"workingDir"`
	File       string `json:"file"`
	// why it cannot be read, if it cannot
	Reason string `json:"reason"`
}

// Entry is a line of a thread's log.
type Entry struct {
	Thread string `json:"thread"`
	Line   int64  `json:"line"`
	// the message as it is in the log, in the form of ATSF
	Message Raw    `json:"message,omitempty"`
	Rule    string `json:"rule,omitempty"`
	// why the line cannot be read, if it cannot
	Reason string `json:"reason,omitempty"`
}

// SessionEntry is a message of a session that an agent's program recorded.
type SessionEntry struct {
	Thread string `json:"thread"`
	Client string `json:"client"`
	// the id that the program knows the session by
	Session string `json:"session"`
	// the file that it is recorded in
	File string `json:"file"`
	// where it is, in bytes from the beginning of the file
	Offset int64 `json:"offset"`
	// the agent that sent it, if it is between agents
	From string `json:"from"`
	// the agent that it is for, if it is between agents
	To string `json:"to"`
	// the message in the form of ATSF
	Message Raw `json:"message,omitempty"`
	// why it cannot be read, if it cannot
	Reason string `json:"reason,omitempty"`
}

// NewThread is a thread that was begun.
type NewThread struct {
	ID string `json:"id"`
	// the folder of the thread
	File string `json:"file"`
}

// Imported is a thread that was written from a session.
type Imported struct {
	ID string `json:"id"`
	// the folder of the thread
	Path   string `json:"path"`
	Client string `json:"client"`
	// the id that the program knows the session by
	Session string `json:"session"`
	// the file that the session is recorded in
	File string `json:"file"`
}

// Appended is a message that was added to a thread.
type Appended struct {
	ID     string `json:"id"`
	Thread string `json:"thread"`
	// whether thread.json could not be brought up to date with it
	Stale bool `json:"stale"`
}

// ThreadProblem is what "threads check" finds.
type ThreadProblem struct {
	File      string `json:"file"`
	Line      int64  `json:"line"`
	Rule      string `json:"rule"`
	Reason    string `json:"reason"`
	Violation bool   `json:"violation"`
}
