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

// Request is what an agent's program waits for the person to decide.
type Request struct {
	ID        string     `json:"id"`
	Hash      string     `json:"hash" jsonschema:"of what is decided on"`
	Client    string     `json:"client"`
	Session   string     `json:"session" jsonschema:"the program's id of the session"`
	Alias     string     `json:"alias" jsonschema:"the name of the agent"`
	Folder    string     `json:"folder"`
	Worktree  string     `json:"worktree"`
	Kind      string     `json:"kind" jsonschema:"permission, question or plan"`
	Tool      string     `json:"tool" jsonschema:"the program's name for it"`
	Input     Raw        `json:"input,omitempty" jsonschema:"all arguments of the tool"`
	Long      int64      `json:"long,omitempty" jsonschema:"the length in bytes of an input that is too long to be shown"`
	Rules     []string   `json:"rules" jsonschema:"what the program suggests to allow from now on"`
	Questions []Question `json:"questions" jsonschema:"of a form"`
	Plan      string     `json:"plan,omitempty" jsonschema:"its text"`
	Modes     []string   `json:"modes,omitempty" jsonschema:"other ways to go on with a plan"`
	Time      int64      `json:"time" jsonschema:"since when it waits"`
	Until     int64      `json:"until" jsonschema:"when the program waits no longer, as a time"`
}

// Question is one question of a form.
type Question struct {
	Text     string   `json:"text"`
	Options  []string `json:"options"`
	Multiple bool     `json:"multiple" jsonschema:"several options may be chosen"`
}

// Answer is an answer that was given to a request.
type Answer struct {
	Time    int64      `json:"time"`
	By      string     `json:"by"`
	Where   string     `json:"where" jsonschema:"terminal or editor"`
	Allow   bool       `json:"allow" jsonschema:"yes to a tool or a plan, or answers to a form"`
	Reason  string     `json:"reason,omitempty" jsonschema:"what the agent is told with a no"`
	Rules   []string   `json:"rules" jsonschema:"what is allowed from now on as well"`
	Answers [][]string `json:"answers" jsonschema:"what was chosen, for each question"`
	Mode    string     `json:"mode,omitempty" jsonschema:"how a plan goes on"`
	Request Request    `json:"request" jsonschema:"what was answered"`
}
