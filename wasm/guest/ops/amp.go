package ops

import (
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// parsedMail parses a signed message.
func parsedMail(data []byte) (amp.Message, error) {
	m, err := amp.ParseMessage(data)
	if err != nil {
		return amp.Message{}, malformed(err)
	}
	return m, nil
}

func ampMessage(c *call) error { return parsed(c, amp.ParseMessage, (*encoder).mail) }

func ampPayloadBytes(c *call) error {
	payload, err := amp.PayloadBytes(c.b)
	if err != nil {
		return malformed(err)
	}
	return c.bytes(payload)
}

func ampPayloadHash(c *call) error {
	payload, err := amp.PayloadBytes(c.b)
	if err != nil {
		return malformed(err)
	}
	return c.plain(amp.PayloadHash(payload))
}

func ampSigned(c *call) error {
	m, err := parsedMail(c.b)
	if err != nil {
		return err
	}
	signed, err := m.Signed()
	if err != nil {
		return malformed(err)
	}
	return c.bytes(signed)
}

func ampVerify(c *call) error {
	var length int64
	if err := c.read(needed(integer("messageLength", &length, nil))); err != nil {
		return err
	}
	if length < 0 || length > int64(len(c.b)) {
		return badArgument("a length lies outside the second argument")
	}
	m, err := parsedMail(c.b[:length])
	if err != nil {
		return err
	}
	key, err := amp.ParseKey(c.b[length:])
	if err != nil {
		return malformed(err)
	}
	v, err := amp.Verify(&m, key)
	c.Bool("verified", err == nil)
	c.Text("step", v.Step.String())
	c.Text("payload", string(v.Payload))
	c.Text("signed", string(v.Signed))
	c.fault("fault", asFault(err))
	return nil
}

func ampJudge(c *call) error {
	var k amp.Known
	var length int64
	var keys []int64
	var self []string
	k.Earlier = map[string]amp.Earlier{}
	err := c.read(needed(integer("now", &k.Now, nil)), needed(integer("messageLength", &length, nil)), lengths("keys", &keys),
		text("pin", &k.Pin), texts("self", &self), items("earlier", new([]struct{}), func(raw []byte, _ *struct{}) error {
			var signature string
			var first amp.Earlier
			err := read(raw, needed(text("signatureId", &signature)), needed(text("id", &first.ID)), text("idempotencyKey", &first.IdempotencyKey))
			if _, seen := k.Earlier[signature]; !seen { // the first message that had it
				k.Earlier[signature] = first
			}
			return err
		}))
	if err != nil {
		return err
	}
	for _, s := range self {
		address, ok := amp.ParseAddress(s)
		if !ok {
			return wrong("self", "a list of full addresses")
		}
		k.Self = append(k.Self, address)
	}
	parts, err := pieces(c.b, []int64{length}, keys)
	if err != nil {
		return err
	}
	m, err := parsedMail(parts[0][0])
	if err != nil {
		return err
	}
	for _, raw := range parts[1] {
		key, err := amp.ParseKey(raw)
		if err != nil {
			return malformed(err)
		}
		k.Keys = append(k.Keys, key)
	}
	t := amp.Judge(&m, k)
	c.mailTrust(&t)
	return nil
}

func ampThreads(c *call) error {
	var links []amp.Link
	err := c.read(needed(items("links", &links, func(raw []byte, l *amp.Link) error {
		return read(raw, needed(text("id", &l.ID)), text("inReplyTo", &l.InReplyTo))
	})))
	if err != nil {
		return err
	}
	every(&c.encoder, "places", amp.Threads(links), (*encoder).mailPlace)
	return nil
}

func ampFlags(c *call) error {
	return textsOf(c, "flags", amp.Flags)
}

func ampUnwrap(c *call) error {
	return textsOf(c, "texts", amp.Unwrap)
}

// textsOf writes the result of an op that finds texts in a text.
func textsOf(c *call, name string, find func(text string) []string) error {
	if !utf8.Valid(c.b) {
		return badArgument("the text is not valid UTF-8")
	}
	c.Texts(name, find(string(c.b)))
	return nil
}
