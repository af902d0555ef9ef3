package samp

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"golang.org/x/text/unicode/norm"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Form is what a record's stored id turned out to be (design: "Readings we
// take"). A wrong id is never called tampered: many writers are merely
// careless.
type Form uint8

// The forms that writers in the field have used. FormSpaced is [V1]'s,
// FormCompact is [V1Compact]'s; FormASCII is json.dumps without ensure_ascii=False, with either
// separators; FormUnnormalised is compact over a body that is not in NFC.
const (
	FormMissing Form = iota
	FormSpaced
	FormCompact
	FormASCII
	FormUnnormalised
	FormWrong
)

// String gives the label that users see.
func (f Form) String() string {
	return [...]string{"missing", "spaced", "compact", "ascii-escaped", "unnormalised", "wrong"}[f]
}

// Profile tells which profile writes ids of this form. ok is false where the
// form belongs to none.
func (f Form) Profile() (p Profile, ok bool) {
	switch f {
	case FormSpaced:
		return V1, true
	case FormCompact:
		return V1Compact, true
	}
	return V1, false
}

// ID computes a record's id in a profile's form: the first 16 hexadecimal
// digits of SHA-256 over [AppendCanonical] (§3, rules I1 and I2). The stored
// id plays no part.
func ID(r *Record, p Profile) string {
	if p == V1Compact {
		return digest(r, required, style{compact: true, nfc: true})
	}
	return digest(r, required, style{})
}

// EffectiveID is the stored id, or where it is missing or empty the one that
// the profile computes (rule I3).
func EffectiveID(r *Record, p Profile) string {
	if r.ID != "" {
		return r.ID
	}
	return ID(r, p)
}

// LineID computes the id of a line in a profile's form over the fields it has
// (rule I3), for lines that a strict reader would refuse for a missing field.
// Any other malformation gives a *[Fault].
func LineID(line []byte, p Profile) (string, error) {
	var parsed parser
	if err := parsed.read(line); err != nil {
		return "", err
	}
	return digest(&parsed.rec, parsed.have&required, style{compact: p == V1Compact, nfc: p == V1Compact}), nil
}

// Identify compares the stored id with every known form.
func Identify(r *Record) Form {
	if r.ID == "" {
		return FormMissing
	}
	for _, try := range [...]struct {
		style style
		form  Form
	}{
		{style{}, FormSpaced},
		{style{compact: true, nfc: true}, FormCompact},
		{style{compact: true}, FormUnnormalised},
		{style{ascii: true}, FormASCII},
		{style{ascii: true, compact: true, nfc: true}, FormASCII},
		{style{ascii: true, compact: true}, FormASCII},
	} {
		if digest(r, required, try.style) == r.ID {
			return try.form
		}
	}
	return FormWrong
}

// AppendCanonical adds the text that a profile hashes: the members body, from,
// thread, to and ts in this order, as Python's json.dumps with sort_keys
// writes them (§3).
func AppendCanonical(dst []byte, r *Record, p Profile) []byte {
	return appendCanonical(dst, r, required, style{compact: p == V1Compact, nfc: p == V1Compact})
}

// style is one way of writing the canonical text.
type style struct{ compact, nfc, ascii bool }

func digest(r *Record, have field, s style) string {
	buf := make([]byte, 0, 128+len(r.Thread)+len(r.Body)+len(r.Body)/8)
	sum := sha256.Sum256(appendCanonical(buf, r, have, s))
	return hex.EncodeToString(sum[:8])
}

func appendCanonical(dst []byte, r *Record, have field, s style) []byte {
	colon, comma := ": ", ", "
	if s.compact {
		colon, comma = ":", ","
	}
	text := canon.AppendString
	if s.ascii {
		text = canon.AppendASCII
	}
	body := r.Body
	if s.nfc {
		body = normalise(body)
	}
	dst = append(dst, '{')
	start := len(dst)
	for _, m := range [...]struct {
		name  string
		field field
		text  string
	}{
		{"body", fieldBody, body},
		{"from", fieldFrom, r.From},
		{"thread", fieldThread, r.Thread},
		{"to", fieldTo, r.To},
		{"ts", fieldTS, ""},
	} {
		if have&m.field == 0 {
			continue
		}
		if len(dst) > start {
			dst = append(dst, comma...)
		}
		dst = append(dst, '"')
		dst = append(dst, m.name...)
		dst = append(dst, '"')
		dst = append(dst, colon...)
		if m.field == fieldTS {
			dst = strconv.AppendInt(dst, r.TS, 10)
		} else {
			dst = text(dst, m.text)
		}
	}
	return append(dst, '}')
}

// normalise gives s in NFC. Most text is ASCII, which is normal as it stands.
func normalise(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return norm.NFC.String(s)
		}
	}
	return s
}
