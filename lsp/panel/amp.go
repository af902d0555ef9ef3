package panel

import "github.com/signalbox-dev/signalbox/core/amp"

// AttachmentItem is a file that came with a message. Everything but Present and
// Problem is the sender's word.
type AttachmentItem struct {
	ID   string `json:"id"`   // for signalbox/attachment/open and save
	Name string `json:"name"` // safe to be a file's name, or empty
	Type string `json:"type"`
	Size int64  `json:"size"`
	Scan string `json:"scan"`
	// Expires is when it may be deleted.
	Expires int64 `json:"expires,omitempty"`
	// Present is set if there is a file. It is compared with what was sent before it
	// is opened or saved.
	Present bool `json:"present"`
	// Problem is why it cannot be opened, with the rule, or what to beware of.
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
	Path string `json:"path" check:"given"` // absolute, where nothing is yet
}

// AttachmentFile is the result of both: a file whose size and digest were checked.
// Opening makes a private copy for the editor to show, never to run.
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

// MailFolder is the part of a mailbox that a signed message lies in.
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
	Mailbox     string   `json:"mailbox"` // the name of the agent in whose mailbox it lies
	Archived    bool     `json:"archived,omitempty"`
	// Archivable is set if the user may mark and archive it: some of it lies
	// in their own inbox.
	Archivable bool `json:"archivable,omitempty"`
}

// AmpMessage is what only a signed message has.
type AmpMessage struct {
	Subject  string   `json:"subject"`
	Priority Priority `json:"priority"`
	Type     string   `json:"type"`
	// State is the trust in a word or two. Trust of the message has it in words, with
	// the reason.
	State   AmpState   `json:"state"`
	Expires int64      `json:"expires,omitempty"`
	Expired bool       `json:"expired,omitempty"`
	Status  MailStatus `json:"status"`
	Mailbox string     `json:"mailbox"` // the name of the agent in whose mailbox it lies
	Box     MailFolder `json:"box"`
	// Depth is how deep in the tree of replies the message stands, Parent what it
	// replies to. Missing is set in place of Parent if that message is not here.
	Depth   int    `json:"depth"`
	Parent  *Ref   `json:"parent,omitempty"`
	Missing string `json:"missing,omitempty"` // the id of the message that is not there
	// Context is JSON, indented, or empty.
	Context     string           `json:"context,omitempty"`
	Attachments []AttachmentItem `json:"attachments"`
	// Flags are categories of suspicious words: a hint, not a verdict.
	Flags []string `json:"flags"`
	// Faults are the rules that the message breaks.
	Faults []Warning `json:"faults"`
	// Key is the fingerprint of the key that the signature fits, or empty. Step
	// says in which form it does.
	Key  string `json:"key,omitempty"`
	Step string `json:"step,omitempty"`
	// Archivable is set if the user may mark and archive it: it lies in
	// their own inbox.
	Archivable bool `json:"archivable"`
}
