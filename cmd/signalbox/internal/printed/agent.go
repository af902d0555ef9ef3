package printed

// Agent is a session of an agent on this machine.
type Agent struct {
	ID       string `json:"id"`
	Alias    string `json:"alias" jsonschema:"the name that the agent reads and writes under"`
	Client   string `json:"client"`
	State    string `json:"state"`
	For      string `json:"for"`
	Time     int64  `json:"time" jsonschema:"since when it is in that state"`
	Heard    int64  `json:"heard" jsonschema:"when it was last heard of"`
	Unread   int    `json:"unread" jsonschema:"how many messages it has not read"`
	Folder   string `json:"folder"`
	Worktree string `json:"worktree"`
	Branch   string `json:"branch"`
	Gone     bool   `json:"gone" jsonschema:"the worktree was removed"`
	File     string `json:"file"`
}
