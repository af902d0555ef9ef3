package amp

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The states of a message in its mailbox (rule STO-3).
const (
	Unread   = "unread"
	Read     = "read"
	Archived = "archived"
)

// Local is what the receiver's client keeps beside a message (rule STO-2). None of it
// is signed or comes from the sender.
type Local struct {
	Received, ReadAt Time
	// Status is [Unread], [Read] or [Archived]. It is Unread where the message does
	// not say.
	Status string
	// Method is how the message came.
	Method string
	// Verified is the word of whoever stored the message: [Judge] never asks it.
	Verified bool
}

// Security is what somebody else thought of a message when it was stored (rules
// STO-4 and STO-5): information, and never a reason to trust it.
type Security struct {
	// TrustLevel is verified, external, untrusted or empty.
	TrustLevel string
	// Flags are categories of suspicious patterns.
	Flags        []string
	QuarantineID string
	// WindowScan is flagged, quarantined, blocked or empty.
	WindowScan string
	// RiskScore is 0 to 100, or -1 where there is none.
	RiskScore int64
	// RiskLevel is low, medium, high, critical or empty.
	RiskLevel string
	// Wrapped is set if a client put a wrapper around the text.
	Wrapped bool
}

var (
	localShape = canon.Shape{What: "local", Fields: []canon.Field{
		{Name: "received_at", Rule: "STO-2", Optional: true},
		{Name: "status", Rule: "STO-3", Optional: true},
		{Name: "read_at", Rule: "STO-2", Optional: true},
		{Name: "delivery_method", Rule: "STO-2", Optional: true},
		{Name: "verified", Rule: "STO-2", Optional: true},
		{Name: "signature_verified", Rule: "STO-2", Optional: true},
		{Name: "security", Rule: "STO-5", Optional: true},
	}}
	// Existing clients keep a second status here.
	metadataShape = canon.Shape{What: "metadata", Fields: []canon.Field{{Name: "status", Rule: "STO-3", Optional: true}}}
	securityShape = canon.Shape{What: "security", Fields: []canon.Field{
		{Name: "trust_level", Rule: "STO-4", Optional: true},
		{Name: "trust", Rule: "STO-5", Optional: true},
		{Name: "injection_flags", Rule: "STO-4", Optional: true},
		{Name: "quarantine_id", Rule: "STO-4", Optional: true},
		{Name: "window_scan_result", Rule: "STO-4", Optional: true},
		{Name: "sender_risk_score", Rule: "STO-4", Optional: true},
		{Name: "sender_risk_level", Rule: "STO-4", Optional: true},
		{Name: "wrapped", Rule: "STO-5", Optional: true},
	}}
)

// readStored reads what the receiver stored with envelope and payload. Mistakes there
// are not the message's, and are only noted.
func (msg *Message) readStored(m *canon.Member) {
	if m.Kind == canon.Null {
		return
	}
	own := *m
	own.Out = &canon.Findings{}
	switch m.Name {
	case "metadata":
		own.Object(&metadataShape, func(m *canon.Member) {
			if s := oneOf(m, Unread, Read, Archived); msg.Local.Status == "" {
				msg.Local.Status = s
			}
		})
	case "local":
		own.Object(&localShape, msg.readLocal)
	case "security":
		msg.readSecurity(&own, true)
	}
	for _, f := range append(own.Out.Faults, own.Out.Notes...) {
		msg.AddNote(f.Rule, f.Field, f.Offset, f.Reason)
	}
}

func (msg *Message) readLocal(m *canon.Member) {
	switch m.Name {
	case "received_at":
		msg.Local.Received = readTime(m)
	case "status":
		if s := oneOf(m, Unread, Read, Archived); s != "" {
			msg.Local.Status = s
		}
	case "read_at":
		msg.Local.ReadAt = readTime(m)
	case "delivery_method":
		msg.Local.Method = m.Text()
	case "verified", "signature_verified":
		msg.Local.Verified = m.Flag()
	case "security":
		msg.readSecurity(m, false)
	}
}

// readSecurity reads either block. What the one at the top says counts, whichever
// comes first; what it does not say is taken from the other.
func (msg *Message) readSecurity(m *canon.Member, top bool) {
	s := Security{RiskScore: -1}
	m.Object(&securityShape, func(m *canon.Member) { s.member(m) })
	one, two := s, msg.Security
	if !top && msg.atTop {
		one, two = two, one
	}
	msg.atTop = msg.atTop || top
	one.TrustLevel = first(one.TrustLevel, two.TrustLevel)
	one.QuarantineID = first(one.QuarantineID, two.QuarantineID)
	one.WindowScan = first(one.WindowScan, two.WindowScan)
	one.RiskLevel = first(one.RiskLevel, two.RiskLevel)
	one.Wrapped = one.Wrapped || two.Wrapped
	if len(one.Flags) == 0 {
		one.Flags = two.Flags
	}
	if one.RiskScore < 0 {
		one.RiskScore = two.RiskScore
	}
	msg.Security = one
}

func (s *Security) member(m *canon.Member) {
	switch m.Name {
	case "trust_level":
		s.TrustLevel = oneOf(m, "verified", "external", "untrusted")
	case "trust":
		if t := oneOf(m, "verified", "external", "untrusted"); s.TrustLevel == "" {
			s.TrustLevel = t
		}
	case "injection_flags":
		m.Each(64, func(e *canon.Member) {
			if flag := e.Text(); flag != "" {
				s.Flags = append(s.Flags, flag)
			}
		})
	case "quarantine_id":
		s.QuarantineID = m.Text()
	case "window_scan_result":
		s.WindowScan = oneOf(m, "flagged", "quarantined", "blocked")
	case "sender_risk_score":
		if s.RiskScore = count(m); s.RiskScore > 100 {
			m.Fault("a risk score is 0 to 100, not " + string(m.Raw))
			s.RiskScore = 100
		}
	case "sender_risk_level":
		s.RiskLevel = oneOf(m, "low", "medium", "high", "critical")
	case "wrapped":
		s.Wrapped = m.Flag()
	}
}

// oneOf reads an enumeration, and returns "" for what is not in it.
func oneOf(m *canon.Member, allowed ...string) string {
	if s := m.OneOf(allowed...); slices.Contains(allowed, s) {
		return s
	}
	return ""
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
