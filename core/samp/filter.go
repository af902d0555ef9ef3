package samp

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Filter finds lines that may be addressed to one alias without decoding the others. It makes an
// inbox over a million records fast.
type Filter struct {
	me  []byte
	all bool
}

// NewFilter returns a filter for a recipient.
func NewFilter(me string) Filter { return Filter{me: []byte(me)} }

// KeepAll returns the filter that keeps all lines.
func KeepAll() Filter { return Filter{all: true} }

// Keep reports whether a line has to be parsed. It returns false only if the line cannot be a
// record for the recipient: an unescaped "to" has another recipient, so that the line is for
// somebody else, or malformed if it has a second "to". Keep returns true for lines that it cannot
// read, such as those with an escaped name, a nested value or no brace at the end. They are then
// parsed, and counted if they are malformed.
func (s Filter) Keep(line []byte) bool {
	if s.all {
		return true
	}
	to, ok := Receiver(line)
	return !ok || string(to) == string(s.me)
}

// matches reports whether a record is addressed to the recipient.
func (s Filter) matches(r *Record) bool { return s.all || r.To == string(s.me) }

// Receiver returns the value of "to" in a line, as written. ok is false if the line must be
// parsed to find it, or is not a record.
func Receiver(line []byte) (to []byte, ok bool) { return (*Receivers)(nil).Of(line) }

// Receivers finds the receivers of many lines. The lines of one sender have the same bytes
// between time and receiver; Receivers remembers these bytes to skip them at once. Nil remembers
// nothing.
type Receivers struct{ between []byte }

// Of is [Receiver] for the next line.
func (r *Receivers) Of(line []byte) (to []byte, ok bool) {
	line = trimRight(line)
	if len(line) == 0 || line[len(line)-1] != '}' {
		return nil, false
	}
	if pos, ok := r.usualForm(line); ok {
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
		isTo := pos == start+2 && line[start] == 't' && line[start+1] == 'o'
		if pos = space(line, pos+1); line[pos] != ':' {
			return nil, false
		}
		if pos = space(line, pos+1); isTo {
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

// usualForm finds the value of "to" in a line of the usual form: the members in the order of §2,
// with or without a space after each colon and comma. ok is false for all other lines.
func (r *Receivers) usualForm(line []byte) (pos int, ok bool) {
	// The shortest possible rest of the line after each step.
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
		if r.repeats(line, pos) {
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
		r.remember(line[begin : pos+9])
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
	if r.repeats(line, pos) {
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
	r.remember(line[begin : pos+7])
	return pos + 7, true
}

// repeats reports whether the line continues with the remembered bytes. They never include the
// last brace.
func (r *Receivers) repeats(line []byte, pos int) bool {
	return r != nil && len(r.between) > 0 && bytes.HasPrefix(line[pos:], r.between)
}

func (r *Receivers) remember(between []byte) {
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

// trimRight returns the line without its line end and other trailing white space.
func trimRight(line []byte) []byte {
	for n := len(line); n > 0; n-- {
		if c := line[n-1]; c != '\n' && c != '\r' && c != ' ' && c != '\t' {
			return line[:n]
		}
	}
	return nil
}

// space returns the next position without white space. There always is one, since the line ends
// in a brace. Mostly it is this position or the next.
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

// Scan is the result of a pass over a log's bytes.
type Scan struct {
	// Lines counts the lines that are not blank. Malformed counts the parsed lines that are not
	// records.
	Lines, Malformed int
	// Complete is the length of the data up to its last line end. The rest is a line still being
	// written, or torn.
	Complete int
}

// Lines calls line for each line of data, including blank ones, with its offset and its line end.
// The last line may lack its line end.
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

// Find returns the records in a log that are addressed to me, or all records if me is nil, as
// input for [Gather]. A last line without a line end is read if it is a complete record. The
// records' strings are cut from data, which must not be changed while they are used.
func Find(data []byte, stem string, rank int, me *string, p Profile) ([]Found, Scan) {
	f := finder{filter: KeepAll(), stem: stem, rank: rank, profile: p, size: len(data)}
	if me != nil {
		f.filter = NewFilter(*me)
	}
	for offset := 0; offset < len(data); {
		rest := data[offset:]
		n := canon.LineEnd(rest) + 1
		if n == 0 {
			n = len(rest)
		} else {
			f.scan.Complete = offset + n
		}
		if f.filter.Keep(rest[:n]) {
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
	filter  Filter
	stem    string
	rank    int
	profile Profile
	size    int // of all data
	found   []Found
	scan    Scan
	// space holds decoded bodies, many in one allocation.
	space []byte
}

// line reads a line that the filter kept.
func (f *finder) line(offset int, raw []byte) {
	// Read the record into its final place: copying a Found is slow in the WASM module.
	f.grow(offset)
	f.found = append(f.found, Found{})
	next := &f.found[len(f.found)-1]
	if err := f.read(raw, &next.Record); err != nil || !f.filter.matches(&next.Record) {
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

// grow makes room for one more record, and for as many as the rest of the data will contain if it
// is like the part that was read.
func (f *finder) grow(offset int) {
	if n := len(f.found); n == cap(f.found) && n > 0 {
		f.found = slices.Grow(f.found, 1+n/4+n*(f.size-offset)/offset)
	}
}

// read is [Parse] with the strings cut from raw, which is not changed.
func (f *finder) read(raw []byte, rec *Record) error {
	escaped, ok := parseFast(raw, rec)
	if !ok {
		var err error
		*rec, err = parseFull(bytes.Clone(raw))
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

// Verdict is the result of [Filter.Read].
type Verdict uint8

// ForMe is a record to the filter's recipient. A malformed line with another recipient before its
// mistake may count as ForOthers; only [Inspect] checks everything.
const (
	ForOthers Verdict = iota
	Blank
	Malformed
	ForMe
)

// Read parses a line if it may be for the filter's recipient. It returns the record, without rank
// and offset, only for ForMe.
func (s Filter) Read(raw []byte, stem string, p Profile) (Found, Verdict) {
	return s.read(raw, stem, p, Parse)
}

func (s Filter) read(raw []byte, stem string, p Profile, parse func([]byte) (Record, error)) (Found, Verdict) {
	if !s.Keep(raw) {
		return Found{}, ForOthers
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return Found{}, Blank
	}
	rec, err := parse(raw)
	if err != nil {
		return Found{}, Malformed
	}
	if !s.matches(&rec) {
		return Found{}, ForOthers
	}
	return Found{Record: rec, Key: EffectiveID(&rec, p), Stem: stem}, ForMe
}

// ReadInPlace is [Filter.Read], except that the record's strings are cut from raw, as in
// [ParseInPlace].
func (s Filter) ReadInPlace(raw []byte, stem string, p Profile) (Found, Verdict) {
	return s.read(raw, stem, p, ParseInPlace)
}
