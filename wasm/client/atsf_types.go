package client

// Version is a file's specVersion, 0.0 where it cannot be read.
type Version struct{ Major, Minor int64 }

// ThreadTime is a timestamp as a thread's file has it.
type ThreadTime struct {
	// What the file says, also where it cannot be read.
	Text string
	// In Unix milliseconds.
	Millis int64
	// Whether the text could be read, and whether it says itself that it is in UTC.
	OK, UTC bool
}

// AgentThread is a thread.json. Members that are missing or of the wrong kind
// are zero, and listed in the faults.
type AgentThread struct {
	Version          Version
	ID, Title        string
	Created, Updated ThreadTime
	Agent            Agent
	Context          ThreadContext
	Stats            Counts
	// The thread that this one was forked from, or empty.
	ParentID string
	// The file's own object.
	Metadata Value
	// Set where the id is not the name of the thread's directory.
	Odd *Fault
	Findings
}

// Agent says who answers in a thread.
type Agent struct {
	ID              string `json:"id"`
	Name            string `json:"name"`
	Version         string `json:"version,omitzero"`
	Protocol        string `json:"protocol,omitzero"`
	ProtocolVersion int64  `json:"protocolVersion,omitzero"`
}

// ThreadContext says where a thread was held. Its paths are a stranger's words.
type ThreadContext struct {
	WorkingDir  string    `json:"workingDir"`
	RelativeDir string    `json:"relativeDir,omitzero"`
	GitBranch   string    `json:"gitBranch,omitzero"`
	GitCommit   string    `json:"gitCommit,omitzero"`
	Worktree    *Worktree `json:"worktree,omitzero"`
}

// Worktree is the git worktree that a thread ran in.
type Worktree struct {
	Path   string `json:"path"`
	Branch string `json:"branch"`
}

// Counts are the figures of a thread. The messages of the system are counted too.
type Counts struct {
	Messages  int64 `json:"messages"`
	User      int64 `json:"user"`
	Agent     int64 `json:"agent"`
	ToolCalls int64 `json:"toolCalls"`
}

// AgentMessage is one line of a messages.jsonl.
type AgentMessage struct {
	// The line that was read. It aliases the input.
	Raw []byte `json:"-"`
	// What the file says.
	ID, Role string
	Time     ThreadTime
	Content  []Block
	Tools    []ToolCall
	// Counts what the line has, including what is not listed.
	Blocks, ToolCalls int64
	StopReason, Model string
	Tokens            *Tokens
	Findings
}

// Tokens is what a message cost.
type Tokens struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

// Block is one content block.
type Block struct {
	// The block's bytes with everything unknown in them. If it is set, it is what is
	// written again. It aliases the input.
	Raw Value `json:"-"`
	// Where the block is in the line, in bytes.
	Offset, Length int64
	Type           string
	// Whether the core knows the type.
	Known bool
	Text  string `abi:"?"`
	// Safe to open only after assetName found no fault.
	AssetRef   string `abi:"?"`
	MimeType   string `abi:"?"`
	URI        string `abi:"?"`
	Name       string `abi:"?"`
	Size       int64  `abi:"?"`
	ToolCallID string `abi:"?"`
	// Whether there is base64 data in the line, which takeInline moves out.
	Inline      bool  `abi:"?"`
	Annotations Value `abi:"?"`
}

// ToolCall is one use of a tool.
type ToolCall struct {
	// The call's bytes, as in a block.
	Raw Value `json:"-"`
	// Where the call is in the line, in bytes.
	Offset, Length int64
	ID, Name       string
	// What the line says.
	Status string
	// What the status means.
	State  string  `abi:"?,pending|running|completed|failed"`
	Title  string  `abi:"?"`
	Kind   string  `abi:"?"`
	Input  *string `abi:"?"`
	Output *string `abi:"?"`
	// In milliseconds.
	Duration  *int64     `abi:"?"`
	Diff      *Diff      `abi:"?"`
	Locations []Location `abi:"?"`
}

