package panel

// Turn is the content of a message of an agent's own conversation.
type Turn struct {
	Role       string `json:"role"` // "user", "agent", "system", or another role of the file
	Model      string `json:"model,omitempty"`
	StopReason string `json:"stopReason,omitempty"`
	// Gap is set for a line without a message: the rule and the reason. Parts is then empty.
	Gap   string `json:"gap,omitempty"`
	Parts []Part `json:"parts"`
}

// PartKind is the kind of a [Part].
type PartKind string

// The kinds of a [Part].
const (
	PartText     PartKind = "text"
	PartThinking PartKind = "thinking"
	PartImage    PartKind = "image"
	PartTool     PartKind = "tool"
	PartOther    PartKind = "other" // a block that is not shown: Label says which
)

// Part is one content block or tool call, in the order in which they are shown.
type Part struct {
	Kind  PartKind  `json:"kind"`
	HTML  string    `json:"html,omitempty"`  // of text and thinking: safe HTML made by core/render
	Label string    `json:"label,omitempty"` // a description of an image or another block
	Cut   bool      `json:"cut,omitempty"`   // the text is longer than what is shown
	Asset string    `json:"asset,omitempty"` // of an image: for signalbox/thread/asset
	Fault string    `json:"fault,omitempty"` // why an image cannot be shown, with the rule
	Tool  *ToolPart `json:"tool,omitempty"`
}

// ToolPart is one use of a tool.
type ToolPart struct {
	Index     int            `json:"index"` // among the message's calls, for signalbox/thread/diff
	Name      string         `json:"name"`
	Title     string         `json:"title"`    // empty if the line has none
	Status    string         `json:"status"`   // "pending", "running", "completed", "failed" or, from other writers, any text
	Kind      string         `json:"kind"`     // such as "read"; empty if the line has none
	Duration  int64          `json:"duration"` // in milliseconds, -1 if the line has none
	Input     string         `json:"input"`
	Output    string         `json:"output"`
	InputCut  bool           `json:"inputCut,omitempty"`
	OutputCut bool           `json:"outputCut,omitempty"`
	Locations []ToolLocation `json:"locations"`
	Diff      *DiffPart      `json:"diff,omitempty"`
	// Started is the thread of the subagent that the call started.
	Started *Ref `json:"started,omitempty"`
}

// ToolLocation is a place in a file that a tool was used on. It is shown, not opened.
type ToolLocation struct {
	Path string `json:"path"`
	Line int64  `json:"line,omitempty"`
}

// DiffPart summarises a change to a file; [Diff] has its texts.
type DiffPart struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	// Hunks are the changed lines with the lines around them, as in a unified diff without its
	// header. They are safe to show, and empty if the texts are too long.
	Hunks string `json:"hunks,omitempty"`
	Cut   bool   `json:"cut,omitempty"` // there are more lines than Hunks has
}

// DiffParams are the params of signalbox/thread/diff: a message and one of its
// tool calls, by [ToolPart.Index].
type DiffParams struct {
	Ref  Ref `json:"ref"`
	Tool int `json:"tool"`
	// Secrets asks for the keys and tokens in a session's change as they are. Otherwise
	// they are masked.
	Secrets bool `json:"secrets,omitempty"`
}

// Diff is the result of signalbox/thread/diff. Old and New are exactly the texts of the line,
// not sanitized: a client may show them only in a text editor.
type Diff struct {
	Path    string `json:"path"`
	Created bool   `json:"created"`
	Old     string `json:"old"`
	New     string `json:"new"`
}

// AssetParams are the params of signalbox/thread/asset: a thread or one of its
// messages, and a [Part.Asset].
type AssetParams struct {
	Ref   Ref    `json:"ref"`
	Asset string `json:"asset"`
}

// Asset is the result of signalbox/thread/asset: a raster image whose name,
// digest and first bytes were checked.
type Asset struct {
	Asset    string    `json:"asset"`
	MimeType ImageType `json:"mimeType"` // from the bytes
	Base64   string    `json:"base64"`
}

// ImageType is the media type of an [Asset].
type ImageType string

// The images that are shown.
const (
	ImagePNG  ImageType = "image/png"
	ImageJPEG ImageType = "image/jpeg"
	ImageGIF  ImageType = "image/gif"
	ImageWebP ImageType = "image/webp"
)

// EditsParams are the params of signalbox/edit/list: a file of a checkout, and its text
// in the editor.
type EditsParams struct {
	Path string `json:"path"`              // absolute
	Text string `json:"text" check:"long"` // a text of more than 1 MiB has no edits
}

// Edits is the result of signalbox/edit/list: changes by agents that are still in the file, in
// the order of their first lines. They do not overlap: the newest change of a line is listed.
// Only the newest messages of a checkout's newest conversations are searched, in conversations
// that the user may read in the inbox.
type Edits struct {
	Edits []Edit `json:"edits"`
}

// Edit is one change by an agent that is still in the file.
type Edit struct {
	Line    int    `json:"line"` // the first, from 0
	Lines   int    `json:"lines"`
	Thread  Ref    `json:"thread"`
	Message Ref    `json:"message"`
	Title   string `json:"title"` // of the thread
	By      string `json:"by"`
	Time    int64  `json:"time"`
}

// FileEdit is a change to a file, as a conversation records it.
type FileEdit struct {
	Edit
	// Text are the lines that the change put into the file.
	Text []string
}
