package samp

import (
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// quick reads a line as nearly all are: an object of §2's members alone, each
// once, with escapes in the body alone and of two characters, and at most one
// blank between things. Of any other line, malformed ones too, it reports false,
// and the reader for all JSON has to look; what rec holds then means nothing.
//
// The strings are cut from line, which is not changed. A body with escapes is not
// decoded: it comes back with its quotes as escaped.
//
// Beside the reader for all JSON this takes a quarter of the time natively and a
// seventh in the module, where calls and jumps are dear. FuzzParse holds both
// to the same records.
func quick(line []byte, rec *Record) (escaped []byte, ok bool) {
	line = trimRight(line)
	last := len(line) - 1
	// Below, pos never passes the last byte, because that is a brace and what is
	// stepped over is none.
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
				if pos = simple(line, pos); pos < last {
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

// member gives the place of a member's string; that of "ts" is nil.
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

// seconds reads a time of 1 to 18 digits, and gives its length, or 0 for what is
// no such number.
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

// simple gives the place of the quote that ends a string, from its first escape
// on, or the line's length if there is another escape than those of two
// characters.
func simple(line []byte, pos int) int {
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
