package samp

import (
	"bytes"
	"errors"
	"strconv"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Record is one message as §2 defines it. Fields that §2 does not name are
// ignored when reading and kept when a log is copied (rule R1).
type Record struct {
	// ID is the stored id, or empty if the line has none (rule I3). [Identify] checks it.
	ID string
	// TS is in Unix seconds.
	TS int64
	// From and To are aliases, Thread an opaque name, Body any text. A stranger may have written
	// them: From and To are not checked against §1.
	From, To, Thread, Body string
	// Lossy is set if an escape in the line encodes half a surrogate pair. UTF-8 cannot encode
	// that; it reads as U+FFFD.
	Lossy bool
}

type field uint8

const (
	fieldTS field = 1 << iota
	fieldFrom
	fieldTo
	fieldThread
	fieldBody
	fieldID
	required = fieldTS | fieldFrom | fieldTo | fieldThread | fieldBody
)

var fieldNames = [...]string{"ts", "from", "to", "thread", "body", "id"}

// Parse reads one line of a log, with or without its line end. For a malformed line it returns a
// *[canon.Fault] of rule R1, R2 or R3 and no record.
func Parse(line []byte) (Record, error) { return ParseInPlace(bytes.Clone(line)) }

// ParseInPlace is [Parse] without a copy: the record's strings are cut from line, and strings
// with escapes are decoded in its memory. The record is valid until the caller changes line.
func ParseInPlace(line []byte) (Record, error) {
	var rec Record
	escaped, ok := parseFast(line, &rec)
	if !ok {
		return parseFull(line)
	}
	if escaped != nil {
		text, _ := canon.UnquoteInPlace(escaped)
		rec.Body = unsafe.String(unsafe.SliceData(text), len(text))
	}
	return rec, nil
}

// parseFull reads any line that is JSON, and returns the fault of other lines.
func parseFull(line []byte) (Record, error) {
	var p parser
	if err := p.read(line); err != nil {
		return Record{}, err
	}
	if missing := required &^ p.have; missing != 0 {
		name := firstName(missing)
		return Record{}, &canon.Fault{Rule: "R3", Field: name, Reason: "the record has no " + strconv.Quote(name)}
	}
	return p.rec, nil
}

func firstName(set field) string {
	for i, name := range fieldNames {
		if set&(1<<i) != 0 {
			return name
		}
	}
	return ""
}

type parser struct {
	// text is the line's own memory as a string; the record's strings are cut from it. Only the
	// bytes of strings with escapes are overwritten, once they have been read.
	text string
	rec  Record
	have field
	// others holds the names of unknown members, to find duplicates among them.
	others map[string]struct{}
}

func (p *parser) read(line []byte) error {
	if bad := canon.CheckUTF8(line, "the line", "R2"); bad != nil {
		return bad
	}
	p.text = unsafe.String(unsafe.SliceData(line), len(line))
	err := canon.Object(line, p.member)
	if err == nil {
		return nil
	}
	syntax, ok := errors.AsType[*canon.SyntaxError](err)
	if !ok {
		return err
	}
	return &canon.Fault{Rule: "R3", Offset: syntax.Offset, Reason: describe(line, syntax)}
}

// describe returns a description of a syntax error for a person who reads the log.
func describe(line []byte, e *canon.SyntaxError) string {
	if len(line) >= 3 && string(line[:3]) == "\ufeff" {
		return "the line starts with a byte order mark"
	}
	return "not a JSON object: " + e.Place()
}

func (p *parser) member(key []byte, v canon.Value) error {
	f, into := p.rec.member(string(key))
	if f == 0 {
		return p.unknownMember(string(key), v)
	}
	if p.have&f != 0 {
		return duplicate(firstName(f), v)
	}
	p.have |= f
	if f == fieldTS {
		return p.ts(v)
	}
	if f == fieldID && v.Kind == canon.Null {
		return nil
	}
	if v.Kind != canon.String {
		name := firstName(f)
		return &canon.Fault{Rule: "R3", Field: name, Offset: v.Offset, Reason: quote(name) + " is " + v.Kind.Phrase() + ", not a string"}
	}
	if !v.Escaped {
		*into = p.text[v.Offset+1 : v.Offset+len(v.Raw)-1]
		return nil
	}
	text, lossy := canon.UnquoteInPlace(v.Raw)
	*into = unsafe.String(unsafe.SliceData(text), len(text))
	p.rec.Lossy = p.rec.Lossy || lossy
	return nil
}

func (p *parser) ts(v canon.Value) error {
	n, ok := v.Int64()
	if ok {
		p.rec.TS = n
		return nil
	}
	reason := `"ts" is ` + v.Kind.Phrase() + ", not an integer"
	if v.Kind == canon.Number {
		reason = `"ts" is not an integer: ` + quote(string(v.Raw))
		if canon.IsInteger(v.Raw) {
			reason = `"ts" does not fit in 64 bits: ` + clip(string(v.Raw))
		}
	}
	return &canon.Fault{Rule: "R1", Field: "ts", Offset: v.Offset, Reason: reason}
}

// unknownMember returns a fault if an unknown member occurs twice.
func (p *parser) unknownMember(name string, v canon.Value) error {
	if _, twice := p.others[name]; twice {
		return duplicate(name, v)
	}
	if p.others == nil {
		p.others = make(map[string]struct{})
	}
	p.others[name] = struct{}{}
	return nil
}

func duplicate(name string, v canon.Value) error {
	return &canon.Fault{Rule: "R3", Field: name, Offset: v.Offset, Reason: "the record has " + quote(name) + " twice"}
}

// Append adds the record as the published tool writes it: one line, ended by
// \n, members in the order id, ts, from, to, thread, body, spaced separators,
// non-ASCII raw (§5, rules R2 and I2).
func (r *Record) Append(dst []byte) []byte {
	dst = append(dst, `{"id": `...)
	dst = canon.AppendString(dst, r.ID)
	dst = append(dst, `, "ts": `...)
	dst = strconv.AppendInt(dst, r.TS, 10)
	dst = append(dst, `, "from": `...)
	dst = canon.AppendString(dst, r.From)
	dst = append(dst, `, "to": `...)
	dst = canon.AppendString(dst, r.To)
	dst = append(dst, `, "thread": `...)
	dst = canon.AppendString(dst, r.Thread)
	dst = append(dst, `, "body": `...)
	dst = canon.AppendString(dst, r.Body)
	return append(dst, '}', '\n')
}
