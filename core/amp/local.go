package amp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The states of a message in its mailbox (rule STO-3).
const (
	Unread   = "unread"
	Read     = "read"
	Archived = "archived"
)

// Local is what the receiver's client keeps beside a message (rule STO-2). None of
// it is signed or the sender's.
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
	// Wrapped tells that a client put a wrapper around the text.
	Wrapped bool
}

var (
	localShape = shape{what: "local", fields: []field{
		{name: "received_at", rule: "STO-2"},
		{name: "status", rule: "STO-3"},
		{name: "read_at", rule: "STO-2"},
		{name: "delivery_method", rule: "STO-2"},
		{name: "verified", rule: "STO-2"},
		{name: "signature_verified", rule: "STO-2"},
		{name: "security", rule: "STO-5"},
	}}
	// Existing clients keep a second status here.
	metadataShape = shape{what: "metadata", fields: []field{{name: "status", rule: "STO-3"}}}
	securityShape = shape{what: "security", fields: []field{
		{name: "trust_level", rule: "STO-4"},
		{name: "trust", rule: "STO-5"},
		{name: "injection_flags", rule: "STO-4"},
		{name: "quarantine_id", rule: "STO-4"},
		{name: "window_scan_result", rule: "STO-4"},
		{name: "sender_risk_score", rule: "STO-4"},
		{name: "sender_risk_level", rule: "STO-4"},
		{name: "wrapped", rule: "STO-5"},
	}}
)

// readStored reads what stands beside envelope and payload. What is wrong there is
// no fault of the message, and only noted.
func (msg *Message) readStored(m *member) {
	if m.v.Kind == canon.Null {
		return
	}
	own := *m
	own.out = &canon.Findings{}
	switch m.name {
	case "metadata":
		own.object(&metadataShape, func(m *member) {
			if s := m.oneOf(Unread, Read, Archived); msg.Local.Status == "" {
				msg.Local.Status = s
			}
		})
	case "local":
		own.object(&localShape, msg.readLocal)
	case "security":
		msg.readSecurity(&own, true)
	}
	for _, f := range append(own.out.Faults, own.out.Notes...) {
		msg.AddNote(f.Rule, f.Field, f.Offset, f.Reason)
	}
}

func (msg *Message) readLocal(m *member) {
	switch m.name {
	case "received_at":
		msg.Local.Received = m.time()
	case "status":
		if s := m.oneOf(Unread, Read, Archived); s != "" {
			msg.Local.Status = s
		}
	case "read_at":
		msg.Local.ReadAt = m.time()
	case "delivery_method":
		msg.Local.Method = m.text()
	case "verified", "signature_verified":
		msg.Local.Verified = m.flag()
	case "security":
		msg.readSecurity(m, false)
	}
}

// readSecurity reads either block. What the one at the top says counts, whichever
// comes first; what it does not say is taken from the other.
func (msg *Message) readSecurity(m *member, top bool) {
	s := Security{RiskScore: -1}
	m.object(&securityShape, func(m *member) { s.member(m) })
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

func (s *Security) member(m *member) {
	switch m.name {
	case "trust_level":
		s.TrustLevel = m.oneOf("verified", "external", "untrusted")
	case "trust":
		if t := m.oneOf("verified", "external", "untrusted"); s.TrustLevel == "" {
			s.TrustLevel = t
		}
	case "injection_flags":
		m.each(64, func(e *member) {
			if flag := e.text(); flag != "" {
				s.Flags = append(s.Flags, flag)
			}
		})
	case "quarantine_id":
		s.QuarantineID = m.text()
	case "window_scan_result":
		s.WindowScan = m.oneOf("flagged", "quarantined", "blocked")
	case "sender_risk_score":
		if s.RiskScore = m.count(); s.RiskScore > 100 {
			m.fault("a risk score is 0 to 100, not " + string(m.v.Raw))
			s.RiskScore = 100
		}
	case "sender_risk_level":
		s.RiskLevel = m.oneOf("low", "medium", "high", "critical")
	case "wrapped":
		s.Wrapped = m.flag()
	}
}

// oneOf reads an enumeration, and gives "" for what is not in it.
func (m *member) oneOf(allowed ...string) string {
	s := m.text()
	for _, a := range allowed {
		if s == a {
			return s
		}
	}
	if m.v.Kind == canon.String {
		m.fault(quote(m.path) + " is " + anyOf(s, allowed))
	}
	return ""
}

func (m *member) flag() bool { return m.is(canon.Bool) && strings.HasPrefix(string(m.v.Raw), "t") }

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
