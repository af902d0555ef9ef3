package ops

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// encoder writes compact JSON, with members in the order of the calls and strings
// escaped as in core/canon. It checks nothing: its callers are few. Its small
// methods are not inlined, since hundreds of copies would make the module 30 KB
// larger, gzipped.
type encoder struct {
	buf []byte
	// more is set once this object or array has a value.
	more bool
}

// open begins an object or array, close ends it.
//
//go:noinline
func (e *encoder) open(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.more = false
}

//go:noinline
func (e *encoder) close(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.more = true
}

// item goes before each element of an array.
//
//go:noinline
func (e *encoder) item() {
	if e.more {
		e.buf = append(e.buf, ',')
	}
	e.more = true
}

// key goes before a member's value. Names need no escaping.
//
//go:noinline
func (e *encoder) key(name string) {
	b := e.buf
	if e.more {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	e.buf, e.more = append(b, '"', ':'), true
}

//go:noinline
func (e *encoder) text(name, value string) {
	e.key(name)
	e.buf = canon.AppendString(e.buf, value)
}

//go:noinline
func (e *encoder) number(name string, value int64) {
	e.key(name)
	e.buf = strconv.AppendInt(e.buf, value, 10)
}

//go:noinline
func (e *encoder) bool(name string, value bool) {
	e.key(name)
	e.buf = strconv.AppendBool(e.buf, value)
}

//go:noinline
func (e *encoder) null(name string) {
	e.key(name)
	e.buf = append(e.buf, "null"...)
}

// optional leaves an empty text out.
//
//go:noinline
func (e *encoder) optional(name, value string) {
	if value != "" {
		e.text(name, value)
	}
}

// raw writes a JSON value unchanged, or null.
//
//go:noinline
func (e *encoder) raw(name string, value []byte) {
	if value == nil {
		e.null(name)
		return
	}
	e.key(name)
	e.buf = append(e.buf, value...)
}

//go:noinline
func (e *encoder) texts(name string, list []string) {
	e.key(name)
	e.open('[')
	for _, s := range list {
		e.item()
		e.buf = canon.AppendString(e.buf, s)
	}
	e.close(']')
}

// nested writes a member that is an object, null for nil. members writes what is between
// its braces.
func nested[T any](e *encoder, name string, v *T, members func(*encoder, *T)) {
	if v == nil {
		e.null(name)
		return
	}
	e.key(name)
	e.open('{')
	members(e, v)
	e.close('}')
}

// optionally leaves nil out.
func optionally[T any](e *encoder, name string, v *T, members func(*encoder, *T)) {
	if v != nil {
		nested(e, name, v, members)
	}
}

// every writes a list of objects.
func every[T any](e *encoder, name string, list []T, members func(*encoder, *T)) {
	e.key(name)
	e.open('[')
	for i := range list {
		e.item()
		e.open('{')
		members(e, &list[i])
		e.close('}')
	}
	e.close(']')
}
