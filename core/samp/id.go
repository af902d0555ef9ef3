package samp

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// Form is what a record's stored id turned out to be (design: "Readings we
// take"). A wrong id is never called tampered: many writers are merely
// careless.
type Form uint8

// The forms that writers in the field have used. FormSpaced is [V1]'s,
// FormCompact is [V1Compact]'s; FormASCII is json.dumps without
// ensure_ascii=False, with either separators; FormUnnormalised is compact over
// a body that is not in NFC.
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
		return hashed(r, required, style{compact: true, nfc: true})
	}
	return hashed(r, required, style{})
}

// maxKey is the length in bytes of the longest stored id that names a message
// as it stands. §3's have 16.
const maxKey = 256

// EffectiveID is the stored id, or where it is missing or empty the one that
// the profile computes (rule I3). A stored id of more than 256 bytes is stood
// for by "sha256:" and its digest: ids are kept, compared and sent about, and a
// stranger could make one as long as they like.
func EffectiveID(r *Record, p Profile) string {
	if len(r.ID) > maxKey {
		sum := digest.Sum([]byte(r.ID))
		return "sha256:" + hex.EncodeToString(sum[:])
	}
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
	if err := parsed.read(bytes.Clone(line)); err != nil {
		return "", err
	}
	return hashed(&parsed.rec, parsed.have&required, style{compact: p == V1Compact, nfc: p == V1Compact}), nil
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
		if hashed(r, required, try.style) == r.ID {
			return try.form
		}
	}
	return FormWrong
}

// AppendCanonical adds the text that a profile hashes: the members body, from,
// thread, to and ts in this order, as Python's json.dumps with sort_keys
// writes them (§3).
func AppendCanonical(dst []byte, r *Record, p Profile) []byte {
	canonical(r, required, style{compact: p == V1Compact, nfc: p == V1Compact}, func(piece []byte) {
		dst = append(dst, piece...)
	})
	return dst
}

// style is one way of writing the canonical text.
type style struct{ compact, nfc, ascii bool }

func hashed(r *Record, have field, s style) string {
	hash := digest.New()
	canonical(r, have, s, func(piece []byte) { hash.Write(piece) })
	sum := hash.Sum()
	return hex.EncodeToString(sum[:8])
}

// piece is how much of a body is escaped at a time, so that hashing a very
// long message takes no second copy of it.
const piece = 32 << 10

// canonical hands the canonical text of the fields in have to emit, in pieces
// that are valid during the call.
func canonical(r *Record, have field, s style, emit func([]byte)) {
	colon, comma := ": ", ", "
	if s.compact {
		colon, comma = ":", ","
	}
	escape := canon.Escape
	if s.ascii {
		escape = canon.EscapeASCII
	}
	buf := make([]byte, 0, 128+len(r.Thread)+min(len(r.Body), piece)*9/8)
	buf = append(buf, '{')
	first := true
	for _, m := range [...]struct {
		field      field
		name, text string
	}{
		{fieldBody, "body", r.Body},
		{fieldFrom, "from", r.From},
		{fieldThread, "thread", r.Thread},
		{fieldTo, "to", r.To},
		{fieldTS, "ts", ""},
	} {
		if have&m.field == 0 {
			continue
		}
		if !first {
			buf = append(buf, comma...)
		}
		first = false
		buf = append(append(append(buf, '"'), m.name...), '"')
		buf = append(buf, colon...)
		if m.field == fieldTS {
			buf = strconv.AppendInt(buf, r.TS, 10)
			continue
		}
		buf = append(buf, '"')
		for rest := m.text; len(rest) > 0; {
			part := rest[:boundary(rest)]
			rest = rest[len(part):]
			if m.field == fieldBody && s.nfc {
				part = canon.NFC(part)
			}
			if buf = escape(buf, part); len(buf) > piece {
				emit(buf)
				buf = buf[:0]
			}
		}
		buf = append(buf, '"')
	}
	emit(append(buf, '}'))
}

// boundary gives the length of a first piece of s that can be normalised and
// escaped on its own.
func boundary(s string) int {
	if len(s) <= piece {
		return len(s)
	}
	return canon.NextBoundary(s, piece)
}
