package amp

import (
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
	localShape = canon.Shape[*messageReader]{What: "local", Fields: []canon.Field[*messageReader]{
		{Name: "received_at", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Received = readTime(m) }},
		{Name: "status", Rule: "STO-3", Optional: true, Set: func(r *messageReader, m *canon.Member) {
			r.Local.Status = cmp.Or(oneOf(m, Unread, Read, Archived), r.Local.Status)
		}},
		{Name: "read_at", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.ReadAt = readTime(m) }},
		{Name: "delivery_method", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Method = m.Text() }},
		{Name: "verified", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Verified = m.Flag() }},
		{Name: "signature_verified", Rule: "STO-2", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.Local.Verified = m.Flag() }},
		{Name: "security", Rule: "STO-5", Optional: true, Set: func(r *messageReader, m *canon.Member) { r.security(m, false) }},
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

// stored reads what the receiver stored with envelope and payload. Mistakes there are
// not the message's, and are only noted.
func (r *messageReader) stored(m *canon.Member) {
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
		r.security(own, true)
	}
	for _, f := range append(own.Out.Faults, own.Out.Notes...) {
		r.AddNote(f.Rule, f.Field, f.Offset, f.Reason)
	}
}

// security reads either block. What the one at the top says counts, whichever comes
// first; what it does not say is taken from the other.
func (r *messageReader) security(m *canon.Member, top bool) {
	s := Security{RiskScore: -1}
	securityShape.Read(m, &s)
	one, two := s, r.Security
	if !top && r.atTop {
		one, two = two, one
	}
	r.atTop = r.atTop || top
	one.TrustLevel = cmp.Or(one.TrustLevel, two.TrustLevel)
	one.QuarantineID = cmp.Or(one.QuarantineID, two.QuarantineID)
	one.WindowScan = cmp.Or(one.WindowScan, two.WindowScan)
	one.RiskLevel = cmp.Or(one.RiskLevel, two.RiskLevel)
	one.Wrapped = one.Wrapped || two.Wrapped
	if len(one.Flags) == 0 {
		one.Flags = two.Flags
	}
	if one.RiskScore < 0 {
		one.RiskScore = two.RiskScore
	}
	r.Security = one
}

// oneOf reads an enumeration, and returns "" for what is not in it.
func oneOf(m *canon.Member, allowed ...string) string {
	if s := m.OneOf(allowed...); slices.Contains(allowed, s) {
		return s
	}
	return ""
}
