package amp

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The states of a message in its mailbox (rule STO-3).
const (
	Unread   = "unread"
	Read     = "read"
	Archived = "archived"
)

// Local is the receiver's own data about a message (rule STO-2). None of it is signed or comes
// from the sender.
type Local struct {
	Received, ReadAt Time
	// Status is [Unread], [Read] or [Archived], by default Unread.
	Status   string
	Method   string // how the message was delivered
	Verified bool   // a claim of the program that stored the message: [Judge] never uses it
}

// Security is another program's opinion of a message when it was stored (rules STO-4 and STO-5).
// It is information, and never a reason to trust the message.
type Security struct {
	TrustLevel   string   // verified, external, untrusted or empty
	Flags        []string // categories of suspicious patterns
	QuarantineID string
	WindowScan   string // flagged, quarantined, blocked or empty
	RiskScore    int64  // 0 to 100, or -1 where there is none
	RiskLevel    string // low, medium, high, critical or empty
	Wrapped      bool   // set if a client put a wrapper around the text
}

var (
	localShape = canon.Shape[*messageReader]{What: "local", Fields: []canon.Field[*messageReader]{
		{Name: "received_at", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Received = readTime(m) }},
		{Name: "status", Rule: "STO-3", Optional: true, Set: func(r *messageReader, m *canon.Member) {
			r.Local.Status = cmp.Or(oneOf(m, Unread, Read, Archived), r.Local.Status)
		}},
		{Name: "read_at", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.ReadAt = readTime(m) }},
		{Name: "delivery_method", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Method = m.Text() }},
		{Name: "verified", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Verified = m.Flag() }},
		{Name: "signature_verified", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Verified = m.Flag() }},
		{Name: "security", Rule: "STO-5", Optional: true, Set: func(r *messageReader, m *canon.Member) { securityShape.Read(m, &r.Security) }},
	}}
	// Existing clients keep a second status here.
	metadataShape = canon.Shape[*Local]{What: "metadata", Fields: []canon.Field[*Local]{
		{Name: "status", Rule: "STO-3", Optional: true, Set: func(l *Local, m *canon.Member) {
			l.Status = cmp.Or(l.Status, oneOf(m, Unread, Read, Archived))
		}},
	}}
	securityShape = canon.Shape[*Security]{What: "security", Fields: []canon.Field[*Security]{
		{Name: "trust_level", Rule: "STO-4", Optional: true, Set: func(s *Security, m *canon.Member) {
			s.TrustLevel = oneOf(m, "verified", "external", "untrusted")
		}},
		{Name: "trust", Rule: "STO-5", Optional: true, Set: func(s *Security, m *canon.Member) {
			s.TrustLevel = cmp.Or(s.TrustLevel, oneOf(m, "verified", "external", "untrusted"))
		}},
		{Name: "injection_flags", Rule: "STO-4", Optional: true, Set: func(s *Security, m *canon.Member) {
			m.Each(64, func(e *canon.Member) {
				if flag := e.Text(); flag != "" {
					s.Flags = append(s.Flags, flag)
				}
			})
		}},
		{Name: "quarantine_id", Rule: "STO-4", Optional: true, Set: func(s *Security, m *canon.Member) { s.QuarantineID = m.Text() }},
		{Name: "window_scan_result", Rule: "STO-4", Optional: true, Set: func(s *Security, m *canon.Member) {
			s.WindowScan = oneOf(m, "flagged", "quarantined", "blocked")
		}},
		{Name: "sender_risk_score", Rule: "STO-4", Optional: true, Set: func(s *Security, m *canon.Member) {
			if s.RiskScore = count(m); s.RiskScore > 100 {
				m.Fault("a risk score is 0 to 100, not " + string(m.Raw))
				s.RiskScore = 100
			}
		}},
		{Name: "sender_risk_level", Rule: "STO-4", Optional: true, Set: func(s *Security, m *canon.Member) {
			s.RiskLevel = oneOf(m, "low", "medium", "high", "critical")
		}},
		{Name: "wrapped", Rule: "STO-5", Optional: true, Set: func(s *Security, m *canon.Member) { s.Wrapped = m.Flag() }},
	}}
)

// readAdded reads what the receiver stored beside envelope and payload. Mistakes there are not
// the sender's, and are only noted.
func (r *messageReader) readAdded(m *canon.Member) {
	r.added += len(m.Raw)
	if m.Kind == canon.Null {
		return
	}
	own := m.Kept()
	own.Out = &canon.Findings{}
	switch m.Name {
	case "metadata":
		metadataShape.Read(own, &r.Local)
	case "local":
		localShape.Read(own, r)
	case "security":
		securityShape.Read(own, &r.top)
	}
	for _, f := range append(own.Out.Faults, own.Out.Notes...) {
		r.AddNote(f.Rule, f.Field, f.Offset, f.Reason)
	}
}

