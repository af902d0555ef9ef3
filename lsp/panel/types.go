// Package panel makes what each panel shows, as plain values: the inbox, a
// thread, a preview, a draft and its dry run. Start with [Open]. It asks
// lsp/store for what is on disk, passes every string of a stranger through
// core/render, and knows nothing of JSON-RPC.
package panel

import "github.com/signalbox-dev/signalbox/core/mail"

// The values that panels take and give. They are plain: the JSON names are the
// wire protocol's, so lsp/server sends them as they are.
// extension/src/protocol.ts is generated from them, comments included. All times are Unix milliseconds. All
// strings in results are sanitized unless a field says otherwise. A slice
// without omitempty is never nil in a result, so that it is sent as [].

// Ref names one message or thread; see [mail.Ref].
type Ref = mail.Ref

// Settings are what a client sends as initializationOptions and again in
// workspace/didChangeConfiguration under settings.signalbox. A zero field means
// "not set", so the environment or a default decides.
type Settings struct {
	Alias            string         `json:"alias,omitempty"`
	Directories      []string       `json:"directories,omitempty"`
	Profile          ProfileSetting `json:"profile,omitempty"`
	ReadOnly         bool           `json:"readOnly,omitempty"`
	UpdateWatermark  bool           `json:"updateWatermark,omitempty"`
	HoverMaxMessages int            `json:"hoverMaxMessages,omitempty"` // messages in a preview; 0 means the default
	SSOT             string         `json:"ssot,omitempty"`             // the directory of task messages
	Watchdog         bool           `json:"watchdog,omitempty"`         // report missed ACKs and silence as escalations
	AmpDirectory     string         `json:"ampDirectory,omitempty"`     // the directory of mailboxes
	AmpIdentity      string         `json:"ampIdentity,omitempty"`      // the name or address of the user's own mailbox
	Diagnostics      *bool          `json:"diagnostics,omitempty"`      // whether open documents are checked; without it they are
	// ShowDocuments has the server open the texts of commands in the client, which
	// cannot do so itself.
	ShowDocuments bool `json:"showDocuments,omitempty"`
}

// ProfileSetting chooses the form of the SAMP ids that the user's messages get.
type ProfileSetting string

// The values of [Settings.Profile].
const (
	ProfileAuto      ProfileSetting = "auto"
	ProfileV1        ProfileSetting = "v1"
	ProfileV1Compact ProfileSetting = "v1-compact"
)

// Diagnoses reports whether open documents are checked.
func (s *Settings) Diagnoses() bool { return s.Diagnostics == nil || *s.Diagnostics }

// Warning is a remark about a store or page: the rule that fired and, in words
// a person can act on, what it means.
type Warning struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// Status is the result of signalbox/status and the params of
// signalbox/didChangeStatus.
type Status struct {
	Version       string        `json:"version"`
	Alias         string        `json:"alias"`
	AliasOrigin   string        `json:"aliasOrigin"` // e.g. "setting signalbox.alias", ".agent-message", "folder name"
	AliasValid    bool          `json:"aliasValid"`
	Profile       string        `json:"profile"`
	ProfileOrigin string        `json:"profileOrigin"`
	Directories   []Directory   `json:"directories"`
	Limits        Limits        `json:"limits"`
	LinkPatterns  []LinkPattern `json:"linkPatterns"`
	Indexing      bool          `json:"indexing"`
	ReadOnly      bool          `json:"readOnly"`
	Unread        int           `json:"unread"`
	NeedsReply    int           `json:"needsReply"`
	Projects      []Project     `json:"projects"`
	SSOTs         []SSOT        `json:"ssots"`
	MailRoots     []MailRoot    `json:"mailRoots"`
	Critical      int           `json:"critical"` // open critical escalations
	Overdue       int           `json:"overdue"`  // missed ACKs and silence that nobody escalated
	Warnings      []Warning     `json:"warnings"`
}

// Watching is how a server learns of changes in a directory.
type Watching string

// The values of Watching. With WatchPartly some of the directory is polled.
const (
	WatchNotify Watching = "notify"
	WatchPoll   Watching = "poll"
	WatchPartly Watching = "partly"
)

// Project is one project whose agents' threads are shown: a repository with its
// worktrees, or a plain folder.
type Project struct {
	Path      string   `json:"path"`   // the main checkout, the bare repository or the folder
	Origin    string   `json:"origin"` // e.g. "workspace folder", "working directory"
	Watching  Watching `json:"watching"`
	Worktrees []Group  `json:"worktrees"`
}

