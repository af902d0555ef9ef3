package client

import (
	"cmp"
	"context"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Mailbox are the ops about all formats with Go types. Every method is one call of
// the module; errors are as those of [SAMP].
type Mailbox struct{ caller Caller }

// NewMail gives the ops about all formats of any engine.
func NewMail(c Caller) Mailbox { return Mailbox{caller: c} }

// FileKind is what a file is. Protocol, Kind and Certainty are empty for a file of
// no format.
type FileKind struct {
	// Protocol is "samp", "atsf", "agn" (AMP/1.0) or "amp" (amp/0.1).
	Protocol string
	// Kind is "log", "watermark", "message", "ack", "resume", "task",
	// "rejections", "thread", "messages" or "config".
	Kind string
	// Certainty is "content", or "name" where the name alone says so.
	Certainty string
	// Reason is a phrase for a person.
	Reason string
}

// Detect says what a file is. name is its base name, or its path below a directory
// with slashes, or empty; of data no more than the first 64 KiB are looked at.
func (t Mailbox) Detect(ctx context.Context, name string, data []byte) (FileKind, error) {
	var k FileKind
	if err := checkText(abi.MailDetect, name); err != nil {
		return k, err
	}
	const looked = 64 << 10
	return k, decode(ctx, t.caller, &k, abi.MailDetect, struct {
		Name string `json:"name"`
	}{name}, data[:min(len(data), looked)])
}

// Mention is a place in a text that may name a message or a thread. It is one only
// if such a message or thread is known.
type Mention struct {
	// Kind is "message" or "thread".
	Kind string
	// Offset and Length are those of Token in the text, in bytes.
	Offset, Length int64
	Token          string
}

// Links are the mentions in a text, in their order.
type Links struct {
	Mentions []Mention
	// More counts those beyond the limit.
	More int64
}

// Links finds what a text mentions. At most limit mentions are listed, or
// [abi.DefaultFindings] if it is 0.
func (t Mailbox) Links(ctx context.Context, text string, limit int64) (Links, error) {
	var l Links
	return l, decode(ctx, t.caller, &l, abi.MailLinks, struct {
		Limit int64 `json:"limit"`
	}{cmp.Or(limit, abi.DefaultFindings)}, []byte(text))
}