// or returns a block whose missing values are taken from another one.
func (s Security) or(o Security) Security {
	s.TrustLevel = cmp.Or(s.TrustLevel, o.TrustLevel)
	s.QuarantineID = cmp.Or(s.QuarantineID, o.QuarantineID)
	s.WindowScan = cmp.Or(s.WindowScan, o.WindowScan)
	s.RiskLevel = cmp.Or(s.RiskLevel, o.RiskLevel)
	s.Wrapped = s.Wrapped || o.Wrapped
	if len(s.Flags) == 0 {
		s.Flags = o.Flags
	}
	if s.RiskScore < 0 {
		s.RiskScore = o.RiskScore
	}
	return s
}

// oneOf reads one of the allowed values, and returns "" for any other.
func oneOf(m *canon.Member, allowed ...string) string {
	if s := m.OneOf(allowed...); slices.Contains(allowed, s) {
		return s
	}
	return ""
}

// SetStatus returns a stored message with another state (rule STO-3), in local.status and, if an
// existing client keeps a second state there, in metadata.status. If the message becomes [Read]
// and at is not 0, at becomes local.read_at. All other bytes stay.
func SetStatus(data []byte, status string, at int64) ([]byte, error) {
	if !slices.Contains([]string{Unread, Read, Archived}, status) {
		return nil, &canon.Fault{Rule: "STO-3", Reason: "the state is " + anyOf(status, []string{Unread, Read, Archived})}
	}
	changes := []change{{"local", "status", status, false}, {"metadata", "status", status, true}}
	if status == Read && at != 0 {
		changes = append(changes, change{"local", "read_at", FormatTime(at), false})
	}
	return edit(data, changes)
}

// Receive adds a mailbox's data about a new message (rule STO-2): when and how it came, and that
// it is unread.
func Receive(data []byte, at int64, method string) ([]byte, error) {
	return edit(data, []change{
		{"local", "received_at", FormatTime(at), false},
		{"local", "status", Unread, false},
		{"local", "delivery_method", method, false},
		{"metadata", "status", Unread, true},
	})
}

// Sent adds a mailbox's data about a sent message: when it was sent, and to which mailbox on this
// machine it was delivered.
func Sent(data []byte, at int64, to string) ([]byte, error) {
	return edit(data, []change{
		{"local", "sent_at", FormatTime(at), false},
		{"local", "delivery_method", "local", false},
		{"local", "delivered_to", to, false},
	})
}

// change sets one text in an object of the message.
type change struct {
	object, name, value string
	only                bool // changes the member only if it exists
}

func edit(data []byte, changes []change) ([]byte, error) {
	if _, err := ParseMessage(data); err != nil {
		return nil, err
	}
	out := data
	for _, c := range changes {
		var bad *canon.Fault
		if out, bad = c.make(out); bad != nil {
			return nil, bad
		}
	}
	// Refuse a change that makes the message too long to be read.
	if _, err := ParseMessage(out); err != nil {
		return nil, err
	}
	return out, nil
}

func (c *change) make(data []byte) ([]byte, *canon.Fault) {
	value := canon.AppendString(nil, c.value)
	root := canon.Value{Kind: canon.Mapping, Raw: data}
	object, last, twice := canon.Find(root, c.object)
	switch {
	case twice:
		return nil, repeatedMember(c.object, object)
	case c.only && (object == nil || object.Kind == canon.Null):
		return data, nil
	case object == nil:
		return insert(data, root, last, c.object, c.alone(data, last, value)), nil
	case object.Kind == canon.Null:
		return canon.Splice(data, object.Offset, object.End(), c.alone(data, last, value)), nil
	case object.Kind != canon.Mapping:
		return nil, &canon.Fault{Rule: "STO-2", Field: c.object, Offset: object.Offset, Reason: quote(c.object) + " is " + object.Kind.Phrase() + ", not an object"}
	}
	member, last, twice := canon.Find(object.Value, c.name)
	switch {
	case twice:
		return nil, repeatedMember(c.name, member)
	case member != nil:
		return canon.Splice(data, member.Offset, member.End(), value), nil
	case c.only:
		return data, nil
	}
	return insert(data, object.Value, last, c.name, value), nil
}

func repeatedMember(name string, p *canon.Place) *canon.Fault {
	return &canon.Fault{Rule: "JSN-3", Field: name, Offset: p.Offset, Reason: quote(name) + " stands twice"}
}

// alone returns an object with only the changed member, spaced like the member last.
func (c *change) alone(data []byte, last *canon.Place, value []byte) []byte {
	return slices.Concat([]byte("{"), canon.AppendString(nil, c.name), colon(data, last), value, []byte("}"))
}

func insert(data []byte, object canon.Value, last *canon.Place, name string, value []byte) []byte {
	member := slices.Concat(canon.AppendString(nil, name), colon(data, last), value)
	if last == nil {
		brace := object.Offset + bytes.IndexByte(object.Raw, '{') + 1
		return canon.Splice(data, brace, brace, member)
	}
	return canon.Splice(data, last.End(), last.End(), slices.Concat([]byte(","), data[last.Gap:last.Key], member))
}

// colon returns the colon of the member last with the white space around it.
func colon(data []byte, last *canon.Place) []byte {
	if last == nil {
		return []byte(": ")
	}
	between := data[last.Key:last.Offset]
	return between[bytes.LastIndexByte(between, '"')+1:]
}
