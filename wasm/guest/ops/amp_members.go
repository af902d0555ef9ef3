package ops

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
)

// Each method of this file writes the members of one value of the core, in the order and
// with the names of the type in wasm/js/src/types.ts; its caller writes the braces.

func (e *encoder) mail(v *amp.Message) {
	e.Text("version", v.Version)
	e.Text("id", v.ID)
	e.Text("from", v.From)
	e.Text("to", v.To)
	e.Text("subject", v.Subject)
	e.Text("priority", v.Priority)
	e.time("time", agn.Time(v.Time))
	e.time("expires", agn.Time(v.Expires))
	e.Text("signature", v.Signature)
	e.Text("signatureId", v.SignatureID())
	e.Text("inReplyTo", v.InReplyTo)
	e.Text("threadId", v.ThreadID)
	e.Text("idempotencyKey", v.IdempotencyKey)
	nested(e, "payload", &v.Payload, (*encoder).mailPayload)
	nested(e, "local", &v.Local, (*encoder).mailLocal)
	nested(e, "security", &v.Security, (*encoder).mailSecurity)
	e.both(v.Findings)
}

func (e *encoder) mailPayload(v *amp.Payload) {
	e.Text("type", v.Type)
	e.Text("text", v.Text)
	e.Raw("context", v.Context)
	every(e, "attachments", v.Attachments, (*encoder).mailAttachment)
}

func (e *encoder) mailAttachment(v *amp.Attachment) {
	e.Text("id", v.ID)
	e.Text("filename", v.Filename)
	e.Text("contentType", v.ContentType)
	e.Number("size", v.Size)
	e.Text("digest", v.Digest)
	e.Text("url", v.URL)
	e.Text("scanStatus", v.ScanStatus)
	e.time("uploaded", agn.Time(v.Uploaded))
	e.time("expires", agn.Time(v.Expires))
}

func (e *encoder) mailLocal(v *amp.Local) {
	e.time("received", agn.Time(v.Received))
	e.time("readAt", agn.Time(v.ReadAt))
	e.Text("status", v.Status)
	e.Text("method", v.Method)
	e.Bool("verified", v.Verified)
}

func (e *encoder) mailSecurity(v *amp.Security) {
	e.Text("trustLevel", v.TrustLevel)
	e.Texts("flags", v.Flags)
	e.Text("quarantineId", v.QuarantineID)
	e.Text("windowScan", v.WindowScan)
	e.Number("riskScore", v.RiskScore)
	e.Text("riskLevel", v.RiskLevel)
	e.Bool("wrapped", v.Wrapped)
}

func (e *encoder) mailTrust(v *amp.Trust) {
	e.Text("state", string(v.State))
	e.Text("reason", v.Reason)
	e.Text("step", v.Step.String())
	e.Text("key", v.Key)
	e.Texts("flags", v.Flags)
}

func (e *encoder) mailPlace(v *amp.Place) {
	e.Text("thread", v.Thread)
	e.Number("parent", int64(v.Parent))
	e.Number("depth", int64(v.Depth))
	e.Bool("missing", v.Missing)
	e.Bool("cycle", v.Cycle)
}

func (e *encoder) mailReply(v *amp.Draft) {
	e.Text("from", v.From)
	e.Text("to", v.To)
	e.Text("subject", v.Subject)
	e.Text("inReplyTo", v.InReplyTo)
	e.Text("threadId", v.ThreadID)
}
