package ops

import (
	"github.com/signalbox-dev/signalbox/core/amp"
)

func ampFilename(c *call) error {
	name := string(c.b)
	safe, err := amp.SafeFilename(name)
	c.Text("safe", safe)
	c.fault("safeFault", asFault(err))
	clean, err := amp.CleanFilename(name)
	c.Text("clean", clean)
	c.fault("cleanFault", asFault(err))
	c.Bool("device", amp.Device(name))
	return nil
}

func ampDigest(c *call) error {
	return c.plain(amp.Digest(c.b))
}

func ampCheckAttachment(c *call) error {
	var declared amp.Attachment
	if err := c.read(needed(integer("size", &declared.Size, nil)), needed(text("digest", &declared.Digest))); err != nil {
		return err
	}
	c.fault("fault", asFault(declared.Check(c.b)))
	return nil
}

func ampKey(c *call) error {
	key, err := amp.ParseKey(c.b)
	if err != nil {
		return malformed(err)
	}
	c.Text("algorithm", string(key.Algorithm()))
	c.Text("fingerprint", key.Fingerprint())
	c.Text("pem", string(key.PEM()))
	return nil
}

func ampID(c *call) error { return mailID(c, amp.ParseID) }

func ampAttachmentID(c *call) error {
	return mailID(c, amp.ParseAttachmentID)
}

func mailID(c *call, parse func(s string) (amp.ID, bool)) error {
	id, ok := parse(string(c.b))
	c.Bool("valid", ok)
	c.Number("seconds", id.Seconds)
	c.Bool("millis", id.Millis)
	c.Text("suffix", id.Suffix)
	c.Bool("dashes", id.Dashes)
	return nil
}

func ampAddress(c *call) error {
	address, ok := amp.ParseAddress(string(c.b))
	c.Bool("valid", ok)
	c.Text("agent", address.Agent)
	c.Text("domain", address.Domain)
	return nil
}
