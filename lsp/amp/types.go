// Package amp is the store of amp/0.1: the mailboxes of the agents on this
// machine, each with an inbox, what was sent, attachments and keys.
//
// Start with [Locate] and [OpenLive], or [Scan] to look once; [Open] gives a [Box]
// to write to, [Init] makes one. A root is a mailbox itself, as the spec's local
// storage has it, or holds one in each folder of agents, as existing clients write
// them, or both:
//
//	[agents/<name>/]config.json                     who it belongs to
//	[agents/<name>/]keys/{private,public}.pem
//	[agents/<name>/]messages/inbox/<sender>/<message id>.json
//	[agents/<name>/]messages/sent/<recipient>/<message id>.json
//	[agents/<name>/]attachments/<attachment id>/<file name>
//
// Names of files and folders prove nothing: a message is what it says, and files
// are opened beneath the root, never through a link. A private key is read to sign
// and for nothing else: it is in no value that this package gives out.
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

// Problem is something that the user should know, in words.
type Problem = follow.Problem

// Mailbox is one agent's. It is shared and never changed once it was given out.
type Mailbox struct {
	// Dir is its folder relative to the root, "." for the root itself, with "/"
	// between the names.
	Dir  string
	Path string // absolute
	Name string // the agent's by config.json, else the folder's
	// Addresses are the owner's, the main one first: the address in config.json,
	// then the ones in its registrations. There may be none.
	Addresses []amp.Address
	// Key is the public key in keys/public.pem, the zero Key where there is none
	// that can be read.
	Key amp.Key
	// Signs is set where there is a private key to sign with. Whether it fits Key is
	// looked at when it is used.
	Signs            bool
	Messages, Unread int // those in the inbox, and the unread ones among them
}

// Message is what the index keeps of a message file; [Snapshot.Read] gives the
// whole. Everything but Key, Mailbox, Box, File, Size and Modified is what the file
// says. It is shared and never changed once it was given out.
type Message struct {
	// Key names the message in refs: the file's path relative to the root, with "/"
	// between the names.
	Key     string
	Mailbox *Mailbox
	Box     string // [Inbox] or [Sent]
	File    string // relative to the mailbox, with "/" between the names

	ID, From, To      string
	Subject, Priority string
	Type, InReplyTo   string
	// Time is when it was written, Received when it came by the word of whoever
	// stored it, Expires when it is stale. All are Unix milliseconds, 0 where the
	// file has none.
	Time, Received, Expires int64
	Status                  string // [amp.Unread], [amp.Read] or [amp.Archived]
	SignatureID             string // [amp.Message.SignatureID]
	Excerpt                 string // the beginning of the text, at most 400 bytes, as it stands there
	Attachments             int
	Want                    mail.Want // of its reader, by the text
	// Faults counts the rules that the message breaks. Err is why it cannot be
	// read at all, a *[canon.Fault] or a file error; ID is then made of the file's
	// name, or empty.
	Faults         int
	Err            error
	Size, Modified int64 // in bytes, and in Unix milliseconds

	// digest is the file's, and said that of what was signed and of the signature. Both are
	// zero for what cannot be read.
	digest, signedDigest [sha256.Size]byte
}

// Placed is a message in its thread.
type Placed struct {
	*Message
	// Copies are the other files that hold it, with the same id, the same signature
	// and the same words in what is signed: what one agent sent is what another
	// one received.
	Copies  []*Message
	Parent  int  // the index in the thread of the message that it replies to, or -1
	Depth   int  // counts the messages above it that are there
	Missing bool // tells of a reply to a message that is not there
}

// Thread is a conversation, grouped by what replies to what (rule SIG-8).
type Thread struct {
	ID string // the id of the message that it begins with, which may not be there
	// Messages are in the order in which a tree of replies is read: each one after
	// the one that it replies to, the oldest first.
	Messages    []Placed
	Last, First int64 // the newest and the oldest time, in Unix milliseconds
}

// Root is the directory of mailboxes at one moment, without the mail in them.
type Root struct {
	Path, ID  string     // absolute, and a name for it in refs
	Exists    bool       // set where the root is there
	Err       error      // why the root cannot be read
	Mailboxes []*Mailbox // ordered by Dir
	Messages  int        // counts the files of messages
	Problems  []Problem  // ordered by Path; what is wrong with watching comes last
}

// Snapshot is what there was at one moment. It is never changed; what it holds is
// shared.
type Snapshot struct {
	Root
	Threads  []*Thread // newest first by Last, then ID, both descending
	Watching string    // [follow.Notify], [follow.Partly] or [follow.Poll]
	Ready    bool      // false before everything was looked at for the first time
	Seen     *Seen     // remembers what [Snapshot.Trust] judged, or is nil

	byID      map[string]*Thread
	find      finder
	judged    *judged
	strangers bool
}

// Change says what became different.
type Change struct {
	Threads   []string // ids, sorted
	Mailboxes bool     // set where a mailbox came, went, or has another owner or key
	Messages  bool     // set unless no more than the status of messages changed

	other bool // than Threads and Mailboxes
}

// Config says which root is followed, and how.
type Config struct {
	Path string // the root, absolute. It need not exist yet.
	Seen *Seen  // shared by all its snapshots
	// Strangers is set if the mailboxes may be a stranger's. No key in them is then known.
	Strangers bool
	Once      bool // nothing is followed, as [follow.Config] says
	Logger    *slog.Logger
	Changed   func(Change) // told what became different. It must not block.
}
