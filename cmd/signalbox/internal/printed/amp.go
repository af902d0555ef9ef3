package printed

// Letter is a signed message, as "amp inbox" has it.
type Letter struct {
	ID string `json:"id"`
	// its file, relative to the directory of the mailboxes
	File string `json:"file"`
	// the name of the mailbox that it is in
	Mailbox string `json:"mailbox"`
	// inbox or sent
	Box string `json:"box"`
	// whether that mailbox is yours
	Own     bool   `json:"own"`
	From    string `json:"from"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	// urgent, high, normal or low
	Priority string `json:"priority"`
	// what kind of message it is, such as request
	Type string `json:"type"`
	// the id of the message that it answers
	InReplyTo string `json:"inReplyTo"`
	Time      int64  `json:"time"`
	// when it was delivered, as a time
	Received int64 `json:"received"`
	// when it is no longer good, as a time; 0 for never
	Expires int64 `json:"expires"`
	// whether that time has passed
	Expired bool `json:"expired"`
	// unread, read or archived
	Status string `json:"status"`
	// how far it can be trusted, such as verified
	State string `json:"state"`
	// why, in words
	Reason string `json:"reason"`
	// the fingerprint of the key that it was held against
	Key string `json:"key"`
	// in which form it was signed
	Step string `json:"step"`
}

// ListedLetter is a signed message in a list.
type ListedLetter struct {
	Letter
	// how many files came with it
	Attachments int `json:"attachments"`
	// how many rules it breaks
	Faults int `json:"faults"`
}

// ReadLetter is a whole signed message, as "amp read" has it.
type ReadLetter struct {
	Letter
	Thread string   `json:"thread"`
	Flags  []string `json:"flags"`
	Text   string   `json:"text"`
	// the object beside the text, in the sender's own form
	Context     Raw        `json:"context,omitempty"`
	Attachments []Attached `json:"attachments"`
	Faults      []Fault    `json:"faults"`
}

// Attached is a file that came with a signed message.
type Attached struct {
	ID string `json:"id"`
	// the name that the sender gave it
	Filename string `json:"filename"`
	// the name that it is saved under
	Name string `json:"name"`
	// its media type, as the sender says
	Type string `json:"type"`
	// its size in bytes
	Size   int64  `json:"size"`
	Digest string `json:"digest"`
	// what a scan found, as the sender's program says
	Scan string `json:"scan"`
	// where it is, relative to the mailbox; empty if it is not there
	File string `json:"file"`
	// why it cannot be saved, if it cannot
	Problem string `json:"problem,omitempty"`
}

// SentLetter is a signed message that was delivered.
type SentLetter struct {
	ID string `json:"id"`
	To string `json:"to"`
	// the file of your copy
	Sent string `json:"sent"`
	// the file in the receiver's inbox
	Inbox string `json:"inbox"`
}

// Exported is a signed message that was written to a file.
type Exported struct {
	ID   string `json:"id"`
	To   string `json:"to"`
	File string `json:"file"`
}

// Archived is a signed message that was put away, or taken back.
type Archived struct {
	ID string `json:"id"`
	// its file, relative to the directory of the mailboxes
	File string `json:"file"`
	// archived or read
	Status string `json:"status"`
	// whether it was not so before
	Changed bool `json:"changed"`
}

// Deleted is a signed message that was deleted.
type Deleted struct {
	ID string `json:"id"`
	// its file, relative to the directory of the mailboxes
	File string `json:"file"`
}

// Key is a known key of somebody.
type Key struct {
	Address     string `json:"address"`
	Fingerprint string `json:"fingerprint"`
	// Ed25519, RSA or ECDSA
	Algorithm string `json:"algorithm"`
	// since when it is known
	Time int64 `json:"time"`
	// what it came from
	Source string `json:"source"`
	// the fingerprint of the key that the mailbox has instead, if it has changed
	Now string `json:"now,omitempty"`
}

// ChangedKey is what was done with the key of an address.
type ChangedKey struct {
	Address     string `json:"address"`
	Fingerprint string `json:"fingerprint"`
	// what was done, in words
	Result string `json:"result"`
}

// NewMailbox is a mailbox that was made.
type NewMailbox struct {
	// the name of the mailbox
	Name        string `json:"name"`
	Address     string `json:"address"`
	Fingerprint string `json:"fingerprint"`
	// the folder of the mailbox
	File string `json:"file"`
	// where the private key is kept
	PrivateKey string `json:"privateKey"`
}

// Verified is what "amp verify" finds in one file.
type Verified struct {
	File string `json:"file"`
	// whether the signature is its sender's
	Verified bool `json:"verified"`
	// how far it can be trusted, such as verified
	State string `json:"state"`
	// why, in words
	Reason string `json:"reason"`
	// in which form it was signed
	Step string `json:"step"`
	// the fingerprint of the key that it was held against
	Key    string   `json:"key"`
	ID     string   `json:"id"`
	From   string   `json:"from"`
	To     string   `json:"to"`
	Flags  []string `json:"flags"`
	Faults []Fault  `json:"faults"`
}

// CheckedLetter is what "amp check" finds in one file.
type CheckedLetter struct {
	File string `json:"file"`
	// whether no rule is broken
	OK     bool    `json:"ok"`
	ID     string  `json:"id"`
	Faults []Fault `json:"faults"`
	Notes  []Fault `json:"notes"`
}
