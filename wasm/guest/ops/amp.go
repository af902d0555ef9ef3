package ops

import (
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// mail reads the second argument of an op without parameters, a message.
func mail(a, b []byte) (amp.Message, error) {
	if err := read(a); err != nil {
		return amp.Message{}, err
	}
	return parsedMail(b)
}

func parsedMail(data []byte) (amp.Message, error) {
	m, err := amp.ParseMessage(data)
	if err != nil {
		return amp.Message{}, malformed(err)
	}
	return m, nil
}

func ampMessage(dst, a, b []byte) ([]byte, error) {
	m, err := mail(a, b)
	if err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.mail(&m)
	e.close('}')
	return e.buf, nil
}

func ampPayloadBytes(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	payload, err := amp.PayloadBytes(b)
	if err != nil {
		return nil, malformed(err)
	}
	return append(dst, payload...), nil
}

func ampPayloadHash(dst, a, b []byte) ([]byte, error) {
	payload, err := ampPayloadBytes(nil, a, b)
	if err != nil {
		return nil, err
	}
	return append(dst, amp.PayloadHash(payload)...), nil
}

func ampSigned(dst, a, b []byte) ([]byte, error) {
	m, err := mail(a, b)
	if err != nil {
		return nil, err
	}
	signed, err := m.Signed()
	if err != nil {
		return nil, malformed(err)
	}
	return append(dst, signed...), nil
}

func ampVerify(dst, a, b []byte) ([]byte, error) {
	var length int64
	if err := read(a, needed(integer("messageLength", &length, nil))); err != nil {
		return nil, err
	}
	if length < 0 || length > int64(len(b)) {
		return nil, badArgument("a length lies outside the second argument")
	}
	m, err := parsedMail(b[:length])
	if err != nil {
		return nil, err
	}
	key, err := amp.ParseKey(b[length:])
	if err != nil {
		return nil, malformed(err)
	}
	v, err := amp.Verify(&m, key)
	e := encoder{buf: dst}
	e.open('{')
	e.bool("verified", err == nil)
	e.text("step", v.Step.String())
	e.text("payload", string(v.Payload))
	e.text("signed", string(v.Signed))
	e.fault("fault", asFault(err))
	e.close('}')
	return e.buf, nil
}

func ampJudge(dst, a, b []byte) ([]byte, error) {
	var k amp.Known
	var length int64
	var keys []int64
	var self []string
	k.Earlier = map[string]amp.Earlier{}
	err := read(a, needed(integer("now", &k.Now, nil)), needed(integer("messageLength", &length, nil)), lengths("keys", &keys),
		text("pin", &k.Pin), texts("self", &self), list("earlier", func(v canon.Value) error {
			var signature string
			var first amp.Earlier
			err := read(v.Raw, needed(text("signatureId", &signature)), needed(text("id", &first.ID)), text("idempotencyKey", &first.IdempotencyKey))
			if _, seen := k.Earlier[signature]; !seen { // the first message that had it
				k.Earlier[signature] = first
			}
			return err
		}))
	if err != nil {
		return nil, err
	}
	for _, s := range self {
		address, ok := amp.ParseAddress(s)
		if !ok {
			return nil, wrong("self", "a list of full addresses")
		}
		k.Self = append(k.Self, address)
	}
	parts, err := pieces(b, []int64{length}, keys)
	if err != nil {
		return nil, err
	}
	m, err := parsedMail(parts[0][0])
	if err != nil {
		return nil, err
	}
	for _, raw := range parts[1] {
		key, err := amp.ParseKey(raw)
		if err != nil {
			return nil, malformed(err)
		}
		k.Keys = append(k.Keys, key)
	}
	t := amp.Judge(&m, k)
	e := encoder{buf: dst}
	e.open('{')
	e.mailTrust(&t)
	e.close('}')
	return e.buf, nil
}

func ampThreads(dst, a, b []byte) ([]byte, error) {
	var links []amp.Link
	err := read(a, needed(list("links", func(v canon.Value) error {
		var l amp.Link
		err := read(v.Raw, needed(text("id", &l.ID)), text("inReplyTo", &l.InReplyTo))
		links = append(links, l)
		return err
	})))
	if err != nil {
		return nil, err
	}
	if err := none(b); err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.key("places")
	e.open('[')
	for _, p := range amp.Threads(links) {
		e.item()
		e.open('{')
		e.mailPlace(&p)
		e.close('}')
	}
	e.close(']')
	e.close('}')
	return e.buf, nil
}

func ampFlags(dst, a, b []byte) ([]byte, error) {
	return textsOf(dst, a, b, "flags", amp.Flags)
}

func ampUnwrap(dst, a, b []byte) ([]byte, error) {
	return textsOf(dst, a, b, "texts", amp.Unwrap)
}

// textsOf runs an op that finds texts in a text.
func textsOf(dst, a, b []byte, name string, find func(text string) []string) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	if !utf8.Valid(b) {
		return nil, badArgument("the text is not valid UTF-8")
	}
	e := encoder{buf: dst}
	e.open('{')
	e.texts(name, find(string(b)))
	e.close('}')
	return e.buf, nil
}
