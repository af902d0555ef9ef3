package samp

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// Form is the way in which a record's stored id was computed (design: "Readings we take"). A
// wrong id is never called tampered: many writers are merely careless.
type Form uint8

// The forms that existing writers have used. FormSpaced belongs to [V1], FormCompact to
// [V1Compact]. FormASCII is json.dumps without ensure_ascii=False, with spaced or compact
// separators. FormUnnormalised is compact over a body that is not in NFC.
const (
	FormMissing Form = iota
	FormSpaced
	FormCompact
	FormASCII
	FormUnnormalised
	FormWrong
)

// String returns the label that users see.
func (f Form) String() string {
	return [...]string{"missing", "spaced", "compact", "ascii-escaped", "unnormalised", "wrong"}[f]
}

// Profile returns the profile that writes ids of this form. ok is false if none does.
func (f Form) Profile() (p Profile, ok bool) {
	switch f {
	case FormSpaced:
		return V1, true
	case FormCompact:
		return V1Compact, true
	}
	return V1, false
}

// ID computes a record's id in a profile's form: the first 16 hexadecimal digits of SHA-256 over
// [AppendCanonical] (§3, rules I1 and I2). It ignores the stored id.
func ID(r *Record, p Profile) string {
	if p == V1Compact {
		return hashed(r, required, style{compact: true, nfc: true})
	}
	return hashed(r, required, style{})
}

// maxKey is the length in bytes of the longest stored id that is used unchanged. §3's ids
// have 16.
const maxKey = 256

// EffectiveID returns the stored id. If it is missing or empty, EffectiveID returns the id that
// the profile computes (rule I3). A stored id of more than 256 bytes is replaced by "sha256:" and
// its digest, since ids are stored and passed around, and a stranger could write one of any
// length.
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

// LineID computes the id of a line in a profile's form, over the fields that the line has (rule
// I3). Unlike a strict reader it accepts missing fields. It returns a *[canon.Fault] for any
// other malformed line.
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
	return canonical(dst, r, required, style{compact: p == V1Compact, nfc: p == V1Compact}, nil)
}

// style is one way of writing the canonical text.
type style struct{ compact, nfc, ascii bool }

// hashed returns the id over the fields in have.
func hashed(r *Record, have field, s style) string {
	sum := contentSum(r, have, s)
	return hex.EncodeToString(sum[:8])
}

// contentSum hashes the canonical text. A short text, as most are, is hashed in one step. A very
// long one is hashed in pieces, so that no second copy of it is made.
func contentSum(r *Record, have field, s style) sum {
	if len(r.Body)+len(r.From)+len(r.Thread)+len(r.To) <= piece {
		var space [512]byte
		return digest.Sum(canonical(space[:0], r, have, s, nil))
	}
	hash := digest.New()
	hash.Write(canonical(nil, r, have, s, &hash))
	return hash.Sum()
}

// piece is how much of a text is escaped at a time.
const piece = 32 << 10

// spaced and compact are the texts between the values. They are not put together from smaller
// parts because every append is a call in the WASM module.
var (
	spaced  = [...]string{`{"body": "`, `", "from": "`, `", "thread": "`, `", "to": "`, `", "ts": `}
	compact = [...]string{`{"body":"`, `","from":"`, `","thread":"`, `","to":"`, `","ts":`}
)

// canonical adds the canonical text of the fields in have to dst. If hash is not nil, canonical
// writes dst to it and empties dst whenever dst is longer than a piece.
func canonical(dst []byte, r *Record, have field, s style, hash *digest.Hash) []byte {
	if have != required {
		return partial(dst, r, have, s)
	}
	between := &spaced
	if s.compact {
		between = &compact
	}
	dst = append(dst, between[0]...)
	dst = s.value(dst, r.Body, s.nfc, hash)
	dst = append(dst, between[1]...)
	dst = s.value(dst, r.From, false, hash)
	dst = append(dst, between[2]...)
	dst = s.value(dst, r.Thread, false, hash)
	dst = append(dst, between[3]...)
	dst = s.value(dst, r.To, false, hash)
	dst = append(dst, between[4]...)
	return append(strconv.AppendInt(dst, r.TS, 10), '}')
}

// partial is canonical for a record with missing fields.
func partial(dst []byte, r *Record, have field, s style) []byte {
	colon, comma := `": `, `, "`
	if s.compact {
		colon, comma = `":`, `,"`
	}
	start := len(dst)
	for _, m := range [...]struct {
		field      field
		name, text string
	}{{fieldBody, "body", r.Body}, {fieldFrom, "from", r.From}, {fieldThread, "thread", r.Thread}, {fieldTo, "to", r.To}, {fieldTS, "ts", ""}} {
		if have&m.field == 0 {
			continue
		}
		dst = append(append(append(dst, comma...), m.name...), colon...)
		if m.field == fieldTS {
			dst = strconv.AppendInt(dst, r.TS, 10)
			continue
		}
		dst = append(s.value(append(dst, '"'), m.text, s.nfc && m.field == fieldBody, nil), '"')
	}
	if have == 0 {
		return append(dst, '{', '}')
	}
	// Remove the comma before the first member.
	dst = append(dst[:start], dst[start+len(comma)-2:]...)
	dst[start] = '{'
	return append(dst, '}')
}

// value adds a text in pieces that can be normalised and escaped separately.
func (s style) value(dst []byte, text string, nfc bool, hash *digest.Hash) []byte {
	for len(text) > 0 {
		part := text
		if len(part) > piece {
			part = text[:canon.NextBoundary(text, piece)]
		}
		text = text[len(part):]
		if nfc {
			part = canon.NFC(part)
		}
		if s.ascii {
			dst = canon.EscapeASCII(dst, part)
		} else {
			dst = canon.Escape(dst, part)
		}
		if hash != nil && len(dst) > piece {
			hash.Write(dst)
			dst = dst[:0]
		}
	}
	return dst
}