// Diff is a change to one file.
type Diff struct {
	Path, Old, New string
	// Whether the file had no text before.
	Created bool
}

// Location is a place in a file. The line is 0 if there is none.
type Location struct {
	Path string `json:"path"`
	Line int64  `json:"line,omitzero"`
}

// AgentLog is a part of a messages.jsonl.
type AgentLog struct {
	Entries []Entry
	// Where reading ended, in bytes.
	Next int64
	// Whether an unfinished line begins there.
	Torn bool
}

// Entry is one line. Either its message or its fault is set.
type Entry struct {
	// Counts lines from 1.
	Number int64
	// In bytes from the start of the input.
	Offset, Length int64
	Message        *AgentMessage
	Fault          *Fault
}

// AgentConfig is a config.json.
type AgentConfig struct {
	Version   Version
	CreatedBy *Application
	Defaults  Defaults
	// The file's own object.
	AgentSettings Value
	Hooks         Hooks
	// Names the members that look like secrets.
	Secrets []Fault
	Findings
}

// Application is a program that writes threads.
type Application struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Defaults are for new threads.
type Defaults struct {
	AgentID, InteractionMode, ModelID string
	UseWorktree                       *bool
}

// Hooks is what a project wants done in a new worktree. Whoever does it shows
// it first and asks.
type Hooks struct {
	Symlinks      []Symlink
	Commands      []Command
	InitialPrompt string
}

// Symlink is a link to make. One with a fault must not be made.
type Symlink struct {
	Source, Target string
	Fault          *Fault
}

// Command is a command to run. One with a fault must not be run.
type Command struct {
	Command, Label string
	// In milliseconds.
	Timeout         int64
	ContinueOnError bool
	// Some of win32, darwin and linux. A missing list means all of them.
	Platforms []string `abi:"null"`
	Fault     *Fault
}

// Figures are what messages say about themselves.
type Figures struct {
	Stats Counts
	// The time of the last message that has one.
	Last ThreadTime
	// Counts the lines that are not messages.
	Bad int64
}

// Tally is what a messages.jsonl says about itself.
type Tally struct {
	Figures
	// Where the unfinished last line begins, or the length.
	Next int64
}

// Mismatch is a cached figure that the messages do not bear out.
type Mismatch struct{ Field, Cached, Derived, Reason string }

// Comparison is a tally, and the cached figures that differ from it.
type Comparison struct {
	Tally
	Mismatches []Mismatch
}

// ThreadFiles are a thread's two files.
type ThreadFiles struct {
	Thread   []byte `json:"-" abi:"input"`
	Messages []byte `json:"-" abi:"input"`
}

// CheckOptions say what is known about a thread and how much the caller wants.
type CheckOptions struct {
	// The name of the thread's directory, where that is known.
	Dir string `json:"dir,omitzero"`
	// How many findings are listed, by default 1000.
	Limit int64 `json:"limit,omitzero"`
}

// ThreadCheck is what a thread's files show about the rules.
type ThreadCheck struct {
	Figures
	// Whether the last line has no line end.
	Torn     bool
	Findings []ThreadFinding
	// Counts the findings beyond the limit.
	More int64
}

// ThreadFinding is a fault or a note in one of a thread's files. The line is 0 in
// thread.json.
type ThreadFinding struct {
	File string `abi:"thread.json|messages.jsonl"`
	Finding
}

// Repair is what repairing did to a thread.json.
type Repair struct {
	// Whether the file has to be rewritten with the new bytes.
	Changed    bool
	Mismatches []Mismatch
	// The length of the new bytes.
	Length int64
	Data   []byte `json:"-" abi:"rest"`
}

// Change sets one member of a JSON file.
type Change struct {
	// Names the member, after the objects around it.
	Path  []string `json:"path"`
	Value Value    `json:"value"`
}

