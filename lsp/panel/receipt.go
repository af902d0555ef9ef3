package panel

// ReceiptState says how far a message came.
type ReceiptState string

// The states of a [Receipt].
const (
	ReceiptSent     ReceiptState = "sent"     // it waits, and nobody was told of it yet
	ReceiptTold     ReceiptState = "told"     // a hook told an agent of it whose session is under way
	ReceiptRead     ReceiptState = "read"     // the receiver's mark says so
	ReceiptAnswered ReceiptState = "answered" // the receiver wrote in its thread since
	ReceiptNobody   ReceiptState = "nobody"   // nobody reads it: Reason says why
	ReceiptLost     ReceiptState = "lost"     // an agent's program did not deliver it to another agent
)

// ReceiptReason says why nobody reads a message.
type ReceiptReason string

// The reasons of a [Receipt].
const (
	ReasonEnded   ReceiptReason = "ended"   // all sessions of the agent have ended
	ReasonUnknown ReceiptReason = "unknown" // nobody ever read or wrote mail under the name
	ReasonWaits   ReceiptReason = "waits"   // it has waited for an hour
)

// Receipt says what became of a message. Time is since when, in Unix milliseconds, or 0 if
// that is not known: for one that waits, since it was sent. Alias is who it went to, or for a
// lost one whom mail would reach, if that is known.
type Receipt struct {
	State  ReceiptState  `json:"state"`
	Alias  string        `json:"alias"`
	Time   int64         `json:"time"`
	Reason ReceiptReason `json:"reason,omitempty"`
	Text   string        `json:"text,omitempty"` // of a lost one: what was to be delivered, and no remark
}

// Words says it in words; when says a time.
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
