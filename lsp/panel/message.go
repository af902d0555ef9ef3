package panel

import (
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// MessageItem is one message of a thread.
type MessageItem struct {
	Ref       Ref      `json:"ref"`
	ID        string   `json:"id"`
	From      string   `json:"from"`
	To        string   `json:"to"`
	Time      int64    `json:"time"`
	Mine      bool     `json:"mine"`
	Unread    bool     `json:"unread"`
	HTML      string   `json:"html"` // safe HTML made by core/render, and nothing else
	Text      string   `json:"text"`
	Chars     int      `json:"chars"` // code points of the whole body, also when truncated
	Truncated bool     `json:"truncated"`
	IDForm    IDForm   `json:"idForm"`
	Trust     Trust    `json:"trust"`
	Marks     []string `json:"marks"`
	Origin    Origin   `json:"origin"`
	// Asked is set for a question to the user, or from the user to somebody else.
	Asked Asked `json:"asked,omitempty"`
	// Options are the answers that an open question to the user offers.
	Options []string `json:"options,omitempty"`
	// Answer is the option that was chosen, or the first line of the answer.
	Answer string `json:"answer,omitempty"`
	// Receipt says what became of a message from the user to somebody else, and of one that
	// an agent's program did not deliver to another agent.
	Receipt *Receipt `json:"receipt,omitempty"`
	// Turn is set for a message of an agent's own conversation (ATSF); HTML is
	// then empty and Text the whole as text.
	Turn *Turn `json:"turn,omitempty"`
	// Amp is set for a signed message (amp/0.1).
	Amp *AmpMessage `json:"amp,omitempty"`
}

// Asked is what became of a question.
type Asked string

// The states of a question.
const (
	AskedOpen      Asked = "open"      // it is the newest message of its thread
	AskedAnswered  Asked = "answered"  // whoever was asked wrote the next message
	AskedOvertaken Asked = "overtaken" // somebody else wrote the next message
)

// Following is the message after another one in a thread.
type Following struct {
	// Answers is set if it is from whoever the other message went to.
	Answers bool
	Text    string
}

// SetAsked says what became of a message that asks something. It must be to the user or
// from the user. next is the next message of its thread, or nil if there is none.
func (m *MessageItem) SetAsked(text string, next *Following) {
	q, asks := mail.Asked(text)
	switch {
	case !asks:
	case next == nil:
		m.Asked = AskedOpen
		if !m.Mine && !m.Truncated {
			m.Options = show.Options(&q)
		}
	case next.Answers:
		m.Asked, m.Answer = AskedAnswered, show.Answer(&q, next.Text)
	default:
		m.Asked = AskedOvertaken
	}
}

// Size returns about how many bytes a message takes in a frame. It works for messages
// of every format.
func (m *MessageItem) Size() int {
	n := 4096 + len(m.HTML) + len(m.Text)
	if m.Amp != nil {
		n += 2 * len(m.Amp.Context)
	}
	if m.Turn == nil {
		return n
	}
	n += len(m.Text)
	for i := range m.Turn.Parts {
		n += 256 + 2*len(m.Turn.Parts[i].HTML)
		if tool := m.Turn.Parts[i].Tool; tool != nil {
			n += 256 + 2*len(tool.Input) + 2*len(tool.Output)
		}
	}
	return n
}

// IDForm is how a SAMP message's id was made; empty for the other formats.
type IDForm string

// The forms of ids.
const (
	IDNone         IDForm = ""
	IDSpaced       IDForm = "spaced"
	IDCompact      IDForm = "compact"
	IDASCIIEscaped IDForm = "ascii-escaped"
	IDUnnormalised IDForm = "unnormalised"
	IDWrong        IDForm = "wrong"
	IDMissing      IDForm = "missing"
)

// TrustLevel is how far a message can be believed, for colour beside the words.
type TrustLevel string

// The levels of [Trust].
const (
	TrustOK   TrustLevel = "ok"
	TrustNote TrustLevel = "note"
	TrustWarn TrustLevel = "warn"
)

// Trust says in words how far a message's sender and id can be believed.
type Trust struct {
	Level  TrustLevel `json:"level"`
	Label  string     `json:"label"`
	Detail string     `json:"detail"`
}

// Words returns a line of Markdown that says how far a message can be trusted.
func (t Trust) Words() string {
	if t.Level == "warn" {
		return "⚠ **" + t.Label + "**"
	}
	return t.Label
}

// Origin says where a message was read: the log's file name and the 1-based line.
type Origin struct {
	Log  string `json:"log"`
	Line int    `json:"line"`
}

// When returns a time of the protocol in words; see [show.When].
func When(milli int64) string { return show.When(milli) }

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
