package ops

import "github.com/signalbox-dev/signalbox/core/canon"

// encoder writes the result of an op: compact JSON, with members in the order of the calls.
type encoder struct{ canon.Writer }

func appending(dst []byte) encoder { return encoder{canon.Writer{Out: dst, Colon: ":"}} }

// nested writes a member that is an object, or null for nil. members writes the object's
// members. In an array the name is empty.
func nested[T any](e *encoder, name string, v *T, members func(*encoder, *T)) {
	if v == nil {
		e.Raw(name, nil)
		return
	}
	e.Open(name, '{')
	members(e, v)
	e.Close('}')
}

// optionally is nested, but leaves the member out for nil.
func optionally[T any](e *encoder, name string, v *T, members func(*encoder, *T)) {
	if v != nil {
		nested(e, name, v, members)
	}
}

// every writes a list of objects.
func every[T any](e *encoder, name string, list []T, members func(*encoder, *T)) {
	e.Open(name, '[')
	for i := range list {
		nested(e, "", &list[i], members)
	}
	e.Close(']')
}
