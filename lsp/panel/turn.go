package panel

// Turn is what a message of an agent's own conversation is made of.
type Turn struct {
	Role       string `json:"role"` // "user", "agent", "system", or what the file says
	Model      string `json:"model,omitempty"`
	StopReason string `json:"stopReason,omitempty"`
	// Gap is set for a line that holds no message: the rule and why. Parts are empty.
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
	Label string    `json:"label,omitempty"` // what an image or another block is, in words
	Cut   bool      `json:"cut,omitempty"`   // the text is longer than what is shown
	Asset string    `json:"asset,omitempty"` // of an image: for signalbox/thread/asset
	Fault string    `json:"fault,omitempty"` // why an image cannot be shown, with the rule
	Tool  *ToolPart `json:"tool,omitempty"`
}

// ToolPart is one use of a tool.
type ToolPart struct {
	Index     int            `json:"index"` // among the message's calls, for signalbox/thread/diff
	Name      string         `json:"name"`
	Title     string         `json:"title"`    // empty where the line has none
	Status    string         `json:"status"`   // "pending", "running", "completed", "failed" or, of another writer, anything
	Kind      string         `json:"kind"`     // such as "read"; empty where the line has none
	Duration  int64          `json:"duration"` // in milliseconds, -1 where the line has none
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

// DiffPart sums up a change to a file; [Diff] has its texts.
type DiffPart struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	// Hunks are the changed lines with those around them, as in a unified diff without
	// its head. They are safe to show, and empty where the texts are too long.
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

// Diff is the result of signalbox/thread/diff. Old and New are as the line has
// them, not sanitized: a client shows them in a text editor and nowhere else.
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
// as the editor has it.
type EditsParams struct {
	Path string `json:"path"`              // absolute
	Text string `json:"text" check:"long"` // a text of more than 1 MiB has no edits
}

// Edits is the result of signalbox/edit/list: changes by agents that still stand in the
// file, by their first lines. No two overlap: the newest change of a line is the one that
// is listed. The newest messages of the newest conversations of a checkout are looked
// through, those that the user may read in the inbox.
type Edits struct {
	Edits []Edit `json:"edits"`
}

// Edit is one change that still stands.
type Edit struct {
	Line    int    `json:"line"` // the first, from 0
	Lines   int    `json:"lines"`
	Thread  Ref    `json:"thread"`
	Message Ref    `json:"message"`
	Title   string `json:"title"` // of the thread
	By      string `json:"by"`
	Time    int64  `json:"time"`
}

// FileEdit is a change to a file that a conversation holds.
type FileEdit struct {
	Edit
	// Text are the lines that the change put into the file.
	Text []string
}
