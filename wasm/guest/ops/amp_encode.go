package ops

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/atsf"
)

// mailFault writes a fault, null for none.
func (e *encoder) mailFault(name string, f *amp.Fault) {
	e.key(name)
	e.fault((*atsf.Fault)(f)) // the two have the same fields
}

func (e *encoder) mailFaults(name string, list []amp.Fault) {
	e.key(name)
	e.open('[')
	for i := range list {
		e.item()
		e.fault((*atsf.Fault)(&list[i]))
	}
	e.close(']')
}

func (e *encoder) mailTime(name string, t amp.Time) { e.taskTime(name, agn.Time(t)) }

// letter writes the members of the envelope.
func (e *encoder) letter(m *amp.Message) {
	e.text("version", m.Version)
	e.text("id", m.ID)
	e.text("from", m.From)
	e.text("to", m.To)
	e.text("subject", m.Subject)
	e.text("priority", m.Priority)
	e.mailTime("time", m.Time)
	e.mailTime("expires", m.Expires)
	e.text("signature", m.Signature)
	e.text("signatureId", m.SignatureID())
	e.text("inReplyTo", m.InReplyTo)
	e.text("threadId", m.ThreadID)
	e.text("idempotencyKey", m.IdempotencyKey)
}

func (e *encoder) mailPayload(p *amp.Payload) {
	e.key("payload")
	e.open('{')
	e.text("type", p.Type)
	e.text("text", p.Text)
	e.raw("context", p.Context)
	e.key("attachments")
	e.open('[')
	for i := range p.Attachments {
		a := &p.Attachments[i]
		e.item()
		e.open('{')
		e.text("id", a.ID)
		e.text("filename", a.Filename)
		e.text("contentType", a.ContentType)
		e.number("size", a.Size)
		e.text("digest", a.Digest)
		e.text("url", a.URL)
		e.text("scanStatus", a.ScanStatus)
		e.mailTime("uploaded", a.Uploaded)
		e.mailTime("expires", a.Expires)
		e.close('}')
	}
	e.close(']')
	e.close('}')
}

func (e *encoder) mailLocal(l *amp.Local) {
	e.key("local")
	e.open('{')
	e.mailTime("received", l.Received)
	e.mailTime("readAt", l.ReadAt)
	e.text("status", l.Status)
	e.text("method", l.Method)
	e.bool("verified", l.Verified)
	e.close('}')
}

func (e *encoder) mailSecurity(s *amp.Security) {
	e.key("security")
	e.open('{')
	e.text("trustLevel", s.TrustLevel)
	e.texts("flags", s.Flags)
	e.text("quarantineId", s.QuarantineID)
	e.text("windowScan", s.WindowScan)
	e.number("riskScore", s.RiskScore)
	e.text("riskLevel", s.RiskLevel)
	e.bool("wrapped", s.Wrapped)
	e.close('}')
}
