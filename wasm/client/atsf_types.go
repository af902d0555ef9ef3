package client

import "encoding/json"

// Version is a file's specVersion, 0.0 where it cannot be read.
type Version struct{ Major, Minor int64 }

// Time is a timestamp as a file has it.
type Time struct {
	// Text is what the file says, also where it cannot be read.
	Text string
	// Millis is in Unix milliseconds.
	Millis int64
	// OK tells that Text could be read, and UTC that it says so itself.
	OK, UTC bool
}

// AgentThread is a thread.json. Members that are missing or of the wrong kind
// are zero, and listed in Faults.
type AgentThread struct {
	Version          Version
	ID, Title        string
	Created, Updated Time
	Agent            Agent
	Context          ThreadContext
	Stats            Counts
	// ParentID is the thread that this one was forked from, or empty.
	ParentID string
	// Metadata is the file's own object, or nil.
	Metadata json.RawMessage
	// Odd is set where the id is not the name of the thread's directory.
	Odd           *Fault
	Faults, Notes []Fault
}

// Agent says who answers in a thread.
type Agent struct {
	ID              string `json:"id"`
	Name            string `json:"name"`
	Version         string `json:"version"`
	Protocol        string `json:"protocol"`
	ProtocolVersion int64  `json:"protocolVersion"`
}

// ThreadContext says where a thread was held. Its paths are a stranger's words.
type ThreadContext struct {
	WorkingDir  string    `json:"workingDir"`
	RelativeDir string    `json:"relativeDir"`
	GitBranch   string    `json:"gitBranch"`
	GitCommit   string    `json:"gitCommit"`
	Worktree    *Worktree `json:"worktree"`
}

// Worktree is the git worktree that a thread ran in.
type Worktree struct {
	Path   string `json:"path"`
	Branch string `json:"branch"`
}

// Counts are the figures of a thread. Messages counts those of the system too.
type Counts struct {
	Messages  int64 `json:"messages"`
	User      int64 `json:"user"`
	Agent     int64 `json:"agent"`
	ToolCalls int64 `json:"toolCalls"`
}

// AgentMessage is one line of a messages.jsonl.
type AgentMessage struct {
	// Raw is the line that was read. It aliases the input.
	Raw []byte `json:"-"`
	// ID and Role are what the file says.
	ID, Role string
	Time     Time
	Content  []Block
	Tools    []ToolCall
	// Blocks and ToolCalls count what the line has, beyond what is listed too.
	Blocks, ToolCalls int64
	StopReason, Model string
	// Tokens is nil where the line has none.
	Tokens        *Tokens
	Faults, Notes []Fault
}

// Tokens is what a message cost.
type Tokens struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

// Block is one content block.
type Block struct {
	// Raw is the block's bytes with all that is unknown. Where it is set it is
	// what is written again. It aliases the input.
	Raw json.RawMessage `json:"-"`
	// Offset and Length tell where Raw stands in the line.
	Offset, Length int64
	Type           string
	// Known tells that Type is one that the core knows.
	Known bool
	Text  string
	// AssetRef is safe to open only after [ATSF.AssetName] found no fault.
	AssetRef, MimeType string
	URI, Name          string
	Size               int64
	ToolCallID         string
	// Inline tells of base64 data in the line; see [ATSF.TakeInline].
	Inline      bool
	Annotations json.RawMessage
}

// ToolCall is one use of a tool.
type ToolCall struct {
	// Raw, Offset and Length are as in [Block].
	Raw             json.RawMessage `json:"-"`
	Offset, Length  int64
	ID, Name, Title string
	// Status is what the line says, State what it means: pending, running,
	// completed, failed, or empty.
	Status, State, Kind string
	// Input, Output and Duration, in milliseconds, are nil where the line
	// has none.
	Input, Output *string
	Duration      *int64
	Diff          *Diff
	Locations     []Location
}

// Diff is a change to one file. Created tells that the file had no text before.
type Diff struct {
	Path, Old, New string
	Created        bool
}

// Location is a place in a file. Line is 0 where there is none.
type Location struct {
	Path string `json:"path"`
	Line int64  `json:"line"`
}

// AgentLog is a part of a messages.jsonl.
type AgentLog struct {
	Entries []Entry
	// Next is where reading ended, in bytes, and Torn tells that an
	// unfinished line stands there.
	Next int64
	Torn bool
}

// Entry is one line. Either Message or Fault is set.
type Entry struct {
	// Number counts lines from 1; Offset and Length are in bytes.
	Number, Offset, Length int64
	Message                *AgentMessage
	Fault                  *Fault
}

// AgentConfig is a config.json.
type AgentConfig struct {
	Version   Version
	CreatedBy *Application
	Defaults  Defaults
	// AgentSettings is the file's own object, or nil.
	AgentSettings json.RawMessage
	Hooks         Hooks
	// Secrets names the members that look like secrets.
	Secrets       []Fault
	Faults, Notes []Fault
}

// Application is a program that writes threads.
type Application struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Defaults are for new threads.
type Defaults struct {
	AgentID, InteractionMode, ModelID string
	// UseWorktree is nil where the file does not say.
	UseWorktree *bool
}

// Hooks is what a project wants done in a new worktree. Whoever does it shows
// it first and asks.
type Hooks struct {
	Symlinks      []Symlink
	Commands      []Command
	InitialPrompt string
}

// Symlink is a link to make. One with a Fault must not be made.
type Symlink struct {
	Source, Target string
	Fault          *Fault
}

// Command is a command to run. One with a Fault must not be run.
type Command struct {
	Command, Label string
	// Timeout is in milliseconds.
	Timeout         int64
	ContinueOnError bool
	// Platforms are of win32, darwin and linux; nil means all of them.
	Platforms []string
	Fault     *Fault
}

// Tally is what the messages say about themselves.
type Tally struct {
	Stats Counts
	// Last is the time of the last message that has one.
	Last Time
	// Bad counts the lines that are no message.
	Bad int64
	// Next is where the unfinished last line begins, or the length.
	Next int64
}

// Mismatch is a cached figure that the messages do not bear out.
type Mismatch struct{ Field, Cached, Derived, Reason string }
