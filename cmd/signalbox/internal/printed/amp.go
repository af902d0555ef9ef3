package printed

// Letter is a signed message, as "amp inbox" has it.
type Letter struct {
	ID        string `json:"id"`
	File      string `json:"file" jsonschema:"its file, relative to the directory of the mailboxes"`
	Mailbox   string `json:"mailbox" jsonschema:"the name of the mailbox that it is in"`
	Box       string `json:"box" jsonschema:"inbox or sent"`
	Own       bool   `json:"own" jsonschema:"whether that mailbox is yours"`
	From      string `json:"from"`
	To        string `json:"to"`
	Subject   string `json:"subject"`
	Priority  string `json:"priority" jsonschema:"urgent, high, normal or low"`
	Type      string `json:"type" jsonschema:"what kind of message it is, such as request"`
	InReplyTo string `json:"inReplyTo" jsonschema:"the id of the message that it answers"`
	Time      int64  `json:"time"`
	Received  int64  `json:"received" jsonschema:"when it was delivered, as a time"`
	Expires   int64  `json:"expires" jsonschema:"when it is no longer good, as a time; 0 for never"`
	Expired   bool   `json:"expired" jsonschema:"whether that time has passed"`
	Status    string `json:"status" jsonschema:"unread, read or archived"`
	State     string `json:"state" jsonschema:"how far it can be trusted, such as verified"`
	Reason    string `json:"reason" jsonschema:"why, in words"`
	Key       string `json:"key" jsonschema:"the fingerprint of the key that it was held against"`
	Step      string `json:"step" jsonschema:"in which form it was signed"`
}

// ListedLetter is a signed message in a list.
type ListedLetter struct {
	Letter
	Attachments int `json:"attachments" jsonschema:"how many files came with it"`
	Faults      int `json:"faults" jsonschema:"how many rules it breaks"`
}

// ReadLetter is a whole signed message, as "amp read" has it.
type ReadLetter struct {
	Letter
	Thread      string     `json:"thread"`
	Flags       []string   `json:"flags"`
	Text        string     `json:"text"`
	Context     Raw        `json:"context,omitempty" jsonschema:"the object beside the text, in the sender's own form"`
	Attachments []Attached `json:"attachments"`
	Faults      []Fault    `json:"faults"`
}

// Attached is a file that came with a signed message.
type Attached struct {
	ID       string `json:"id"`
	Filename string `json:"filename" jsonschema:"the name that the sender gave it"`
	Name     string `json:"name" jsonschema:"the name that it is saved under"`
	Type     string `json:"type" jsonschema:"its media type, as the sender says"`
	Size     int64  `json:"size" jsonschema:"its size in bytes"`
	Digest   string `json:"digest"`
	Scan     string `json:"scan" jsonschema:"what a scan found, as the sender's program says"`
	File     string `json:"file" jsonschema:"where it is, relative to the mailbox; empty if it is not there"`
	Problem  string `json:"problem,omitempty" jsonschema:"why it cannot be saved, if it cannot"`
}

// SentLetter is a signed message that was delivered.
type SentLetter struct {
	ID    string `json:"id"`
	To    string `json:"to"`
	Sent  string `json:"sent" jsonschema:"the file of your copy"`
	Inbox string `json:"inbox" jsonschema:"the file in the receiver's inbox"`
}

// Exported is a signed message that was written to a file.
type Exported struct {
	ID   string `json:"id"`
	To   string `json:"to"`
	File string `json:"file"`
}

// Archived is a signed message that was put away, or taken back.
type Archived struct {
	ID      string `json:"id"`
	File    string `json:"file" jsonschema:"its file, relative to the directory of the mailboxes"`
	Status  string `json:"status" jsonschema:"archived or read"`
	Changed bool   `json:"changed" jsonschema:"whether it was not so before"`
}

// Deleted is a signed message that was deleted.
type Deleted struct {
	ID   string `json:"id"`
	File string `json:"file" jsonschema:"its file, relative to the directory of the mailboxes"`
}

// Key is a known key of somebody.
type Key struct {
	Address     string `json:"address"`
	Fingerprint string `json:"fingerprint"`
	Algorithm   string `json:"algorithm" jsonschema:"Ed25519, RSA or ECDSA"`
	Time        int64  `json:"time" jsonschema:"since when it is known"`
	Source      string `json:"source" jsonschema:"what it came from"`
	Now         string `json:"now,omitempty" jsonschema:"the fingerprint of the key that the mailbox has instead, if it has changed"`
}

// ChangedKey is what was done with the key of an address.
type ChangedKey struct {
	Address     string `json:"address"`
	Fingerprint string `json:"fingerprint"`
	Result      string `json:"result" jsonschema:"what was done, in words"`
}

// NewMailbox is a mailbox that was made.
type NewMailbox struct {
	Name        string `json:"name" jsonschema:"the name of the mailbox"`
	Address     string `json:"address"`
	Fingerprint string `json:"fingerprint"`
	File        string `json:"file" jsonschema:"the folder of the mailbox"`
	PrivateKey  string `json:"privateKey" jsonschema:"where the private key is kept"`
}

// Verified is what "amp verify" finds in one file.
type Verified struct {
	File     string   `json:"file"`
	Verified bool     `json:"verified" jsonschema:"whether the signature is its sender's"`
	State    string   `json:"state" jsonschema:"how far it can be trusted, such as verified"`
	Reason   string   `json:"reason" jsonschema:"why, in words"`
	Step     string   `json:"step" jsonschema:"in which form it was signed"`
	Key      string   `json:"key" jsonschema:"the fingerprint of the key that it was held against"`
	ID       string   `json:"id"`
	From     string   `json:"from"`
	To       string   `json:"to"`
	Flags    []string `json:"flags"`
	Faults   []Fault  `json:"faults"`
}

// CheckedLetter is what "amp check" finds in one file.
type CheckedLetter struct {
	File   string  `json:"file"`
	OK     bool    `json:"ok" jsonschema:"whether no rule is broken"`
	ID     string  `json:"id"`
	Faults []Fault `json:"faults"`
	Notes  []Fault `json:"notes"`
}
