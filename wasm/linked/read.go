package linked

import (
	"encoding/binary"
	"errors"
	"math"
)

// The sections that are looked into, by their numbers in the binary format.
const (
	customSection    = 0
	typeSection      = 1
	importSection    = 2
	functionSection  = 3
	tableSection     = 4
	memorySection    = 5
	globalSection    = 6
	exportSection    = 7
	elementSection   = 9
	codeSection      = 10
	dataSection      = 11
	dataCountSection = 12
)

// The opcodes and types that are read or written.
const (
	end          = 0x0b
	callIndirect = 0x11
	call         = 0x10
	localGet     = 0x20
	i32Const     = 0x41
	i64Const     = 0x42
	i32          = 0x7f
	funcref      = 0x70
	function     = 0x60
)

// The kinds of imports and exports.
const (
	kindFunction = 0
	kindTable    = 1
	kindMemory   = 2
	kindGlobal   = 3
)

const header = 8

var errFormat = errors.New("linked: not a module as Go links it")

// section is one of a module. The name of a custom one is a part of its content.
type section struct {
	id      byte
	content []byte
}

// read takes a module apart. The contents are those of the module's bytes.
func read(module []byte) ([]section, error) {
	if len(module) < header || string(module[:4]) != "\x00asm" {
		return nil, errFormat
	}
	var list []section
	for r := (reader{module[header:], false}); len(r.rest) > 0; {
		id := r.bytes(1)
		content := r.bytes(r.number())
		if r.broken {
			return nil, errFormat
		}
		list = append(list, section{id[0], content})
	}
	return list, nil
}

// write puts a module together. The capacity is a guess at its size.
func write(list []section, capacity int) []byte {
	out := append(make([]byte, 0, capacity), "\x00asm\x01\x00\x00\x00"...)
	for _, s := range list {
		out = appendSized(append(out, s.id), s.content)
	}
	return out
}

// custom gives a custom section.
func custom(name string, content []byte) section {
	return section{customSection, append(appendName(nil, name), content...)}
}

// named gives what a custom section holds, if it has that name.
func (s section) named(name string) ([]byte, bool) {
	if s.id != customSection {
		return nil, false
	}
	r := reader{s.content, false}
	found := r.bytes(r.number())
	return r.rest, !r.broken && string(found) == name
}

// appendSized appends bytes behind their number.
func appendSized(dst, content []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(content))), content...)
}

func appendName(dst []byte, name string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(name))), name...)
}

// appendSigned appends a number that is not negative as signed LEB128, in which the
// last byte's bit 6 is the sign.
func appendSigned(dst []byte, n int) []byte {
	for ; n >= 0x40; n >>= 7 {
		dst = append(dst, byte(n)|0x80)
	}
	return append(dst, byte(n))
}

// reader takes bytes off a section. Once broken it gives nothing more.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.broken = nil, true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// byte gives the next one, or 0 once broken.
func (r *reader) byte() byte {
	if b := r.bytes(1); !r.broken {
		return b[0]
	}
	return 0
}

// number reads an unsigned LEB128, which is what encoding/binary calls a varint.
func (r *reader) number() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > math.MaxInt32 {
		r.rest, r.broken = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

// signed reads a signed LEB128 that is not negative.
func (r *reader) signed() int {
	before := r.rest
	n := r.number()
	if size := len(before) - len(r.rest); size == 0 || before[size-1]&0x40 != 0 {
		r.broken = true
	}
	return n
}

// expect breaks the reader unless these bytes come next.
func (r *reader) expect(want ...byte) {
	if got := r.bytes(len(want)); string(got) != string(want) {
		r.broken = true
	}
}

// whole tells whether everything was read and nothing was missing.
func (r *reader) whole() bool { return !r.broken && len(r.rest) == 0 }
