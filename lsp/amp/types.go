// Package amp is the store of amp/0.1: the mailboxes of the agents on this machine, each with
// received and sent messages, attachments and keys.
//
// Start with [Locate] and [OpenLive], or with [Scan] to read once. [Open] returns a [Box] to
// write to, and [Init] makes one. A root is a mailbox itself, as in the spec's local storage,
// or holds one in each folder of agents, as existing clients write them, or both:
//
//	[agents/<name>/]config.json                     who it belongs to
//	[agents/<name>/]keys/{private,public}.pem
//	[agents/<name>/]messages/inbox/<sender>/<message id>.json
//	[agents/<name>/]messages/sent/<recipient>/<message id>.json
//	[agents/<name>/]attachments/<attachment id>/<file name>
//
// Names of files and folders prove nothing: only the content of a message counts. Files are
// opened beneath the root, never through a link. A private key is read only to sign, and no
// value that this package returns contains it.
package amp

import (
	"crypto/sha256"
	"log/slog"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// The boxes of a mailbox.
const (
	Inbox = "inbox"
	Sent  = "sent"
)

// Problem is something to report to the user.
type Problem = follow.Problem

// Mailbox is one agent's mailbox. It is shared and never changes.
type Mailbox struct {
	// Dir is its folder relative to the root, "." for the root itself, with "/"
	// between the names.
	Dir  string
	Path string // absolute
	Name string // the agent's in config.json, or the folder's
	// Addresses are the owner's, the main one first: the address in config.json,
	// then the ones in its registrations. There may be none.
	Addresses []amp.Address
	// Key is the public key in keys/public.pem, or the zero Key if it cannot be read.
	Key amp.Key
	// Signs is set if there is a private key. Whether it matches Key is checked when it is
	// used.
	Signs            bool
	Messages, Unread int // of the inbox
}

// Message is a message file in the index; [Snapshot.Read] returns all of it. Fields other than
// Key, Mailbox, Box, File, Size and Modified come from the file's content. It is shared and
// never changes.
type Message struct {
	// Key identifies the message in refs: the file's path relative to the root, with "/"
	// between the names.
	Key     string
	Mailbox *Mailbox
	Box     string // [Inbox] or [Sent]
	File    string // relative to the mailbox, with "/" between the names

	ID, From, To      string
	Subject, Priority string
	Type, InReplyTo   string
	// Time is when it was written, Received when it arrived according to whoever stored it,
	// Expires when it expires. All are Unix milliseconds, 0 if the file has none.
	Time, Received, Expires int64
	Status                  string // [amp.Unread], [amp.Read] or [amp.Archived]
	SignatureID             string // [amp.Message.SignatureID]
	Excerpt                 string // the beginning of the text, unchanged, at most 400 bytes
	Attachments             int
	Want                    mail.Want // what the text asks of its reader
	// Faults counts the rules that the message breaks. Err is why it cannot be read at all, a
	// *[canon.Fault] or a file error. ID then comes from the file's name, or is empty.
	Faults         int
	Err            error
	Size, Modified int64 // in bytes, and in Unix milliseconds

	// digest is the digest of the file, signedDigest of the signed content and the signature.
	// Both are zero if the message cannot be read.
	digest, signedDigest [sha256.Size]byte
}

// Placed is a message in its thread.
type Placed struct {
	*Message
	// Copies are the other files that hold it, with the same id, signature and signed words:
	// what one agent sent is what another one received.
	Copies  []*Message
	Parent  int  // the index in the thread of the message that it answers, or -1
	Depth   int  // the number of existing messages above it
	Missing bool // set for a reply to a message that does not exist
}

// Thread is a group of messages that answer each other (rule SIG-8).
type Thread struct {
	ID string // the id of its first message, which may not exist
	// Messages are in the order in which a tree of replies is read: each one after the one that
	// it answers, oldest first.
	Messages    []Placed
	Last, First int64 // the newest and the oldest time, in Unix milliseconds
}

// Root is the directory of mailboxes at one moment, without the mail in them.
type Root struct {
	Path, ID  string     // the absolute path, and the root's id in refs
	Exists    bool       // whether the root exists
	Err       error      // why the root cannot be read
	Mailboxes []*Mailbox // ordered by Dir
	Messages  int        // the number of message files
	Problems  []Problem  // ordered by Path; problems with watching come last
}

// Snapshot is a root at one moment. It never changes, and its content is shared.
type Snapshot struct {
	Root
	Threads  []*Thread // newest first by Last, then ID, both descending
	Watching string    // [follow.Notify], [follow.Partly] or [follow.Poll]
	Ready    bool      // false until the first scan is complete
	Seen     *Seen     // remembers what [Snapshot.Trust] judged, or is nil

	byID      map[string]*Thread
	lazyIndex messageIndex // filled by [Snapshot.index]
	cache     *trustCache
	strangers bool
}

// Change lists what became different.
type Change struct {
	Threads   []string // ids, sorted
	Mailboxes bool     // set if a mailbox came, went, or has another owner or key
	Messages  bool     // set unless only the status of messages changed

	other bool // set if something else changed
}

// Config sets which root is followed and how.
type Config struct {
	Path string // the root, absolute. It need not exist yet.
	Seen *Seen  // shared by all snapshots
	// Strangers is set if the mailboxes may be a stranger's. No key in them is then known.
	Strangers bool
	Once      bool // do not follow the root; see [follow.Config]
	Logger    *slog.Logger
	Changed   func(Change) // called for each change. It must not block.
}