// Directory is one message directory and how it fares.
type Directory struct {
	Path       string `json:"path"`
	Origin     string `json:"origin"` // e.g. "AGENT_MESSAGE_DIR", "setting", "default ($HOME/dev/.message)"
	OK         bool   `json:"ok"`
	Exists     bool   `json:"exists"`
	Writable   bool   `json:"writable"`
	Error      string `json:"error,omitempty"`
	Store      string `json:"store"` // the Ref.Store of everything in it
	Logs       int    `json:"logs"`
	Messages   int    `json:"messages"`
	Malformed  int    `json:"malformed"`
	Suspicious int    `json:"suspicious"`
}

// Limits tells a client what the server accepts.
type Limits struct {
	BodyChars  int `json:"bodyChars"`  // Unicode code points in a draft's body
	PageMax    int `json:"pageMax"`    // largest limit of a page
	RefsMax    int `json:"refsMax"`    // most tokens in one link/resolve
	FrameBytes int `json:"frameBytes"` // largest JSON-RPC frame
}

// LinkPattern finds possible mentions in a text; see [mail.LinkPattern].
type LinkPattern = mail.LinkPattern

// InboxFilter narrows an inbox. Absent fields do not narrow.
type InboxFilter struct {
	Unread     bool   `json:"unread,omitempty"`
	Mine       bool   `json:"mine,omitempty"`
	Protocol   string `json:"protocol,omitempty"`
	Text       string `json:"text,omitempty"`
	Suspicious bool   `json:"suspicious,omitempty"`
	Group      string `json:"group,omitempty"` // a Group.ID
	// Archived shows the archived threads, which are hidden otherwise, and no others;
	// Snoozed shows the snoozed ones. With both, both are shown.
	Archived bool `json:"archived,omitempty"`
	Snoozed  bool `json:"snoozed,omitempty"`
	// Everywhere shows all threads, put away or not.
	Everywhere bool `json:"everywhere,omitempty"`
}

// InboxParams are the params of signalbox/inbox/list. Limit 0 means the
// default; Cursor is an InboxPage.NextCursor of a page in the same order. Sort is
// [SortNewest] if it is empty.
type InboxParams struct {
	Filter InboxFilter `json:"filter,omitzero"`
	Sort   Sort        `json:"sort,omitempty"`
	Cursor string      `json:"cursor,omitempty"`
	Limit  int         `json:"limit,omitempty"`
}

// InboxPage is the result of signalbox/inbox/list, newest thread first or as asked.
type InboxPage struct {
	Threads    []ThreadItem `json:"threads"`
	NextCursor string       `json:"nextCursor,omitempty"`
	Unread     int          `json:"unread"`
	NeedsReply int          `json:"needsReply"`
	Suspicious int          `json:"suspicious"`
	// Groups are all there are, whatever the filter: mail, then worktrees. What they
	// count is what Archived, Snoozed and Everywhere of the filter leave.
	Groups   []Group   `json:"groups"`
	Revision int64     `json:"revision"`
	Warnings []Warning `json:"warnings"`
}

// GroupKind is the kind of a [Group].
type GroupKind string

// The kinds of a [Group].
const (
	GroupMail     GroupKind = "mail"     // the message directories
	GroupWorktree GroupKind = "worktree" // a checkout of a repository, or a plain folder
)

// Group is what a list puts threads under: the mail, or the worktree in which
// agents held their conversations.
type Group struct {
	ID       string    `json:"id"`
	Kind     GroupKind `json:"kind"`
	Title    string    `json:"title"`            // the branch, else what the worktree is called
	Path     string    `json:"path,omitempty"`   // of the worktree or folder
	Branch   string    `json:"branch,omitempty"` // empty where there is none, as in a detached checkout
	Main     bool      `json:"main,omitempty"`   // the repository's main checkout
	Gone     bool      `json:"gone,omitempty"`   // the worktree was removed; what is known is from the cache
	Note     string    `json:"note,omitempty"`   // in words, what is special: gone, cannot be read, detached
	Threads  int       `json:"threads"`
	Unread   int       `json:"unread"`
	LastTime int64     `json:"lastTime"` // 0 where there is no thread
}

