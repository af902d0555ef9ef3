package amp

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// Draft is a message to be written.
type Draft struct {
	// ID comes from [NewID], IdempotencyKey from [NewIdempotencyKey]. Both are required. A retry
	// of a message that could not be sent keeps both.
	ID, IdempotencyKey string
	From, To           string // full addresses in small letters
	Subject            string
	Priority           string // [Normal] if it is empty
	// Millis is the time of writing. Expires may be 0. Both are in Unix milliseconds and written
	// in whole seconds.
	Millis, Expires int64
	// InReplyTo and ThreadID are the id and the thread of the message that a reply
	// answers. Any other message begins its own thread, and both may be empty.
	InReplyTo, ThreadID string
	Type                string // one of [Types] or namespace:name
	Text                string // may be empty
	// Context is a JSON object, or nil. Its null members are left out (rule JSN-1).
	Context []byte
	// Attachments are complete. Each comes from a provider's answer or, if the file stays on this
	// machine, has the scan status [Unscanned] or [BasicClean] and a [LocalURL].
	Attachments []Attachment
	// Routed is set if a provider will transport the message. It must then have no unscanned
	// attachment (rule ATT-6).
	Routed bool
}

// Reply returns the draft of an answer to a message, from its receiver to its sender and in its
// thread. It drops invisible characters from the subject, and an invalid thread_id. The caller
// adds ID, IdempotencyKey, Millis, Type and Text.
func Reply(msg *Message) Draft {
	d := Draft{From: strings.ToLower(msg.To), To: strings.ToLower(msg.From), Subject: visible(msg.Subject), InReplyTo: msg.ID, ThreadID: msg.ThreadID}
	if _, ok := ParseID(d.ThreadID); !ok {
		d.ThreadID = msg.ID
	}
	if len(d.Subject) < 3 || !strings.EqualFold(d.Subject[:3], "re:") {
		d.Subject = "Re: " + d.Subject
	}
	if runes := []rune(d.Subject); len(runes) > MaxSubject {
		d.Subject = string(runes[:MaxSubject-1]) + "…"
	}
	return d
}

// visible removes characters that are invisible or would act on a terminal: whoever answers must
// not sign what they cannot see.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20 || 0x7f <= r && r < 0xa0, 0x200b <= r && r <= 0x200f, 0x2028 <= r && r <= 0x202e, 0x2060 <= r && r <= 0x2069, r == 0xfeff:
			return -1
		}
		return r
	}, s)
}

// LocalURL returns the url of an attachment in the receiver's own storage, relative to its root.
// The spec requires a url, and null is not allowed.
func LocalURL(id, filename string) string { return "attachments/" + id + "/" + filename }

// Letter is a message that only lacks its signature.
type Letter struct {
	payload, signed []byte
	draft           Draft
}

// Compose returns the message of a draft, always the same for the same draft. It returns a
// *[canon.Fault] for anything that ParseMessage would list, including notes, for a missing
// idempotency key (IDK-2) and for a null in an array of the context (JSN-1).
func Compose(d Draft) (*Letter, error) {
	if d.Priority == "" {
		d.Priority = Normal
	}
	if d.ThreadID == "" && d.InReplyTo == "" {
		d.ThreadID = d.ID
	}
	if d.IdempotencyKey == "" {
		return nil, &canon.Fault{Rule: "IDK-2", Field: "envelope.idempotency_key", Reason: "the message has no idempotency key"}
	}
	for i, a := range d.Attachments {
		if d.Routed && a.ScanStatus == Unscanned {
			return nil, &canon.Fault{Rule: "ATT-6", Field: "payload.attachments[" + strconv.Itoa(i) + "].scan_status", Reason: "an attachment that was not scanned cannot be routed"}
		}
	}
	payload, err := d.payload()
	if err != nil {
		return nil, err
	}
	l := &Letter{payload: payload, signed: Signed(d.From, d.To, d.Subject, d.Priority, d.InReplyTo, payload), draft: d}
	// Check it with a dummy signature, so that nobody is asked to sign a message that is then
	// refused.
	if _, err := l.Finish(make([]byte, 64)); err != nil {
		return nil, err
	}
	return l, nil
}

// Payload returns the payload as it is hashed, which is also how it is written. It
// must not be changed.
func (l *Letter) Payload() []byte { return l.payload }

// Signed returns the bytes to sign: Ed25519 signs them as they are, RSA and ECDSA
// their SHA-256 digest. They must not be changed.
func (l *Letter) Signed() []byte { return l.signed }

