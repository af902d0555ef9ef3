package panel

import "fmt"

// Draft is a message being written. Its text is the user's own: raw, not sanitized.
// It is signed mail (amp/0.1) if it answers signed mail or To contains an "@". The fields
// from Subject on are only for signed mail.
type Draft struct {
	To       string `json:"to"`
	Thread   string `json:"thread,omitempty"` // empty: derived from the body
	Body     string `json:"body" check:"long"`
	ReplyTo  *Ref   `json:"replyTo,omitempty"`
	Subject  string `json:"subject,omitempty"`
	Priority string `json:"priority,omitempty"`
	Type     string `json:"type,omitempty"`
	Context  string `json:"context,omitempty" check:"long"` // a JSON object
	// Attachments are paths of files, absolute.
	Attachments []string `json:"attachments,omitempty" check:"most 64"`
	// Stamp is a ComposePreview.Stamp: the message is then sent exactly as it was shown, or
	// not at all.
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
	// Reach is how the draft's recipient is reached, if it is an agent, and Agent is the
	// session that is reached.
	Reach Reach      `json:"reach,omitempty"`
	Agent *AgentItem `json:"agent,omitempty"`
	// Amp is who signs signed mail. It is nil if there are no mailboxes.
	Amp *Identity `json:"amp,omitempty"`
}

// Recipient is somebody the user may write to. LastTime is when they were last seen, or 0 for
// never. Doing is what an agent is doing, in words, and Reach how it is reached.
type Recipient struct {
	Alias    string `json:"alias"`
	LastTime int64  `json:"lastTime"`
	Doing    string `json:"doing,omitempty"`
	Reach    Reach  `json:"reach,omitempty"`
}

// ThreadName is a thread a draft may continue.
type ThreadName struct {
	Name  string   `json:"name"` // for Draft.Thread
	Title string   `json:"title"`
	With  []string `json:"with"` // its participants, as ThreadItem has them
	Ref   Ref      `json:"ref"`
}

// Identity is who signs what the user sends.
type Identity struct {
	Name        string `json:"name"`
	Address     string `json:"address"`
	Fingerprint string `json:"fingerprint"`
	Origin      string `json:"origin"` // e.g. "setting signalbox.amp.identity", "alias"
	CanSend     bool   `json:"canSend"`
	Reason      string `json:"reason,omitempty"` // why not
	// Recipients are addresses. Mailboxes on this machine come first.
	Recipients []Recipient `json:"recipients"`
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
	// Protocol is the draft's format. For signed mail, Signed is the exact bytes that will be
	// signed, and Record is the payload exactly as it is hashed and written. Stamp is for the
	// draft that is sent.
	Protocol    string           `json:"protocol"`
	Signed      string           `json:"signed,omitempty"`
	Stamp       string           `json:"stamp,omitempty"`
	Attachments []AttachmentItem `json:"attachments,omitempty"`
}

// Object adds an objection to the draft.
func (c *ComposePreview) Object(severity DraftSeverity, rule, field, message string) {
	c.Warnings = append(c.Warnings, DraftWarning{Severity: severity, Rule: rule, Field: field, Message: message})
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
// same ClientToken returns the first result and writes nothing.
type SendParams struct {
	Draft       Draft  `json:"draft"`
	ClientToken string `json:"clientToken" check:"given"`
}

// Sent is the result of signalbox/message/send.
type Sent struct {
	Ref        Ref    `json:"ref"`
	Thread     Ref    `json:"thread"`
	ID         string `json:"id"`
	ThreadName string `json:"threadName"`
	// Reach is how the recipient was reached, if it is an agent.
	Reach Reach `json:"reach,omitempty"`
}

// RecipientsMost is the largest number of recipients that a format offers.
const RecipientsMost = 100

// maxClientToken is the length in bytes of the longest client token.
const maxClientToken = 128

// CheckClientToken returns an [*Error] for a token that is empty or too long to be stored.
func CheckClientToken(token string) error {
	if token == "" || len(token) > maxClientToken {
		return &Error{Kind: Malformed, Message: fmt.Sprintf("clientToken has to be 1 to %d bytes long", maxClientToken)}
	}
	return nil
}
