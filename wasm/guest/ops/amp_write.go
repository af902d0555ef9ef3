package ops

import (
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// composed reads the parameters of a draft and puts the message together.
func composed(a []byte) (*amp.Letter, error) {
	var d amp.Draft
	err := read(a,
		needed(text("id", &d.ID)), needed(text("idempotencyKey", &d.IdempotencyKey)), needed(text("from", &d.From)), needed(text("to", &d.To)),
		needed(text("subject", &d.Subject)), text("priority", &d.Priority), needed(integer("millis", &d.Millis, nil)), integer("expires", &d.Expires, nil),
		text("inReplyTo", &d.InReplyTo), text("threadId", &d.ThreadID), needed(text("type", &d.Type)), text("text", &d.Text),
		value("context", &d.Context), list("attachments", func(v canon.Value) error {
			file, err := attachment(v.Raw)
			d.Attachments = append(d.Attachments, file)
			return err
		}), boolean("routed", &d.Routed))
	if err != nil {
		return nil, err
	}
	l, err := amp.Compose(d)
	if err != nil {
		return nil, refused(err)
	}
	return l, nil
}

// attachment reads the parameters of an attachment. Its times are texts, since a
// provider's texts must not change.
func attachment(raw []byte) (amp.Attachment, error) {
	var f amp.Attachment
	err := read(raw,
		needed(text("id", &f.ID)), needed(text("filename", &f.Filename)), needed(text("contentType", &f.ContentType)), needed(integer("size", &f.Size, nil)),
		needed(text("digest", &f.Digest)), needed(text("url", &f.URL)), needed(text("scanStatus", &f.ScanStatus)),
		needed(text("uploaded", &f.Uploaded.Text)), needed(text("expires", &f.Expires.Text)))
	if err == nil && (f.Uploaded.Text == "" || f.Expires.Text == "") {
		return f, badArgument("an attachment has no time") // which the core would take for 1970
	}
	return f, err
}

func ampCompose(dst, a, b []byte) ([]byte, error) {
	if err := none(b); err != nil {
		return nil, err
	}
	l, err := composed(a)
	if err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.text("payload", string(l.Payload()))
	e.text("signed", string(l.Signed()))
	e.faults("portability", l.Portability())
	e.close('}')
	return e.buf, nil
}

func ampFinish(dst, a, b []byte) ([]byte, error) {
	l, err := composed(a)
	if err != nil {
		return nil, err
	}
	data, err := l.Finish(b)
	if err != nil {
		return nil, refused(err)
	}
	return append(dst, data...), nil
}

func ampReply(dst, a, b []byte) ([]byte, error) {
	m, err := mail(a, b)
	if err != nil {
		return nil, err
	}
	d := amp.Reply(&m)
	e := encoder{buf: dst}
	e.open('{')
	e.mailReply(&d)
	e.close('}')
	return e.buf, nil
}

func ampReceive(dst, a, b []byte) ([]byte, error) {
	var at int64
	var method string
	if err := read(a, needed(integer("at", &at, nil)), needed(text("method", &method))); err != nil {
		return nil, err
	}
	return changed(dst, b, func() ([]byte, error) { return amp.Receive(b, at, method) })
}

func ampSetStatus(dst, a, b []byte) ([]byte, error) {
	var at int64
	var status string
	if err := read(a, needed(text("status", &status)), integer("at", &at, nil)); err != nil {
		return nil, err
	}
	return changed(dst, b, func() ([]byte, error) { return amp.SetStatus(b, status, at) })
}

// changed runs a change. A message that cannot be read is Malformed, and a change
// that would break a rule is Refused.
func changed(dst, b []byte, change func() ([]byte, error)) ([]byte, error) {
	out, err := change()
	if err != nil {
		if _, unread := amp.ParseMessage(b); unread != nil {
			return nil, malformed(unread)
		}
		return nil, refused(err)
	}
	return append(dst, out...), nil
}

func ampNewID(dst, a, b []byte) ([]byte, error) {
	return newMailID(dst, a, b, amp.NewID, amp.ParseID)
}

func ampNewAttachmentID(dst, a, b []byte) ([]byte, error) {
	return newMailID(dst, a, b, amp.NewAttachmentID, amp.ParseAttachmentID)
}

func newMailID(dst, a, b []byte, make func(millis int64, random [8]byte) string, parse func(s string) (amp.ID, bool)) ([]byte, error) {
	var millis int64
	var random [8]byte
	if err := read(a, needed(integer("millis", &millis, nil)), needed(digits("random", random[:]))); err != nil {
		return nil, err
	}
	if err := none(b); err != nil {
		return nil, err
	}
	id := make(millis, random)
	if parsed, ok := parse(id); !ok || parsed.Millis || millis < 0 {
		return nil, wrong("millis", "a time in Unix milliseconds")
	}
	return append(dst, id...), nil
}

func ampNewIdempotencyKey(dst, a, b []byte) ([]byte, error) {
	var random [16]byte
	if err := read(a, needed(digits("random", random[:]))); err != nil {
		return nil, err
	}
	if err := none(b); err != nil {
		return nil, err
	}
	return append(dst, amp.NewIdempotencyKey(random)...), nil
}