// ThreadItem is one thread as a list shows it.
type ThreadItem struct {
	Ref          Ref      `json:"ref"`
	Protocol     string   `json:"protocol"`
	Title        string   `json:"title"`             // the thread's name, or its subject where it has one
	Subject      string   `json:"subject,omitempty"` // where Title is a name: the first line of what it begins with
	Name         string   `json:"name,omitempty"`    // by which link/resolve finds it; empty where no link can hold that
	Participants []string `json:"participants"`
	LastFrom     string   `json:"lastFrom"`
	LastTo       string   `json:"lastTo"`
	LastTime     int64    `json:"lastTime"`
	FirstTime    int64    `json:"firstTime"`
	Count        int      `json:"count"`
	Unread       int      `json:"unread"`
	NeedsReply   bool     `json:"needsReply"`
	Mine         bool     `json:"mine"`
	Preview      string   `json:"preview"` // one line, at most 200 characters
	Marks        []string `json:"marks"`   // "sync copy", "late", "suspicious", "gone", "faulty"
	// Archived and Snoozed, the time at which it comes back, are of a thread that the
	// user put away. Returned is set once it came back, until it is read.
	Archived bool  `json:"archived,omitempty"`
	Snoozed  int64 `json:"snoozed,omitempty"`
	Returned bool  `json:"returned,omitempty"`
	// Group is the ID of the [Group] that the thread stands in.
	Group string `json:"group"`
	// Agent is set for an agent's own conversation (ATSF) alone.
	Agent *AgentThread `json:"agent,omitempty"`
	// Amp is set for signed mail (amp/0.1) alone.
	Amp *AmpThread `json:"amp,omitempty"`
}

// AgentThread is what only an agent's own conversation has.
type AgentThread struct {
	Name      string `json:"name"`             // the agent's
	Branch    string `json:"branch,omitempty"` // at the thread's beginning
	Dir       string `json:"dir"`              // the thread's directory, its address
	ThreadID  string `json:"threadId"`         // as thread.json has it, which may be another
	Parent    string `json:"parent,omitempty"` // the thread that it was forked from
	ToolCalls int    `json:"toolCalls"`
	Fault     string `json:"fault,omitempty"` // why thread.json cannot be read, with the rule
}