// Finish returns the whole message with a signature: one member of the envelope per line, the
// payload in one line exactly as it is hashed, and a final line end. It does not check the
// signature; [Verify] does.
func (l *Letter) Finish(signature []byte) ([]byte, error) {
	if len(signature) == 0 {
		return nil, &canon.Fault{Rule: "SIG-1", Field: "envelope.signature", Reason: "a message is sent signed"}
	}
	d := &l.draft
	w := canon.Writer{Indent: "  ", Colon: ": "}
	w.Open("", '{')
	w.Open("envelope", '{')
	w.Text("version", Version)
	w.Text("id", d.ID)
	w.Text("from", d.From)
	w.Text("to", d.To)
	w.Text("subject", d.Subject)
	w.Text("priority", d.Priority)
	w.Text("timestamp", FormatTime(d.Millis))
	if d.Expires != 0 {
		w.Text("expires_at", FormatTime(d.Expires))
	}
	w.Optional("in_reply_to", d.InReplyTo)
	w.Text("thread_id", d.ThreadID)
	w.Text("idempotency_key", d.IdempotencyKey)
	w.Text("signature", base64.StdEncoding.EncodeToString(signature))
	w.Close('}')
	w.Raw("payload", l.payload)
	w.Close('}')
	data := append(w.Out, '\n')
	if len(data) > MaxMessage {
		return nil, tooLong(len(data))
	}
	msg, err := ParseMessage(data)
	if err != nil {
		return nil, err
	}
	for _, list := range [][]canon.Fault{msg.Faults, msg.Notes} {
		if len(list) > 0 {
			return nil, &list[0]
		}
	}
	return data, nil
}

func (d *Draft) payload() ([]byte, error) {
	w := canon.Writer{Colon: ":"}
	w.Open("", '{')
	w.Text("type", d.Type)
	w.Text("message", d.Text)
	if d.Context != nil {
		context, err := d.context()
		if err != nil {
			return nil, err
		}
		w.Raw("context", context)
	}
	if len(d.Attachments) > 0 {
		w.Open("attachments", '[')
		for i := range d.Attachments {
			d.Attachments[i].write(&w)
		}
		w.Close(']')
	}
	w.Close('}')
	return PayloadBytes(w.Out)
}

// context returns the context without null members. It refuses a null in an array, since leaving
// it out would move the other elements.
func (d *Draft) context() ([]byte, error) {
	bad := ""
	out, err := canon.AppendSorted(nil, d.Context, func(steps []canon.Step, v canon.Value) bool {
		if v.Kind == canon.Null && (len(steps) == 0 || steps[len(steps)-1].Key == nil) {
			bad = "payload.context"
			if len(steps) > 0 {
				bad += "." + path(steps)
			}
		}
		return v.Kind != canon.Null
	})
	if twice, ok := errors.AsType[*canon.SyntaxError](err); ok && twice.Repeated {
		return nil, &canon.Fault{Rule: "JSN-3", Field: "payload.context", Reason: "in the context " + twice.Reason}
	}
	switch {
	case err != nil:
		return nil, &canon.Fault{Rule: "PAY-4", Field: "payload.context", Reason: "the context is not JSON: " + err.Error()}
	case bad != "":
		return nil, &canon.Fault{Rule: "JSN-1", Field: bad, Reason: quote(bad) + " is null, where nothing can be left out"}
	}
	return out, nil
}

func (a *Attachment) write(w *canon.Writer) {
	w.Open("", '{')
	w.Text("id", a.ID)
	w.Text("filename", a.Filename)
	w.Text("content_type", a.ContentType)
	w.Text("digest", a.Digest)
	w.Text("url", a.URL)
	w.Text("scan_status", a.ScanStatus)
	w.Text("uploaded_at", a.Uploaded.written())
	w.Text("expires_at", a.Expires.written())
	w.Number("size", a.Size)
	w.Close('}')
}

// At returns a Time for writing, in whole seconds.
func At(millis int64) Time {
	return Time{Text: FormatTime(millis), Millis: millis / 1000 * 1000, OK: true}
}

// written returns the text of a time. The text from a provider must not be changed.
func (t Time) written() string {
	if t.Text != "" {
		return t.Text
	}
	return FormatTime(t.Millis)
}

// Portability lists values that other implementations hash differently (rule SIG-4), so that the
// receiver may be unable to verify the message: numbers that are not plain integers, and
// characters that some writers escape.
func (l *Letter) Portability() []canon.Fault {
	var found canon.Findings
	// The payload was read when it was composed: there is no error to come.
	_ = canon.Walk(l.payload, func(steps []canon.Step, v canon.Value, _ bool) error {
		at := "payload"
		if len(steps) > 0 {
			at += "." + path(steps)
			if bytes.IndexByte(steps[len(steps)-1].Key, 0x7f) >= 0 {
				found.AddNote("SIG-4", at, v.Offset, "the name "+quote(at)+" holds U+007F, which some implementations escape")
			}
		}
		switch n, ok := v.Int64(); {
		case v.Kind == canon.Number && (!ok || n <= -1<<53 || n >= 1<<53 || string(v.Raw) == "-0"):
			found.AddNote("SIG-4", at, v.Offset, "the number "+excerpt.Clip(string(v.Raw))+" is written otherwise by other implementations")
		case v.Kind == canon.String && bytes.IndexByte(v.Raw, 0x7f) >= 0:
			found.AddNote("SIG-4", at, v.Offset, quote(at)+" holds U+007F, which some implementations escape")
		}
		return nil
	})
	return found.Notes
}
