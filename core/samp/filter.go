package samp

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Sieve finds lines that may be addressed to one alias without decoding the
// others. It is what makes an inbox over a million records quick.
type Sieve struct {
	me  []byte
	all bool
}

// NewSieve makes a sieve for a recipient.
func NewSieve(me string) Sieve { return Sieve{me: []byte(me)} }

// Everybody is the sieve that keeps all lines.
func Everybody() Sieve { return Sieve{all: true} }

// Keep reports whether a line has to be parsed. It is false only if the line cannot be
// a record for the recipient: it has an unescaped "to" with another recipient, so it is
// either for somebody else or malformed by a second "to". Lines that the walk does not
// understand are kept, and so parsed and counted if they are malformed: an escaped
// name, a nested value, a line that does not end in a brace.
func (s Sieve) Keep(line []byte) bool {
	if s.all {
		return true
	}
	to, ok := Receiver(line)
	return !ok || string(to) == string(s.me)
}

// takes reports whether a record is addressed to the recipient.
func (s Sieve) takes(r *Record) bool { return s.all || r.To == string(s.me) }

// Receiver returns the value of "to" in a line as it stands there. ok is false if the line
// has to be parsed for that, or is no record.
func Receiver(line []byte) (to []byte, ok bool) { return (*Receivers)(nil).Of(line) }

// Receivers finds the receivers of many lines. Those of one sender have the same bytes
// between time and receiver, which need not be looked at one by one again. Nil remembers none.
type Receivers struct{ between []byte }

// Of is [Receiver] for the next line.
func (r *Receivers) Of(line []byte) (to []byte, ok bool) {
	line = trimRight(line)
	if len(line) == 0 || line[len(line)-1] != '}' {
		return nil, false
	}
	if pos, ok := r.usual(line); ok {
		return plain(line, pos)
	}
	pos := space(line, 0)
	if line[pos] != '{' {
		return nil, false
	}
	for pos++; ; pos++ {
		if pos = space(line, pos); line[pos] != '"' {
			return nil, false
		}
		start := pos + 1
		// The line ends in a brace, so a quote, and anything that does not end a name,
		// is never its last byte.
		pos = start + canon.Plain(line[start:])
		if pos == len(line) || line[pos] != '"' {
			return nil, false
		}
		mine := pos == start+2 && line[start] == 't' && line[start+1] == 'o'
		if pos = space(line, pos+1); line[pos] != ':' {
			return nil, false
		}
		if pos = space(line, pos+1); mine {
			return plain(line, pos)
		}
		if pos, ok = skip(line, pos); !ok {
			return nil, false
		}
		if pos = space(line, pos); line[pos] != ',' {
			return nil, false
		}
	}
}

// usual finds the value of "to" in a line as nearly every program writes it: the
// members in the order of §2, with a space behind each colon and comma or without.
// ok is false for all others, which the walk reads.
func (r *Receivers) usual(line []byte) (pos int, ok bool) {
	// What is still to come behind each step, at least.
	const afterID, afterTS, afterFrom = `","ts":1,"from":"","to":""}`, `,"from":"","to":""}`, `","to":""}`
	if len(line) < 9+len(afterID) {
		return 0, false
	}
	if spaced := line[6] == ' '; spaced {
		if string(line[:8]) != `{"id": "` {
			return 0, false
		}
		pos = 8 + canon.Plain(line[8:])
		if len(line)-pos < 6+len(afterID) || string(line[pos:pos+9]) != `", "ts": ` {
			return 0, false
		}
		pos += 9
		pos += canon.Digits(line[pos:])
		if r.known(line, pos) {
			return pos + len(r.between), true
		}
		begin := pos
		if len(line)-pos < 4+len(afterTS) || string(line[pos:pos+11]) != `, "from": "` {
			return 0, false
		}
		pos += 11
		pos += canon.Plain(line[pos:])
		if len(line)-pos < 2+len(afterFrom) || string(line[pos:pos+9]) != `", "to": ` {
			return 0, false
		}
		r.know(line[begin : pos+9])
		return pos + 9, true
	}
	if string(line[:7]) != `{"id":"` {
		return 0, false
	}
	pos = 7 + canon.Plain(line[7:])
	if len(line)-pos < len(afterID) || string(line[pos:pos+7]) != `","ts":` {
		return 0, false
	}
	pos += 7
	pos += canon.Digits(line[pos:])
	if r.known(line, pos) {
		return pos + len(r.between), true
	}
	begin := pos
	if len(line)-pos < len(afterTS) || string(line[pos:pos+9]) != `,"from":"` {
		return 0, false
	}
	pos += 9
	pos += canon.Plain(line[pos:])
	if len(line)-pos < len(afterFrom) || string(line[pos:pos+7]) != `","to":` {
		return 0, false
	}
	r.know(line[begin : pos+7])
	return pos + 7, true
}

