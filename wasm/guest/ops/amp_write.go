package ops

import (
	"github.com/signalbox-dev/signalbox/core/amp"
)

// composed reads the parameters of a draft and composes the message.
func composed(a []byte) (*amp.Letter, error) {
	var d amp.Draft
	err := read(a,
		needed(text("id", &d.ID)), needed(text("idempotencyKey", &d.IdempotencyKey)), needed(text("from", &d.From)), needed(text("to", &d.To)),
		needed(text("subject", &d.Subject)), text("priority", &d.Priority), needed(integer("millis", &d.Millis, nil)), integer("expires", &d.Expires, nil),
		text("inReplyTo", &d.InReplyTo), text("threadId", &d.ThreadID), needed(text("type", &d.Type)), text("text", &d.Text),
		value("context", &d.Context), items("attachments", &d.Attachments, attachment), boolean("routed", &d.Routed))
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
// provider's texts must stay as they are.
func attachment(raw []byte, f *amp.Attachment) error {
	err := read(raw,
		needed(text("id", &f.ID)), needed(text("filename", &f.Filename)), needed(text("contentType", &f.ContentType)), needed(integer("size", &f.Size, nil)),
		needed(text("digest", &f.Digest)), needed(text("url", &f.URL)), needed(text("scanStatus", &f.ScanStatus)),
		needed(text("uploaded", &f.Uploaded.Text)), needed(text("expires", &f.Expires.Text)))
	if err == nil && (f.Uploaded.Text == "" || f.Expires.Text == "") {
		return badArgument("an attachment has no time") // the core would use 1970
	}
	return err
}

func ampCompose(c *call) error {
	l, err := composed(c.a)
	if err != nil {
		return err
	}
	c.Text("payload", string(l.Payload()))
	c.Text("signed", string(l.Signed()))
	c.faults("portability", l.Portability())
	return nil
}

func ampFinish(c *call) error {
	l, err := composed(c.a)
	if err != nil {
		return err
	}
	data, err := l.Finish(c.b)
	if err != nil {
		return refused(err)
	}
	return c.bytes(data)
}

func ampReply(c *call) error {
	m, err := parsedMail(c.b)
	if err != nil {
		return err
	}
	d := amp.Reply(&m)
	c.mailReply(&d)
	return nil
}

func ampReceive(c *call) error {
	var at int64
	var method string
	if err := c.read(needed(integer("at", &at, nil)), needed(text("method", &method))); err != nil {
		return err
	}
	return c.changed(func() ([]byte, error) { return amp.Receive(c.b, at, method) })
}

func ampSetStatus(c *call) error {
	var at int64
	var status string
	if err := c.read(needed(text("status", &status)), integer("at", &at, nil)); err != nil {
		return err
	}
	return c.changed(func() ([]byte, error) { return amp.SetStatus(c.b, status, at) })
}

// changed returns the changed message as the result. A message that cannot be read is
// Malformed, and a change that would break a rule is Refused.
func (c *call) changed(change func() ([]byte, error)) error {
	out, err := change()
	if err != nil {
		if _, unread := amp.ParseMessage(c.b); unread != nil {
			return malformed(unread)
		}
		return refused(err)
	}
	return c.bytes(out)
}

func ampNewID(c *call) error {
	return newMailID(c, amp.NewID, amp.ParseID)
}

func ampNewAttachmentID(c *call) error {
	return newMailID(c, amp.NewAttachmentID, amp.ParseAttachmentID)
}

func newMailID(c *call, make func(millis int64, random [8]byte) string, parse func(s string) (amp.ID, bool)) error {
	var millis int64
	var random [8]byte
	if err := c.read(needed(integer("millis", &millis, nil)), needed(digits("random", random[:]))); err != nil {
		return err
	}
	id := make(millis, random)
	if parsed, ok := parse(id); !ok || parsed.Millis || millis < 0 {
		return wrong("millis", "a time in Unix milliseconds")
	}
	return c.plain(id)
}

func ampNewIdempotencyKey(c *call) error {
	var random [16]byte
	if err := c.read(needed(digits("random", random[:]))); err != nil {
		return err
	}
	return c.plain(amp.NewIdempotencyKey(random))
}
