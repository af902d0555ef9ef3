package printed

// Thread is a thread of an agent, as "threads list" has it.
type Thread struct {
	ID            string `json:"id"`
	ThreadID      string `json:"threadId" jsonschema:"the id that thread.json has, which should be the same"`
	Title         string `json:"title"`
	Agent         string `json:"agent" jsonschema:"the id of the agent"`
	AgentName     string `json:"agentName" jsonschema:"the name of the agent"`
	Time          int64  `json:"time"`
	Created       int64  `json:"created" jsonschema:"when it was begun, as a time; 0 if that is not known"`
	Messages      int64  `json:"messages" jsonschema:"how many messages it has, by thread.json"`
	UserMessages  int64  `json:"userMessages" jsonschema:"how many of them the user wrote"`
	AgentMessages int64  `json:"agentMessages" jsonschema:"how many of them the agent wrote"`
	ToolCalls     int64  `json:"toolCalls"`
	Parent        string `json:"parent"`
	Worktree      string `json:"worktree"`
	Branch        string `json:"branch"`
	Main          bool   `json:"main" jsonschema:"whether that is the main checkout"`
	Gone          bool   `json:"gone" jsonschema:"whether the worktree was removed"`
	File          string `json:"file" jsonschema:"the folder of the thread"`
	Rule          string `json:"rule"`
	Reason        string `json:"reason" jsonschema:"why thread.json cannot be read, if it cannot"`
}

// Session is a session that an agent's program recorded, as "threads list" has it.
type Session struct {
	ID         string `json:"id"`
	Client     string `json:"client"`
	Session    string `json:"session" jsonschema:"the id that the program knows it by"`
	Title      string `json:"title"`
	AgentName  string `json:"agentName" jsonschema:"the name of the agent"`
	State      string `json:"state"`
	For        string `json:"for"`
	Model      string `json:"model" jsonschema:"the model that wrote in it last"`
	Version    string `json:"version" jsonschema:"the version of the agent's program"`
	Time       int64  `json:"time"`
	Created    int64  `json:"created" jsonschema:"when it was begun, as a time; 0 if that is not known"`
	Parent     string `json:"parent"`
	Worktree   string `json:"worktree"`
	Branch     string `json:"branch"`
	Gone       bool   `json:"gone" jsonschema:"the worktree was removed"`
	WorkingDir string `json:"workingDir" jsonschema:"the folder that the agent worked in"`
	File       string `json:"file"`
	Reason     string `json:"reason" jsonschema:"why it cannot be read, if it cannot"`
}

// Entry is a line of a thread's log.
type Entry struct {
	Thread  string `json:"thread"`
	Line    int64  `json:"line"`
	Message Raw    `json:"message,omitempty" jsonschema:"the message as it is in the log, in the form of ATSF"`
	Rule    string `json:"rule,omitempty"`
	Reason  string `json:"reason,omitempty" jsonschema:"why the line cannot be read, if it cannot"`
}

// SessionEntry is a message of a session that an agent's program recorded.
type SessionEntry struct {
	Thread  string `json:"thread"`
	Client  string `json:"client"`
	Session string `json:"session" jsonschema:"the id that the program knows the session by"`
	File    string `json:"file" jsonschema:"the file that it is recorded in"`
	Offset  int64  `json:"offset" jsonschema:"where it is, in bytes from the beginning of the file"`
	From    string `json:"from" jsonschema:"the agent that sent it, if it is between agents"`
	To      string `json:"to" jsonschema:"the agent that it is for, if it is between agents"`
	Message Raw    `json:"message,omitempty" jsonschema:"the message in the form of ATSF"`
	Reason  string `json:"reason,omitempty" jsonschema:"why it cannot be read, if it cannot"`
}

// NewThread is a thread that was begun.
type NewThread struct {
	ID   string `json:"id"`
	File string `json:"file" jsonschema:"the folder of the thread"`
}

// Imported is a thread that was written from a session.
type Imported struct {
	ID      string `json:"id"`
	Path    string `json:"path" jsonschema:"the folder of the thread"`
	Client  string `json:"client"`
	Session string `json:"session" jsonschema:"the id that the program knows the session by"`
	File    string `json:"file" jsonschema:"the file that the session is recorded in"`
}

// Appended is a message that was added to a thread.
type Appended struct {
	ID     string `json:"id"`
	Thread string `json:"thread"`
	Stale  bool   `json:"stale" jsonschema:"whether thread.json could not be brought up to date with it"`
}

// ThreadProblem is what "threads check" finds.
type ThreadProblem struct {
	File      string `json:"file"`
	Line      int64  `json:"line"`
	Rule      string `json:"rule"`
	Reason    string `json:"reason"`
	Violation bool   `json:"violation"`
}
