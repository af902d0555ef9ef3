package printed

// Worktree is a checkout of the repository.
type Worktree struct {
	Worktree string `json:"worktree"`
	Branch   string `json:"branch"`
	Commit   string `json:"commit" jsonschema:"the commit that is checked out"`
	State    string `json:"state" jsonschema:"what is special about it: main, locked, missing or bare"`
	Reason   string `json:"reason" jsonschema:"why it is locked or missing"`
	Threads  int    `json:"threads" jsonschema:"how many threads it holds"`
}

// NewWorktree is a worktree that was made.
type NewWorktree struct {
	Worktree string `json:"worktree"`
	Branch   string `json:"branch"`
	Commit   string `json:"commit" jsonschema:"the commit that is checked out"`
	New      bool   `json:"new" jsonschema:"whether the branch was made, too"`
}

// WorktreeThread is the thread that a new worktree got.
type WorktreeThread struct {
	Thread string `json:"thread"`
	Title  string `json:"title"`
	Agent  string `json:"agent" jsonschema:"the id of the agent"`
}

// RanHook is what one of the project's hooks did for a new worktree. One of hooks, link,
// command and prompt says which it was.
type RanHook struct {
	Hooks   string  `json:"hooks,omitempty" jsonschema:"the file of the hooks, if none was run"`
	Link    string  `json:"link,omitempty" jsonschema:"a link that was to be made"`
	Command string  `json:"command,omitempty" jsonschema:"a command that was to run"`
	Prompt  string  `json:"prompt,omitempty" jsonschema:"the first message of the thread"`
	Status  string  `json:"status" jsonschema:"done, failed or skipped"`
	Detail  string  `json:"detail" jsonschema:"why, unless it is done"`
	Source  string  `json:"source,omitempty" jsonschema:"what a link leads to"`
	Label   *string `json:"label,omitempty" jsonschema:"the name of a command"`
	Exit    *int    `json:"exit,omitempty" jsonschema:"the exit code of a command"`
	Took    *int64  `json:"ms,omitempty" jsonschema:"how many milliseconds a command took"`
	Output  *string `json:"output,omitempty" jsonschema:"what a command printed"`
}
