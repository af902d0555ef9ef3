package panel

import "github.com/signalbox-dev/signalbox/core/amp"

// AttachmentItem is a file that came with a message. All fields except Present, Problem and
// Confirm are claims of the sender.
type AttachmentItem struct {
	ID   string `json:"id"`   // for signalbox/attachment/open and save
	Name string `json:"name"` // safe to be a file's name, or empty
	Type string `json:"type"`
	Size int64  `json:"size"`
	Scan string `json:"scan"`
	// Expires is when it may be deleted.
	Expires int64 `json:"expires,omitempty"`
	// Present is set if the file exists. Before it is opened or saved, it is checked to be the
	// one that was sent.
	Present bool `json:"present"`
	// Problem is the reason why it cannot be opened, with the rule, or a caution.
	Problem string `json:"problem,omitempty"`
	// Confirm is set if a person has to agree before it is opened or saved.
	Confirm bool `json:"confirm,omitempty"`
}

// AttachmentParams are the params of signalbox/attachment/open.
type AttachmentParams struct {
	Ref        Ref    `json:"ref"`
	Attachment string `json:"attachment" check:"given"`
	// Confirmed is set if the user agreed, see [AttachmentItem.Confirm].
	Confirmed bool `json:"confirmed,omitempty"`
}

// SaveParams are the params of signalbox/attachment/save.
type SaveParams struct {
	AttachmentParams
	Path string `json:"path" check:"given"` // absolute; nothing may exist there yet
}

// AttachmentFile is the result of signalbox/attachment/open and signalbox/attachment/save: a
// file whose size and digest were checked. Opening makes a private copy for the editor to
// show, never to run.
type AttachmentFile struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Type string `json:"type"`
	Size int64  `json:"size"`
}

// AmpState is the trust in signed mail, in a word or two.
type AmpState = amp.State

// Priority is how urgent the sender says the message is.
type Priority string

// The priorities of signed mail.
const (
	PriorityUrgent Priority = "urgent"
	PriorityHigh   Priority = "high"
	PriorityNormal Priority = "normal"
	PriorityLow    Priority = "low"
)

// MailStatus is what the user did with a signed message.
type MailStatus string

// The statuses of signed mail.
const (
	MailUnread   MailStatus = "unread"
	MailRead     MailStatus = "read"
	MailArchived MailStatus = "archived"
)

// MailFolder is the part of a mailbox that a signed message is in.
type MailFolder string

// The parts of a mailbox.
const (
	FolderInbox MailFolder = "inbox"
	FolderSent  MailFolder = "sent"
)

// AmpThread is what only a thread of signed mail has. Attachments counts the files of
// all messages; the rest describes the newest message.
type AmpThread struct {
	Priority    Priority `json:"priority"`
	State       AmpState `json:"state"` // of trust
	Trust       Trust    `json:"trust"`
	Expires     int64    `json:"expires,omitempty"`
	Expired     bool     `json:"expired,omitempty"`
	Attachments int      `json:"attachments"`
	Mailbox     string   `json:"mailbox"` // the name of the agent whose mailbox it is in
	Archived    bool     `json:"archived,omitempty"`
	// Archivable is set if the user may mark and archive it: some of its messages are in
	// their own inbox.
	Archivable bool `json:"archivable,omitempty"`
}

// AmpMessage is what only a signed message has.
type AmpMessage struct {
	Subject  string   `json:"subject"`
	Priority Priority `json:"priority"`
	Type     string   `json:"type"`
	// State is the trust in a word or two. The message's own Trust is a phrase with the
	// reason.
	State   AmpState   `json:"state"`
	Expires int64      `json:"expires,omitempty"`
	Expired bool       `json:"expired,omitempty"`
	Status  MailStatus `json:"status"`
	Mailbox string     `json:"mailbox"` // the name of the agent whose mailbox it is in
	Box     MailFolder `json:"box"`
	// Depth is the depth of the message in the tree of replies. Parent is the message that it
	// replies to. If that message is not here, Missing is set instead.
	Depth   int    `json:"depth"`
	Parent  *Ref   `json:"parent,omitempty"`
	Missing string `json:"missing,omitempty"` // the id of the missing message
	// Context is JSON, indented, or empty.
	Context     string           `json:"context,omitempty"`
	Attachments []AttachmentItem `json:"attachments"`
	// Flags are categories of suspicious words: a hint, not a verdict.
	Flags []string `json:"flags"`
	// Faults are the rules that the message breaks.
	Faults []Warning `json:"faults"`
	// Key is the fingerprint of the key that the signature fits, or empty. Step is the form
	// that was signed.
	Key  string `json:"key,omitempty"`
	Step string `json:"step,omitempty"`
	// Archivable is set if the user may mark and archive it: it is in their own inbox.
	Archivable bool `json:"archivable"`
}
