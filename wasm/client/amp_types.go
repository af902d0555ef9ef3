package client

import "encoding/json"

// MailTime is a timestamp as a message of amp/0.1 has it.
type MailTime struct {
	// Text is what the message says, also where it cannot be read.
	Text string
	// Millis is in Unix milliseconds.
	Millis int64
	// OK tells that Text could be read.
	OK bool
}

// Mail is a message of amp/0.1 as it is stored. Members that are missing or of the
// wrong kind are zero, and listed in Faults. From, To, Subject, Priority, InReplyTo
// and the payload are signed; all else is anybody's word.
type Mail struct {
	Version, ID, From, To, Subject string
	// Priority is urgent, high, normal or low.
	Priority      string
	Time, Expires MailTime
	// Signature is base64, and empty where the message is not signed.
	Signature string
	// SignatureID names the signature, so that it is found again under another
	// message's id.
	SignatureID                         string
	InReplyTo, ThreadID, IdempotencyKey string
	Payload                             MailPayload
	Local                               MailLocal
	Security                            MailSecurity
	// Faults break rules that a reader has to insist on, Notes are what real
	// senders do.
	Faults, Notes []Fault
}

// MailPayload is what a message says.
type MailPayload struct {
	Type string
	// Text is the message itself, as it is stored, a trust wrapper included.
	Text string
	// Context is the message's own object, or nil.
	Context     json.RawMessage
	Attachments []MailAttachment
}

// MailAttachment is what a message says of a file that lies elsewhere. A name is
// safe to use only through [AMP.Filename], content only after
// [AMP.CheckAttachment].
type MailAttachment struct {
	ID, Filename, ContentType string
	// Size is in bytes.
	Size int64
	// Digest is sha256: and 64 hexadecimal digits.
	Digest string
	// URL is never fetched by itself.
	URL        string
	ScanStatus string
	// Uploaded.Text and Expires.Text are what is written.
	Uploaded, Expires MailTime
}

// MailLocal is what the receiver's client keeps beside a message.
type MailLocal struct {
	Received, ReadAt MailTime
	// Status is unread, read or archived.
	Status string
	// Method is how the message came.
	Method string
	// Verified is the word of whoever stored the message, and proves nothing.
	Verified bool
}

// MailSecurity is what somebody else thought of a message when it was stored:
// information, and never a reason to trust it.
type MailSecurity struct {
	TrustLevel                          string
	Flags                               []string
	QuarantineID, WindowScan, RiskLevel string
	// RiskScore is 0 to 100, or -1 where there is none.
	RiskScore int64
	Wrapped   bool
}

// MailVerdict tells what a signature fits.
type MailVerdict struct {
	Verified bool
	// Step is the form in which the message was signed, as core/amp's Step names it:
	// "as stored", "without the empty attachments" or "without the trust wrapper",
	// perhaps with more after a comma, or "not verified".
	Step string
	// Payload is the payload as it was hashed, and Signed the text that was signed.
	// Both are empty where the signature does not fit.
	Payload, Signed string
	// Fault says what is wrong, or is nil.
	Fault *Fault
}

// MailKnown is what a reader knows when a message is judged.
type MailKnown struct {
	// Keys are the sender's, in PEM or DER.
	Keys [][]byte
	// Pin is the fingerprint of the key that was first seen of the sender, or empty.
	Pin string
	// Self are the reader's addresses. It is not looked at if it is empty.
	Self []string
	// Earlier lists the signatures of messages that came before, the oldest first.
	Earlier []MailSignature
	// Now is in Unix milliseconds.
	Now int64
}

// MailSignature is the signature of a message by [Mail.SignatureID], and that
// message's id.
type MailSignature struct {
	SignatureID string `json:"signatureId"`
	ID          string `json:"id"`
	// IdempotencyKey is that message's, or empty where it is not known.
	IdempotencyKey string `json:"idempotencyKey,omitempty"`
}

// MailTrust is what was found out about a message.
type MailTrust struct {
	// State is verified, external, untrusted, unsigned, key unknown, key mismatch,
	// replayed, expired or sent before.
	State string
	// Reason is a lower-case phrase for a person. It may quote the message.
	Reason string
	// Step is that of a [MailVerdict].
	Step string
	// Key is the fingerprint of the key that the signature fits, or empty.
	Key string
	// Flags are those of [AMP.Flags].
	Flags []string
}

// MailLink is what a message says about its place in a conversation.
type MailLink struct {
	ID        string `json:"id"`
	InReplyTo string `json:"inReplyTo"`
}

// MailPlace is a message's place in a conversation.
type MailPlace struct {
	// Thread is the id of the message that the conversation begins with.
	Thread string
	// Parent is the index of the message that it replies to, or -1.
	Parent int64
	// Depth counts the messages above it that are there.
	Depth int64
	// Missing tells of a reply to a message that is not there, Cycle of a message
	// that was taken out of a circle of replies.
	Missing, Cycle bool
}

// MailDraft is a message to be written.
type MailDraft struct {
	// ID is as [AMP.NewMailID] makes it, IdempotencyKey as [AMP.NewIdempotencyKey]
	// does. A retry keeps both.
	ID             string `json:"id"`
	IdempotencyKey string `json:"idempotencyKey"`
	From           string `json:"from"`
	To             string `json:"to"`
	Subject        string `json:"subject"`
	// Priority is normal if it is empty.
	Priority string `json:"priority"`
	// Millis is when it is written. Expires may be 0. Both are in Unix milliseconds.
	Millis    int64  `json:"millis"`
	Expires   int64  `json:"expires"`
	InReplyTo string `json:"inReplyTo"`
	ThreadID  string `json:"threadId"`
	Type      string `json:"type"`
	Text      string `json:"text"`
	// Context is a JSON object, or nil.
	Context     json.RawMessage  `json:"context,omitzero"`
	Attachments []MailAttachment `json:"-"`
	// Routed tells that a provider will take the message.
	Routed bool `json:"routed"`
}

// MailLetter is a message that only lacks its signature.
type MailLetter struct {
	// Payload is the payload as it is hashed and written.
	Payload string
	// Signed is what has to be signed: by Ed25519 as it stands, by RSA and ECDSA
	// its SHA-256 digest.
	Signed string
	// Portability lists what other implementations hash in another way.
	Portability []Fault
}

// MailReply is the beginning of an answer's draft.
type MailReply struct{ From, To, Subject, InReplyTo, ThreadID string }

// MailFilename is what may become of a file's name.
type MailFilename struct {
	// Safe is the name under which an attachment that was received may be stored,
	// and Clean the one that a new attachment gets for a file of that name. Either
	// is empty where its fault is set.
	Safe, Clean           string
	SafeFault, CleanFault *Fault
	// Device tells of the name of a device on Windows.
	Device bool
}

// MailKey is a public key.
type MailKey struct {
	// Algorithm is Ed25519, RSA or ECDSA P-256.
	Algorithm string
	// Fingerprint is SHA256: and the base64 form of the digest of the key's DER form.
	Fingerprint string
	PEM         string
}

// MailID is the id of a message or an attachment in its parts.
type MailID struct {
	// Valid tells that the id has the form; it is then safe as the name of a file.
	Valid bool
	// Seconds is in Unix seconds, and Millis tells that the id counts milliseconds.
	Seconds int64
	Millis  bool
	Suffix  string
	Dashes  bool
}

// MailAddress is a full address in its parts, both empty if it is not valid.
type MailAddress struct {
	Valid         bool
	Agent, Domain string
}
