package printed

// Agent is a session of an agent on this machine.
type Agent struct {
	ID string `json:"id"`
	// the name that the agent reads and writes under
	Alias  string `json:"alias"`
	Client string `json:"client"`
	State  string `json:"state"`
	For    string `json:"for"`
	// since when it is in that state
	Time int64 `json:"time"`
	// when it was last heard of
	Heard int64 `json:"heard"`
	// how many messages it has not read
	Unread   int    `json:"unread"`
	Folder   string `json:"folder"`
	Worktree string `json:"worktree"`
	Branch   string `json:"branch"`
	// the worktree was removed
	Gone bool   `json:"gone"`
	File string `json:"file"`
}
