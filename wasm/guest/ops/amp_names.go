package ops

import (
	"github.com/signalbox-dev/signalbox/core/amp"
)

func ampFilename(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	name := string(b)
	e := encoder{buf: dst}
	e.open('{')
	safe, err := amp.SafeFilename(name)
	e.text("safe", safe)
	e.fault("safeFault", asFault(err))
	clean, err := amp.CleanFilename(name)
	e.text("clean", clean)
	e.fault("cleanFault", asFault(err))
	e.bool("device", amp.Device(name))
	e.close('}')
	return e.buf, nil
}

func ampDigest(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	return append(dst, amp.Digest(b)...), nil
}

func ampCheckAttachment(dst, a, b []byte) ([]byte, error) {
	var said amp.Attachment
	if err := read(a, needed(integer("size", &said.Size, nil)), needed(text("digest", &said.Digest))); err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.fault("fault", asFault(said.Check(b)))
	e.close('}')
	return e.buf, nil
}

func ampKey(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	key, err := amp.ParseKey(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.text("algorithm", string(key.Algorithm()))
	e.text("fingerprint", key.Fingerprint())
	e.text("pem", string(key.PEM()))
	e.close('}')
	return e.buf, nil
}

func ampID(dst, a, b []byte) ([]byte, error) { return mailID(dst, a, b, amp.ParseID) }

func ampAttachmentID(dst, a, b []byte) ([]byte, error) {
	return mailID(dst, a, b, amp.ParseAttachmentID)
}

func mailID(dst, a, b []byte, parse func(s string) (amp.ID, bool)) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	id, ok := parse(string(b))
	e := encoder{buf: dst}
	e.open('{')
	e.bool("valid", ok)
	e.number("seconds", id.Seconds)
	e.bool("millis", id.Millis)
	e.text("suffix", id.Suffix)
	e.bool("dashes", id.Dashes)
	e.close('}')
	return e.buf, nil
}

func ampAddress(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	address, ok := amp.ParseAddress(string(b))
	e := encoder{buf: dst}
	e.open('{')
	e.bool("valid", ok)
	e.text("agent", address.Agent)
	e.text("domain", address.Domain)
	e.close('}')
	return e.buf, nil
}