// ThreadParams are the params of signalbox/thread/get. Ref names a thread, or a
// message whose thread is meant. At most one of Before, After and Side is set;
// with none of them the newest page is given. Limit 0 means the default.
type ThreadParams struct {
	Ref    Ref    `json:"ref"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Side asks for a page at the message that Ref names, wherever in its thread
	// it stands: a client need not keep the cursors of pages that it let go.
	Side  Side `json:"side,omitempty"`
	Limit int  `json:"limit,omitempty"`
}

// Side is the part of a thread that is wanted, as seen from a message. The message
// itself is on the page around it and on no other.
type Side string

// The sides of a message, for [ThreadParams].
const (
	SideBefore Side = "before"
	SideAfter  Side = "after"
	SideAround Side = "around"
)

// ThreadPage is the result of signalbox/thread/get: messages oldest first, and
// a cursor for each side on which there are more.
type ThreadPage struct {
	Thread   ThreadItem    `json:"thread"`
	Messages []MessageItem `json:"messages"`
	Before   string        `json:"before,omitempty"`
	After    string        `json:"after,omitempty"`
	Related  []ThreadLink  `json:"related"` // threads of other formats that name this one, or that it names
	Warnings []Warning     `json:"warnings"`
	Revision int64         `json:"revision"`
}

// ThreadLink leads to another thread.
type ThreadLink struct {
	Ref   Ref    `json:"ref"`
	Agent bool   `json:"agent"` // an agent's own conversation, not mail
	Title string `json:"title"`
	Count int    `json:"count"`
}

// MessageItem is one message of a thread.
type MessageItem struct {
	Ref       Ref      `json:"ref"`
	ID        string   `json:"id"`
	From      string   `json:"from"`
	To        string   `json:"to"`
	Time      int64    `json:"time"`
	Mine      bool     `json:"mine"`
	Unread    bool     `json:"unread"`
	HTML      string   `json:"html"` // safe HTML made by core/render, and nothing else
	Text      string   `json:"text"`
	Chars     int      `json:"chars"` // code points of the whole body, also when truncated
	Truncated bool     `json:"truncated"`
	IDForm    IDForm   `json:"idForm"`
	Trust     Trust    `json:"trust"`
	Marks     []string `json:"marks"`
	Origin    Origin   `json:"origin"`
	// Turn is set for a message of an agent's own conversation (ATSF); HTML is
	// then empty and Text the whole as text.
	Turn *Turn `json:"turn,omitempty"`
	// Amp is set for a signed message (amp/0.1).
	Amp *AmpMessage `json:"amp,omitempty"`
}

// IDForm is how a SAMP message's id was made; empty for the other formats.
type IDForm string

// The forms of ids.
const (
	IDNone         IDForm = ""
	IDSpaced       IDForm = "spaced"
	IDCompact      IDForm = "compact"
	IDASCIIEscaped IDForm = "ascii-escaped"
	IDUnnormalised IDForm = "unnormalised"
	IDWrong        IDForm = "wrong"
	IDMissing      IDForm = "missing"
)

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
}

// DiffParams are the params of signalbox/thread/diff: a message and one of its
// tool calls, by [ToolPart.Index].
type DiffParams struct {
	Ref  Ref `json:"ref"`
	Tool int `json:"tool"`
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

// TrustLevel is how far a message can be believed, for colour beside the words.
type TrustLevel string

// The levels of [Trust].
const (
	TrustOK   TrustLevel = "ok"
	TrustNote TrustLevel = "note"
	TrustWarn TrustLevel = "warn"
)

// Trust says in words how far a message's sender and id can be believed.
type Trust struct {
	Level  TrustLevel `json:"level"`
	Label  string     `json:"label"`
	Detail string     `json:"detail"`
}

// Origin says where a message was read: the log's file name and the 1-based line.
type Origin struct {
	Log  string `json:"log"`
	Line int    `json:"line"`
}

// ResolveParams are the params of signalbox/link/resolve: raw tokens as found
// in a text, each a 16-digit hex id or a thread name, at most Limits.RefsMax.
type ResolveParams struct {
	Refs []string `json:"refs"`
}

// LinkStatus says whether a token stands for something.
type LinkStatus string

// The statuses of a token.
const (
	LinkFound     LinkStatus = "found"
	LinkAmbiguous LinkStatus = "ambiguous" // several things go by that name
	LinkMissing   LinkStatus = "missing"
)

// LinkKind is the kind of thing that a token stands for.
type LinkKind string

// The kinds of things that tokens stand for.
const (
	LinkMessage LinkKind = "message"
	LinkThread  LinkKind = "thread"
	LinkBranch  LinkKind = "branch" // of git, which may have threads
)

// ResolvedLink is what one token stands for. Kind and what follows are set when it
// was found.
type ResolvedLink struct {
	Token   string     `json:"token"` // as it was sent, so that a client can match it: not sanitized
	Status  LinkStatus `json:"status"`
	Kind    LinkKind   `json:"kind,omitempty"`
	Title   string     `json:"title,omitempty"`
	Thread  *Ref       `json:"thread,omitempty"`
	Message *Ref       `json:"message,omitempty"`
	Preview string     `json:"preview,omitempty"` // safe Markdown, at most 4096 bytes
	// Agent is set when an agent's own conversation was found, not mail.
	Agent bool `json:"agent,omitempty"`
	// Related are threads of other formats that go by the same name.
	Related []ThreadLink `json:"related,omitempty"`
}

// Draft is a message being written. Its text is the user's own: raw, not sanitized.
// It is signed mail (amp/0.1) if it answers some, or if To holds an "@"; the other
// fields from Subject on are for that alone.
type Draft struct {
	To       string `json:"to"`
	Thread   string `json:"thread,omitempty"` // empty: derived from the body
	Body     string `json:"body"`
	ReplyTo  *Ref   `json:"replyTo,omitempty"`
	Subject  string `json:"subject,omitempty"`
	Priority string `json:"priority,omitempty"`
	Type     string `json:"type,omitempty"`
	Context  string `json:"context,omitempty"` // a JSON object
	// Attachments are paths of files, absolute.
	Attachments []string `json:"attachments,omitempty"`
	// Stamp is a ComposePreview.Stamp: what is sent is then exactly what was shown,
	// or nothing.
	Stamp string `json:"stamp,omitempty"`
}

// ComposeParams are the params of signalbox/compose/context. With Ref the draft
// is a reply to it.
type ComposeParams struct {
	Ref *Ref `json:"ref,omitempty"`
}

// ComposeContext is the result of signalbox/compose/context. Reason says why
// when CanSend is false.
type ComposeContext struct {
	From       string       `json:"from"`
	Recipients []Recipient  `json:"recipients"`
	Threads    []ThreadName `json:"threads"`
	CanSend    bool         `json:"canSend"`
	Reason     string       `json:"reason"`
	Draft      *Draft       `json:"draft,omitempty"`
	// Amp is who signs signed mail; nil where there are no mailboxes.
	Amp *Identity `json:"amp,omitempty"`
}

// Recipient is somebody the user may write to and when they were last seen.
type Recipient struct {
	Alias    string `json:"alias"`
	LastTime int64  `json:"lastTime"`
}

// ThreadName is a thread a draft may continue.
type ThreadName struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Ref   Ref    `json:"ref"`
}

// PreviewParams are the params of signalbox/compose/preview.
type PreviewParams struct {
	Draft Draft `json:"draft"`
}

// ComposePreview is the result of signalbox/compose/preview: what sending the
// draft would write. Record is the exact JSON line and is not sanitized, so a
// client may show it only as plain text.
type ComposePreview struct {
	Record   string         `json:"record"`
	ID       string         `json:"id"`
	Thread   string         `json:"thread"`
	To       string         `json:"to"`
	From     string         `json:"from"`
	Log      string         `json:"log"`
	Profile  string         `json:"profile"`
	CanSend  bool           `json:"canSend"`
	Warnings []DraftWarning `json:"warnings"`
	// Signed are, of signed mail, the exact bytes that will be signed, and Record
	// is the payload exactly as it is hashed and written. Stamp is for the draft
	// that is sent. Protocol is the draft's format.
	Protocol    string           `json:"protocol"`
	Signed      string           `json:"signed,omitempty"`
	Stamp       string           `json:"stamp,omitempty"`
	Attachments []AttachmentItem `json:"attachments,omitempty"`
}

// DraftSeverity is how severe a [DraftWarning] is.
type DraftSeverity string

// The severities of a [DraftWarning].
const (
	DraftError DraftSeverity = "error" // prevents sending
	DraftNote  DraftSeverity = "warning"
)

// DraftWarning is one objection to a draft.
type DraftWarning struct {
	Severity DraftSeverity `json:"severity"`
	Rule     string        `json:"rule"`
	Field    string        `json:"field"` // "to", "thread", "body", "from", "subject", "priority", "type", "context", "attachments" or one of these, "attachments[0]"
	Message  string        `json:"message"`
}

// SendParams are the params of signalbox/message/send. Sending again with the
// same ClientToken gives the first result and writes nothing.
type SendParams struct {
	Draft       Draft  `json:"draft"`
	ClientToken string `json:"clientToken"`
}

// Sent is the result of signalbox/message/send.
type Sent struct {
	Ref        Ref    `json:"ref"`
	Thread     Ref    `json:"thread"`
	ID         string `json:"id"`
	ThreadName string `json:"threadName"`
}

// ReadParams are the params of signalbox/read/set. A thread's ref stands for
// all its messages. UpdateWatermark absent means as the settings say.
type ReadParams struct {
	Refs            []Ref `json:"refs"`
	Read            bool  `json:"read"`
	UpdateWatermark *bool `json:"updateWatermark,omitempty"`
}

// Counts is the result of signalbox/read/set: what is left over all stores. Revision
// is at least that of the change which the request made: a list that is as new shows it.
type Counts struct {
	Unread     int   `json:"unread"`
	NeedsReply int   `json:"needsReply"`
	Revision   int64 `json:"revision"`
}

// Change is the params of signalbox/didChange. Refs are threads, at most 100;
// Truncated says there were more, so everything may have changed.
type Change struct {
	Revision   int64    `json:"revision"`
	Kinds      []string `json:"kinds"` // "messages", "read", "tasks"
	Refs       []Ref    `json:"refs"`
	Truncated  bool     `json:"truncated"`
	Unread     int      `json:"unread"`
	NeedsReply int      `json:"needsReply"`
	Critical   int      `json:"critical"` // open critical escalations
	Overdue    int      `json:"overdue"`  // missed ACKs and silence that nobody escalated
}

// Kind classes an [Error] as the wire protocol does; lsp/server gives each its
// number (1001 NotFound to 1009 Unsupported). Its text is what a client sees in
// the error's data.code.
type Kind string

// The kinds of failure a panel tells apart. Anything else is a plain error and
// reaches a client as an internal one.
const (
	NotFound         Kind = "NotFound"         // no such message, thread or page
	Ambiguous        Kind = "Ambiguous"        // several things go by that name
	AliasInvalid     Kind = "AliasInvalid"     // the user has no usable alias
	NotOwner         Kind = "NotOwner"         // the log belongs to somebody else
	StoreUnavailable Kind = "StoreUnavailable" // the directory cannot be read or written
	Malformed        Kind = "Malformed"        // a draft, cursor or ref of the wrong form
	TooLarge         Kind = "TooLarge"         // over one of Limits
	Untrusted        Kind = "Untrusted"        // refused because the server is read-only or the data is suspicious
	Unsupported      Kind = "Unsupported"      // a protocol or feature this server lacks
)

// Error is a failure with a kind. Message is one line for a person and is
// sanitized; Detail may name the path, rule or field; Retryable says that the
// same request can succeed later without a change.
type Error struct {
	Kind      Kind
	Message   string
	Detail    string
	Retryable bool
	Err       error // the cause, for logs; not sent
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
