package ops

import (
	"github.com/signalbox-dev/signalbox/core/amp"
)

func ampFilename(c *call) error {
	name := string(c.b)
	safe, err := amp.SafeFilename(name)
	c.text("safe", safe)
	c.fault("safeFault", asFault(err))
	clean, err := amp.CleanFilename(name)
	c.text("clean", clean)
	c.fault("cleanFault", asFault(err))
	c.bool("device", amp.Device(name))
	return nil
}

func ampDigest(c *call) error {
	return c.plain(amp.Digest(c.b))
}

func ampCheckAttachment(c *call) error {
	var said amp.Attachment
	if err := c.read(needed(integer("size", &said.Size, nil)), needed(text("digest", &said.Digest))); err != nil {
		return err
	}
	c.fault("fault", asFault(said.Check(c.b)))
	return nil
}

func ampKey(c *call) error {
	key, err := amp.ParseKey(c.b)
	if err != nil {
		return malformed(err)
	}
	c.text("algorithm", string(key.Algorithm()))
	c.text("fingerprint", key.Fingerprint())
	c.text("pem", string(key.PEM()))
	return nil
}

func ampID(c *call) error { return mailID(c, amp.ParseID) }

func ampAttachmentID(c *call) error {
	return mailID(c, amp.ParseAttachmentID)
}

func mailID(c *call, parse func(s string) (amp.ID, bool)) error {
	id, ok := parse(string(c.b))
	c.bool("valid", ok)
	c.number("seconds", id.Seconds)
	c.bool("millis", id.Millis)
	c.text("suffix", id.Suffix)
	c.bool("dashes", id.Dashes)
	return nil
}

func ampAddress(c *call) error {
	address, ok := amp.ParseAddress(string(c.b))
	c.bool("valid", ok)
	c.text("agent", address.Agent)
	c.text("domain", address.Domain)
	return nil
}
