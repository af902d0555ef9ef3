package printed

// Worktree is a checkout of the repository.
type Worktree struct {
	Worktree string `json:"worktree"`
	Branch   string `json:"branch"`
	// the commit that is checked out
	Commit string `json:"commit"`
	// what is special about it: main, locked, missing or bare
	State string `json:"state"`
	// why it is locked or missing
	Reason string `json:"reason"`
	// how many threads it holds
	Threads int `json:"threads"`
}

// NewWorktree is a worktree that was made.
type NewWorktree struct {
	Worktree string `json:"worktree"`
	Branch   string `json:"branch"`
	// the commit that is checked out
	Commit string `json:"commit"`
	// whether the branch was made, too
	New bool `json:"new"`
}

// WorktreeThread is the thread that a new worktree got.
type WorktreeThread struct {
	Thread string `json:"thread"`
	Title  string `json:"title"`
	// the id of the agent
	Agent string `json:"agent"`
}

// RanHook is what one of the project's hooks did for a new worktree. One of hooks, link,
// command and prompt says which it was.
type RanHook struct {
	// the file of the hooks, if none was run
	Hooks string `json:"hooks,omitempty"`
	// a link that was to be made
	Link string `json:"link,omitempty"`
	// a command that was to run
	Command string `json:"command,omitempty"`
	// the first message of the thread
	Prompt string `json:"prompt,omitempty"`
	// done, failed or skipped
	Status string `json:"status"`
	// why, unless it is done
	Detail string `json:"detail"`
	// what a link leads to
	Source string `json:"source,omitempty"`
	// the name of a command
	Label *string `json:"label,omitempty"`
	// the exit code of a command
	Exit *int `json:"exit,omitempty"`
	// how many milliseconds a command took
	Took *int64 `json:"ms,omitempty"`
	// what a command printed
	Output *string `json:"output,omitempty"`
}
