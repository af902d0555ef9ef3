package panel

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Status is the result of signalbox/status and the params of
// signalbox/didChangeStatus.
type Status struct {
	Version       string        `json:"version"`
	Alias         string        `json:"alias"`
	AliasOrigin   string        `json:"aliasOrigin"` // e.g. "setting signalbox.alias", ".agent-message", "folder name"
	AliasValid    bool          `json:"aliasValid"`
	Person        string        `json:"person,omitempty"` // the user's alias in their configuration
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
	Overdue       int           `json:"overdue"`  // tasks with missed ACKs or silence that was not escalated
	Needs         int           `json:"needs"`    // the Total of a [NeedsPage]
	Warnings      []Warning     `json:"warnings"`
}

// Waits returns how much needs the user and how much is unread, in words: "32 need you, 216 unread".
func (s *Status) Waits() string {
	words := show.Count(s.Needs, "needs you", "need you")
	if s.Needs == 0 {
		words = "Nothing needs you"
	}
	return words + ", " + strconv.Itoa(s.Unread) + " unread"
}

// SSOT is a directory of task messages and its condition.
type SSOT struct {
	Path     string   `json:"path"`
	Origin   string   `json:"origin"` // e.g. "setting signalbox.tasks.directory", "SIGNALBOX_SSOT", ".ssot in the workspace"
	Store    string   `json:"store"`  // the Ref.Store of everything in it
	Own      bool     `json:"own"`    // it has Signalbox's layout; otherwise envelopes may be anywhere in it
	Exists   bool     `json:"exists"`
	Writable bool     `json:"writable"`
	Error    string   `json:"error,omitempty"`
	Watching Watching `json:"watching"`
	Watchdog bool     `json:"watchdog"` // this server reports missed ACKs and silence
	Tasks    int      `json:"tasks"`
	Messages int      `json:"messages"`
	Rejected int      `json:"rejected"`
}

// Watching is how the server notices changes in a directory.
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

// Directory is one message directory and its condition.
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

// MailRoot is a directory of mailboxes and its condition.
type MailRoot struct {
	Path     string    `json:"path"`
	Origin   string    `json:"origin"` // e.g. "AMP_DIR", "setting signalbox.amp.directory", "default ($HOME/.agent-messaging)"
	Store    string    `json:"store"`  // the Ref.Store of everything in it
	Exists   bool      `json:"exists"`
	Error    string    `json:"error,omitempty"`
	Watching Watching  `json:"watching"`
	Messages int       `json:"messages"`
	Boxes    []MailBox `json:"boxes"`
}

// MailBox is one agent's mailbox.
type MailBox struct {
	Name        string `json:"name"`
	Address     string `json:"address"` // empty if it has none
	Own         bool   `json:"own"`     // it is the user's: mail in it counts, and drafts are signed with its key
	Signs       bool   `json:"signs"`
	Fingerprint string `json:"fingerprint,omitempty"` // of its public key
	Messages    int    `json:"messages"`
	Unread      int    `json:"unread"`
}

// Limits are the limits of what the server accepts.
type Limits struct {
	BodyChars  int `json:"bodyChars"`  // Unicode code points in a draft's body
	PageMax    int `json:"pageMax"`    // largest limit of a page
	RefsMax    int `json:"refsMax"`    // most tokens in one link/resolve
	FrameBytes int `json:"frameBytes"` // largest JSON-RPC frame
}

// LinkPattern finds possible mentions in a text; see [mail.LinkPattern].
type LinkPattern = mail.LinkPattern
