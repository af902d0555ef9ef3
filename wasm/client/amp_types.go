package client

// Mail is a message of amp/0.1 as it is stored. Members that are missing or of the
// wrong kind are zero, and listed in the faults. The sender, receiver, subject,
// priority, inReplyTo and payload are signed; anybody can have written the rest.
type Mail struct {
	Version, ID, From, To, Subject string
	// One of urgent, high, normal and low.
	Priority      string
	Time, Expires Time
	// In base64, and empty where the message is not signed.
	Signature string
	// Names the signature, so that it is found again under another message's id.
	SignatureID                         string
	InReplyTo, ThreadID, IdempotencyKey string
	Payload                             MailPayload
	Local                               MailLocal
	Security                            MailSecurity
	Findings
}

// MailPayload is what a message says.
type MailPayload struct {
	Type string
	// The message itself, as it is stored, a trust wrapper included.
	Text string
	// The message's own object. Its bytes are signed: see verify.
	Context     Value
	Attachments []MailAttachment
}

// MailAttachment is what a message says about a file that lies elsewhere. Its
// content is safe to open only after checkAttachment.
type MailAttachment struct {
	ID string `json:"id"`
	// Safe to use only through filename.
	Filename    string `json:"filename"`
	ContentType string `json:"contentType"`
	// In bytes.
	Size int64 `json:"size"`
	// sha256: and 64 hexadecimal digits.
	Digest string `json:"digest"`
	// Never fetched by itself.
	URL        string `json:"url"`
	ScanStatus string `json:"scanStatus"`
	Uploaded   Time   `json:"uploaded"`
	Expires    Time   `json:"expires"`
}

// MailLocal is what the receiver's client keeps with a message.
type MailLocal struct {
	Received, ReadAt Time
	// One of unread, read and archived.
	Status string
	// How the message came.
	Method string
	// The word of whoever stored the message, which proves nothing.
	Verified bool
}

// MailSecurity is what somebody else thought of a message when it was stored:
// information, and never a reason to trust it.
type MailSecurity struct {
	TrustLevel               string
	Flags                    []string
	QuarantineID, WindowScan string
	// From 0 to 100, or -1 if there is none.
	RiskScore int64
	RiskLevel string
	Wrapped   bool
}

// MailVerdict is what a signature fits.
type MailVerdict struct {
	Verified bool
	// The form in which the message was signed: "as stored", "without the empty
	// attachments" or "without the trust wrapper", each perhaps followed by ", with"
	// and what its sender wrote in another way; or "not verified".
	Step string
	// The payload as it was hashed, and the text that was signed. Both are empty
	// where the signature does not fit.
	Payload, Signed string
	// What is wrong.
	Fault *Fault
}

// MailKnown is what a reader knows when a message is judged.
type MailKnown struct {
	// In Unix milliseconds.
	Now int64 `json:"now"`
	// The sender's, in PEM or DER.
	Keys [][]byte `json:"-" abi:"input,new?"`
	// The fingerprint of the key that was first seen of the sender.
	Pin string `json:"pin,omitzero"`
	// The reader's addresses.
	Self []string `json:"self,omitzero"`
	// The signatures of messages that came before, the oldest first.
	Earlier []MailSignature `json:"earlier,omitzero"`
}

// MailSignature is the signature of a message by its signatureId, and the
// message's id.
type MailSignature struct {
	SignatureID string `json:"signatureId"`
	ID          string `json:"id"`
	// The message's, or empty where it is not known.
	IdempotencyKey string `json:"idempotencyKey,omitempty" abi:"?"`
}

// MailTrust is what was found out about a message.
type MailTrust struct {
	State string `abi:"verified|external|untrusted|unsigned|key unknown|key mismatch|replayed|expired|sent before"`
	// A lower-case phrase for a person. It may quote the message.
	Reason string
	// The step of a [MailVerdict].
	Step string
	// The fingerprint of the key that the signature fits, or empty.
	Key string
	// Categories of suspicious words: a hint for a person.
	Flags []string
}

// MailLink is what a message says about its place in a conversation.
type MailLink struct {
	ID        string `json:"id"`
	InReplyTo string `json:"inReplyTo,omitzero"`
}

// MailPlace is a message's place in a conversation.
type MailPlace struct {
	// The id of the message that the conversation begins with.
	Thread string
	// The index of the message that it replies to, or -1.
	Parent int64
	// Counts the messages above it that are there.
	Depth int64
	// Whether it replies to a message that is not there.
	Missing bool
	// Whether it was taken out of a circle of replies.
	Cycle bool
}

// MailDraft is a message to be written.
type MailDraft struct {
	// As newId and newIdempotencyKey make them. A retry keeps both.
	ID             string `json:"id"`
	IdempotencyKey string `json:"idempotencyKey"`
	From           string `json:"from"`
	To             string `json:"to"`
	Subject        string `json:"subject"`
	// By default normal.
	Priority string `json:"priority,omitzero"`
	// When it is written, in Unix milliseconds.
	Millis int64 `json:"millis"`
	// In Unix milliseconds.
	Expires   int64  `json:"expires,omitzero"`
	InReplyTo string `json:"inReplyTo,omitzero"`
	ThreadID  string `json:"threadId,omitzero"`
	Type      string `json:"type"`
	Text      string `json:"text,omitzero"`
	// A JSON object.
	Context     Value            `json:"context,omitzero"`
	Attachments []MailAttachment `json:"attachments,omitzero"`
	// Whether a provider will take the message.
	Routed bool `json:"routed,omitzero"`
}

// MailLetter is a message that only lacks its signature.
type MailLetter struct {
	// The payload as it is hashed and written.
	Payload string
	// The text to sign: Ed25519 signs it as it is, RSA and ECDSA sign its SHA-256
	// digest.
	Signed string
	// Lists what other implementations hash in another way.
	Portability []Fault
}

// MailReply is the beginning of an answer's draft.
type MailReply struct{ From, To, Subject, InReplyTo, ThreadID string }

// MailFilename is what may become of a file's name.
type MailFilename struct {
	// The name under which a received attachment may be stored, empty with a fault.
	Safe      string
	SafeFault *Fault
	// The name that a new attachment gets for a file of that name, empty with a fault.
	Clean      string
	CleanFault *Fault
	// Whether it is the name of a device on Windows.
	Device bool
}

// MailKey is a public key.
type MailKey struct {
	Algorithm string `abi:"Ed25519|RSA|ECDSA P-256"`
	// SHA256: and the base64 form of the digest of the key's DER form.
	Fingerprint string
	PEM         string
}

// MailID is the id of a message or an attachment in its parts. A valid one is safe
// as the name of a file.
type MailID struct {
	Valid bool
	// In Unix seconds.
	Seconds int64
	// Whether the id counts milliseconds.
	Millis bool
	Suffix string
	Dashes bool
}

// MailAddress is a full address in its parts, both empty if it is not valid.
type MailAddress struct {
	Valid         bool
	Agent, Domain string
}
