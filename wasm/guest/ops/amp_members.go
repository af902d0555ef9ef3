package ops

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
)

// Each method of this file writes the members of one value of the core, in the order and
// with the names of the type in wasm/js/src/types.ts; its caller writes the braces.

func (e *encoder) mail(v *amp.Message) {
	e.text("version", v.Version)
	e.text("id", v.ID)
	e.text("from", v.From)
	e.text("to", v.To)
	e.text("subject", v.Subject)
	e.text("priority", v.Priority)
	e.time("time", agn.Time(v.Time))
	e.time("expires", agn.Time(v.Expires))
	e.text("signature", v.Signature)
	e.text("signatureId", v.SignatureID())
	e.text("inReplyTo", v.InReplyTo)
	e.text("threadId", v.ThreadID)
	e.text("idempotencyKey", v.IdempotencyKey)
	nested(e, "payload", &v.Payload, (*encoder).mailPayload)
	nested(e, "local", &v.Local, (*encoder).mailLocal)
	nested(e, "security", &v.Security, (*encoder).mailSecurity)
	e.both(v.Findings)
}

func (e *encoder) mailPayload(v *amp.Payload) {
	e.text("type", v.Type)
	e.text("text", v.Text)
	e.raw("context", v.Context)
	every(e, "attachments", v.Attachments, (*encoder).mailAttachment)
}

func (e *encoder) mailAttachment(v *amp.Attachment) {
	e.text("id", v.ID)
	e.text("filename", v.Filename)
	e.text("contentType", v.ContentType)
	e.number("size", v.Size)
	e.text("digest", v.Digest)
	e.text("url", v.URL)
	e.text("scanStatus", v.ScanStatus)
	e.time("uploaded", agn.Time(v.Uploaded))
	e.time("expires", agn.Time(v.Expires))
}

func (e *encoder) mailLocal(v *amp.Local) {
	e.time("received", agn.Time(v.Received))
	e.time("readAt", agn.Time(v.ReadAt))
	e.text("status", v.Status)
	e.text("method", v.Method)
	e.bool("verified", v.Verified)
}

func (e *encoder) mailSecurity(v *amp.Security) {
	e.text("trustLevel", v.TrustLevel)
	e.texts("flags", v.Flags)
	e.text("quarantineId", v.QuarantineID)
	e.text("windowScan", v.WindowScan)
	e.number("riskScore", v.RiskScore)
	e.text("riskLevel", v.RiskLevel)
	e.bool("wrapped", v.Wrapped)
}

func (e *encoder) mailTrust(v *amp.Trust) {
	e.text("state", string(v.State))
	e.text("reason", v.Reason)
	e.text("step", v.Step.String())
	e.text("key", v.Key)
	e.texts("flags", v.Flags)
}

func (e *encoder) mailPlace(v *amp.Place) {
	e.text("thread", v.Thread)
	e.number("parent", int64(v.Parent))
	e.number("depth", int64(v.Depth))
	e.bool("missing", v.Missing)
	e.bool("cycle", v.Cycle)
}

func (e *encoder) mailReply(v *amp.Draft) {
	e.text("from", v.From)
	e.text("to", v.To)
	e.text("subject", v.Subject)
	e.text("inReplyTo", v.InReplyTo)
	e.text("threadId", v.ThreadID)
}