// known reports whether the line goes on with the same bytes. They never reach the brace that
// ends it.
func (r *Receivers) known(line []byte, pos int) bool {
	return r != nil && len(r.between) > 0 && bytes.HasPrefix(line[pos:], r.between)
}

func (r *Receivers) know(between []byte) {
	if r != nil {
		r.between = append(r.between[:0], between...)
	}
}

// plain reads a string without escapes.
func plain(line []byte, pos int) (text []byte, ok bool) {
	if line[pos] != '"' {
		return nil, false
	}
	text = line[pos+1:]
	n := canon.Plain(text)
	return text[:n], n < len(text) && text[n] == '"'
}

// trimRight takes the line end off, and other white space before it.
func trimRight(line []byte) []byte {
	for n := len(line); n > 0; n-- {
		if c := line[n-1]; c != '\n' && c != '\r' && c != ' ' && c != '\t' {
			return line[:n]
		}
	}
	return nil
}

// space returns the next position that holds no white space. The line ends in a
// brace, so there always is one. Mostly it is this position or the next.
func space(line []byte, pos int) int {
	if line[pos] == ' ' {
		pos++
	}
	if c := line[pos]; c == ' ' || c == '\t' || c == '\r' {
		return spaces(line, pos)
	}
	return pos
}

func spaces(line []byte, pos int) int {
	for line[pos] == ' ' || line[pos] == '\t' || line[pos] == '\r' {
		pos++
	}
	return pos
}

// skip passes a string, a number or a word.
func skip(line []byte, pos int) (end int, ok bool) {
	if line[pos] != '"' {
		pos += canon.Digits(line[pos:])
		for c := line[pos]; c != ',' && c != '}' && c != ' ' && c != '\t' && c != '\r'; c = line[pos] {
			if c == '{' || c == '[' || c == '"' {
				return 0, false
			}
			pos++
		}
		return pos, true
	}
	for pos++; ; pos += 2 {
		pos += canon.Plain(line[pos:])
		if pos >= len(line) || line[pos] < 0x20 {
			return 0, false
		}
		if line[pos] == '"' {
			return pos + 1, true
		}
		if pos+2 >= len(line) {
			return 0, false
		}
	}
}

// Scan is what a pass over a log's bytes came to.
type Scan struct {
	// Lines counts the lines that are not blank, Malformed the parsed lines that are
	// not records.
	Lines, Malformed int
	// Complete is the length of the data up to its last line end. What
	// follows is a line still being written, or torn.
	Complete int
}

// Lines cuts data into lines, blank ones included, and hands each with its line
// end and its offset to line. The last one may lack its line end.
func Lines(data []byte, line func(offset int, raw []byte)) {
	for offset := 0; offset < len(data); {
		n := canon.LineEnd(data[offset:]) + 1
		if n == 0 {
			n = len(data) - offset
		}
		line(offset, data[offset:offset+n])
		offset += n
	}
}

