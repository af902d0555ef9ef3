// Package canon reads and writes JSON byte for byte, as the mail formats require: a strict
// validating reader that keeps the raw bytes of every value, and a writer that escapes exactly as
// Python's json.dumps does, because ids and signatures are hashes of such text.
//
// Start with [Object] for the members of one object or [Walk] for all nested values, [Unquote] to
// decode a string, [AppendString] to write one, [AppendSorted] for a whole value, and [NFC] for
// Unicode's composed form. A [Fault] is a broken rule, in every format. Besides small parts of
// the standard library the package imports only golang.org/x/text/unicode/norm and core/excerpt.
// Without fmt and reflection it stays small inside the WASM module.
package canon

import "strconv"

// MaxDepth is the deepest nesting of arrays and objects that is read. Deeper
// input is refused, so that a WASM host's stack is never the limit.
const MaxDepth = 64

// Kind is the kind of a [Value].
type Kind uint8

// The kinds of JSON values (RFC 8259 §3).
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Mapping
)

// String returns the kind's name as RFC 8259 writes it.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Phrase returns the kind's name with its article: "an object".
func (k Kind) Phrase() string {
	switch k {
	case Null:
		return "null"
	case Array, Mapping:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}

// Value is one JSON value in the text it was read from.
type Value struct {
	Kind Kind
	// Raw is the value's text without white space around it. It aliases the
	// input and must not be changed.
	Raw []byte
	// Offset is where Raw starts in the input, in bytes.
	Offset int
	// Escaped is set for a string with at least one backslash.
	Escaped bool
}

// Int64 returns a number that is written as an integer. ok is false for other
// kinds, for a fraction or exponent (Python's json reads those as float) and
// for a value outside 64 bits.
func (v Value) Int64() (n int64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	if len(v.Raw) <= 18 && Digits(v.Raw) == len(v.Raw) {
		for _, c := range v.Raw {
			n = n*10 + int64(c-'0')
		}
		return n, true
	}
	if !IsInteger(v.Raw) {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v.Raw), 10, 64)
	return n, err == nil
}

// Whole returns a number whose value is an integer: as [Value.Int64] does, and also one such as
// 12.0 or 1e3 up to 2 to the power of 53, beyond which a float64 is not exact.
func (v Value) Whole() (n int64, ok bool) {
	if n, ok := v.Int64(); ok || v.Kind != Number {
		return n, ok
	}
	const exact = 1 << 53
	x, err := strconv.ParseFloat(string(v.Raw), 64)
	if err != nil || x < -exact || x > exact || x != float64(int64(x)) {
		return 0, false
	}
	return int64(x), true
}

// IsInteger reports whether a valid JSON number is written without fraction
// and exponent.
func IsInteger(number []byte) bool {
	for _, c := range number {
		if c == '.' || c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}

// SyntaxError is the first place where a text is not the JSON that the caller asked for.
type SyntaxError struct {
	// Offset counts bytes from the start of the input.
	Offset int
	// Reason is a lower-case phrase without the offset.
	Reason string
	// Repeated is set if the text is JSON in which a member is repeated.
	Repeated bool
}

// Place returns the reason with the byte at which it was found, counted from 1.
func (e *SyntaxError) Place() string { return e.Reason + " at byte " + strconv.Itoa(e.Offset+1) }

func (e *SyntaxError) Error() string {
	return "canon: byte " + strconv.Itoa(e.Offset) + ": " + e.Reason
}