// NewThread is what a new thread.json says. Times are Unix milliseconds.
type NewThread struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Created int64  `json:"created"`
	// By default the time of its creation.
	Updated  *int64        `json:"updated,omitzero"`
	Agent    Agent         `json:"agent"`
	Context  ThreadContext `json:"context"`
	Stats    Counts        `json:"stats,omitzero"`
	ParentID string        `json:"parentId,omitzero"`
	Metadata Value         `json:"metadata,omitzero"`
}

// NewBlock is a block to write: raw without its white space, or else the other members.
type NewBlock struct {
	Raw         Value  `json:"raw,omitzero"`
	Type        string `json:"type,omitzero"`
	Text        string `json:"text,omitzero"`
	AssetRef    string `json:"assetRef,omitzero"`
	MimeType    string `json:"mimeType,omitzero"`
	URI         string `json:"uri,omitzero"`
	Name        string `json:"name,omitzero"`
	Size        int64  `json:"size,omitzero"`
	ToolCallID  string `json:"toolCallId,omitzero"`
	Annotations Value  `json:"annotations,omitzero"`
}

// NewToolCall is a tool call to be written, as a block is.
type NewToolCall struct {
	Raw       Value      `json:"raw,omitzero"`
	ID        string     `json:"id,omitzero"`
	Name      string     `json:"name,omitzero"`
	Status    string     `json:"status,omitzero"`
	Title     string     `json:"title,omitzero"`
	Kind      string     `json:"kind,omitzero"`
	Input     *string    `json:"input,omitzero"`
	Output    *string    `json:"output,omitzero"`
	Duration  *int64     `json:"duration,omitzero"`
	Diff      *NewDiff   `json:"diff,omitzero"`
	Locations []Location `json:"locations,omitzero"`
}

// NewDiff is a change to one file, to be written.
type NewDiff struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// NewAgentMessage is what a new line of a messages.jsonl says.
type NewAgentMessage struct {
	ID   string `json:"id"`
	Role string `json:"role"`
	// In Unix milliseconds.
	Time       int64         `json:"time"`
	Content    []NewBlock    `json:"content"`
	Tools      []NewToolCall `json:"tools,omitzero"`
	StopReason string        `json:"stopReason,omitzero"`
	Model      string        `json:"model,omitzero"`
	Tokens     *Tokens       `json:"tokens,omitzero"`
}

// ForkPlan says how a thread is continued as another one.
type ForkPlan struct {
	ID string `json:"id"`
	// In Unix milliseconds.
	Created int64 `json:"created"`
	// By default the parent's.
	Title string `json:"title,omitzero"`
	// The id of the last message that the fork takes over, by default all of them.
	Through string `json:"through,omitzero"`
}

// ForkHead is how long the two files of a fork are.
type ForkHead struct{ ThreadLength, MessagesLength int64 }

// AssetQuery describes content to be named or checked.
type AssetQuery struct {
	// The name that it was found by.
	Name *string `json:"name,omitzero"`
	// Its extension without the dot.
	Ext      string `json:"ext,omitzero"`
	MimeType string `json:"mimeType,omitzero"`
}

// Asset is what content is.
type Asset struct {
	// The name of a new asset with this content.
	Name string
	// The MIME type of an image that may be shown, or empty.
	ImageType string `abi:"|image/png|image/jpeg|image/gif|image/webp"`
	// What is wrong with the content under the name it was found by.
	Fault *Fault
}

// AssetName is a reference to a file in assets/. One with a fault must not be opened.
type AssetName struct {
	Hex, Ext string
	Fault    *Fault
}

// InlineHead is how long a line without its base64 data is, and each asset.
type InlineHead struct {
	Length int64
	Assets []AssetLength
}

// AssetLength is the name of an asset, and how many bytes it has.
type AssetLength struct {
	Name   string
	Length int64
}
