package panel

import (
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
	Chars     int      `json:"chars"` // code points of the whole body, even if Text is truncated
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
	// Receipt is what became of a message from the user to somebody else, or of a message that
	// an agent's program did not deliver to another agent.
	Receipt *Receipt `json:"receipt,omitempty"`
	// Turn is set for a message of an agent's own conversation (ATSF). HTML is then empty, and
	// Text is the whole message as text.
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
	// Answers is set if it is from the receiver of the other message.
	Answers bool
	Text    string
}

// SetAsked sets what became of a message if its text asks something. The message must be to the
// user or from the user. next is the next message of its thread, or nil if there is none.
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

// IDForm is how a SAMP message's id was made. It is empty for the other formats.
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

// Origin is where a message was read: the log's file name and the line, from 1.
type Origin struct {
	Log  string `json:"log"`
	Line int    `json:"line"`
}

// ReceiptState is how far a message got.
type ReceiptState string

// The states of a [Receipt].
const (
	ReceiptSent     ReceiptState = "sent"     // it waits, and no hook has told its receiver of it
	ReceiptTold     ReceiptState = "told"     // a hook told its receiver of it, an agent whose session is under way
	ReceiptRead     ReceiptState = "read"     // the receiver's marks show that it was read
	ReceiptAnswered ReceiptState = "answered" // the receiver has written in its thread since
	ReceiptNobody   ReceiptState = "nobody"   // nobody reads it: Reason says why
	ReceiptLost     ReceiptState = "lost"     // an agent's program did not deliver it to another agent
)

// ReceiptReason is the reason why nobody reads a message.
type ReceiptReason string

// The reasons of a [Receipt].
const (
	ReasonEnded   ReceiptReason = "ended"   // all sessions of the agent have ended
	ReasonUnknown ReceiptReason = "unknown" // nobody ever read or wrote mail under the name
	ReasonWaits   ReceiptReason = "waits"   // it has waited for an hour
)

// Receipt is what became of a message. Time is when that happened, in Unix milliseconds, or 0 if
// it is not known. If the message waits, Time is when it was sent. Alias is the receiver. For a
// lost message it is the alias that mail would reach, if it is known.
type Receipt struct {
	State  ReceiptState  `json:"state"`
	Alias  string        `json:"alias"`
	Time   int64         `json:"time"`
	Reason ReceiptReason `json:"reason,omitempty"`
	Text   string        `json:"text,omitempty"` // of a lost message: the text that was to be delivered, without remarks
}

// Words returns the receipt in words. when returns a time in words.
func (r *Receipt) Words(when func(int64) string) string {
	text := "not read yet"
	switch r.State {
	case ReceiptTold:
		return r.Alias + " was told of it"
	case ReceiptLost:
		return "not delivered"
	case ReceiptRead:
		text = "read by " + r.Alias
	case ReceiptAnswered:
		text = "answered by " + r.Alias
	case ReceiptNobody:
		switch r.Reason {
		case ReasonEnded:
			return "nobody reads this: " + r.Alias + " has ended"
		case ReasonUnknown:
			return "nobody reads this: there has never been a " + r.Alias
		case ReasonWaits:
			text = "nobody reads this: it waits since"
		}
	case ReceiptSent:
		return text
	}
	if r.Time != 0 {
		text += " " + when(r.Time)
	}
	return text
}