// Find returns the records in a log that are addressed to me, or all of them if me is nil,
// as input for [Gather]. A last line without its end is read if it is a whole record. The
// records' strings are cut from data, which must not be changed while they are
// used.
func Find(data []byte, stem string, rank int, me *string, p Profile) ([]Found, Scan) {
	f := finder{sieve: Everybody(), stem: stem, rank: rank, profile: p, size: len(data)}
	if me != nil {
		f.sieve = NewSieve(*me)
	}
	for offset := 0; offset < len(data); {
		rest := data[offset:]
		n := canon.LineEnd(rest) + 1
		if n == 0 {
			n = len(rest)
		} else {
			f.scan.Complete = offset + n
		}
		if f.sieve.Keep(rest[:n]) {
			f.line(offset, rest[:n])
		} else {
			f.scan.Lines++
		}
		offset += n
	}
	return f.found, f.scan
}

// finder is the state of [Find].
type finder struct {
	sieve   Sieve
	stem    string
	rank    int
	profile Profile
	size    int // of all data
	found   []Found
	scan    Scan
	// space takes bodies that had escapes, many in one allocation.
	space []byte
}

// line reads a line that the sieve kept.
func (f *finder) line(offset int, raw []byte) {
	// The record is read to where it stays: copies of a Found are what a module
	// is slow at.
	f.grow(offset)
	f.found = append(f.found, Found{})
	next := &f.found[len(f.found)-1]
	if err := f.read(raw, &next.Record); err != nil || !f.sieve.takes(&next.Record) {
		f.found = f.found[:len(f.found)-1]
		switch {
		case err == nil:
			f.scan.Lines++
		case len(bytes.TrimSpace(raw)) > 0:
			f.scan.Lines++
			f.scan.Malformed++
		}
		return
	}
	f.scan.Lines++
	next.Key, next.Stem = EffectiveID(&next.Record, f.profile), f.stem
	next.Rank, next.Offset = f.rank, int64(offset)
}

// grow makes room for one more, and for as many as the rest of the data will hold
// if it is like what was read.
func (f *finder) grow(offset int) {
	if n := len(f.found); n == cap(f.found) && n > 0 {
		f.found = slices.Grow(f.found, 1+n/4+n*(f.size-offset)/offset)
	}
}

// read is [Parse] with the strings cut from raw, which is not changed.
func (f *finder) read(raw []byte, rec *Record) error {
	escaped, ok := quick(raw, rec)
	if !ok {
		var err error
		*rec, err = slow(bytes.Clone(raw))
		return err
	}
	if escaped == nil {
		return nil
	}
	if cap(f.space)-len(f.space) < len(escaped) {
		const most = 32 << 10
		f.space = make([]byte, 0, max(len(escaped), min(most, f.size)))
	}
	text, _ := canon.AppendUnquoted(f.space, escaped)
	rec.Body = unsafe.String(unsafe.SliceData(text[len(f.space):]), len(text)-len(f.space))
	f.space = text
	return nil
}

// Verdict is what a sieve made of a line.
type Verdict uint8

// A line is for somebody Else, blank, malformed, or Mine: a record to the
// sieve's recipient. A malformed line that names another recipient before it
// breaks may count as Else; only [Inspect] looks at everything.
const (
	Else Verdict = iota
	Blank
	Malformed
	Mine
)

// Read parses a line if it may be for the sieve's recipient. The record is set only for
// Mine, without rank and offset.
func (s Sieve) Read(raw []byte, stem string, p Profile) (Found, Verdict) {
	return s.read(raw, stem, p, Parse)
}

func (s Sieve) read(raw []byte, stem string, p Profile, parse func([]byte) (Record, error)) (Found, Verdict) {
	if !s.Keep(raw) {
		return Found{}, Else
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return Found{}, Blank
	}
	rec, err := parse(raw)
	if err != nil {
		return Found{}, Malformed
	}
	if !s.takes(&rec) {
		return Found{}, Else
	}
	return Found{Record: rec, Key: EffectiveID(&rec, p), Stem: stem}, Mine
}

// ReadInPlace is [Sieve.Read] for a line the caller gives away: the record's
// strings are cut from raw, as [ParseInPlace] does it.
func (s Sieve) ReadInPlace(raw []byte, stem string, p Profile) (Found, Verdict) {
	return s.read(raw, stem, p, ParseInPlace)
}
