package samp

import (
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// parseFast reads the usual kind of line: an object with only §2's members, each once, with
// escapes only in the body and only of two characters, and at most one blank between tokens. For
// any other line, malformed or not, it returns false: [parseFull] must then read the line, and
// rec is meaningless.
//
// The strings are cut from line, which is not changed. A body with escapes is not
// decoded: it is returned with its quotes as escaped.
//
// parseFast takes a quarter of parseFull's time natively and a seventh in the WASM module, where
// calls and jumps are expensive. FuzzParse checks that both read the same records.
func parseFast(line []byte, rec *Record) (escaped []byte, ok bool) {
	line = trimRight(line)
	last := len(line) - 1
	// Below, pos never passes the last byte: it is a brace, and no brace is skipped.
	if last < 1 || line[0] != '{' || line[last] != '}' || !canon.ValidUTF8(line) {
		return nil, false
	}
	text := unsafe.String(unsafe.SliceData(line), len(line))
	var have field
	for pos := 1; ; pos++ {
		if line[pos] == ' ' {
			pos++
		}
		if line[pos] != '"' {
			return nil, false
		}
		start := pos + 1
		pos = start + canon.Plain(line[start:])
		if pos >= last || line[pos] != '"' || line[pos+1] != ':' {
			return nil, false
		}
		f, into := rec.member(text[start:pos])
		if f == 0 || have&f != 0 {
			return nil, false
		}
		have |= f
		if pos += 2; line[pos] == ' ' {
			pos++
		}
		if f == fieldTS {
			n := 0
			if rec.TS, n = seconds(line[pos:]); n == 0 {
				return nil, false
			}
			pos += n
		} else {
			if line[pos] != '"' {
				return nil, false
			}
			start := pos + 1
			pos = start + canon.Plain(line[start:])
			if f == fieldBody && pos < last && line[pos] == '\\' {
				if pos = stringEnd(line, pos); pos < last {
					escaped = line[start-1 : pos+1]
				}
			}
			if pos >= last || line[pos] != '"' {
				return nil, false
			}
			*into = text[start:pos]
			pos++
		}
		if line[pos] != ',' {
			return escaped, pos == last && have&required == required
		}
	}
}

// member returns the field of that name and where its string goes, which is nil for
// "ts".
func (r *Record) member(name string) (field, *string) {
	switch name {
	case "id":
		return fieldID, &r.ID
	case "ts":
		return fieldTS, nil
	case "from":
		return fieldFrom, &r.From
	case "to":
		return fieldTo, &r.To
	case "thread":
		return fieldThread, &r.Thread
	case "body":
		return fieldBody, &r.Body
	}
	return 0, nil
}

// seconds reads a time of 1 to 18 digits and returns its length, or 0 for anything
// else.
func seconds(b []byte) (ts int64, n int) {
	n = canon.Digits(b)
	if n == 0 || n > 18 || b[0] == '0' {
		return 0, 0
	}
	for _, c := range b[:n] {
		ts = ts*10 + int64(c-'0')
	}
	return ts, n
}

// stringEnd returns the position of the quote that ends a string. pos is the string's first
// escape. stringEnd returns the line's length if there is an escape of more than two characters.
func stringEnd(line []byte, pos int) int {
	for pos+1 < len(line) && line[pos] == '\\' {
		switch line[pos+1] {
		case 'n', '"', '\\', 't', '/', 'r', 'b', 'f':
		default:
			return len(line)
		}
		pos += 2
		pos += canon.Plain(line[pos:])
	}
	return pos
}
