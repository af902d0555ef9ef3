// Package ops is what the WebAssembly module does: every op of wasm/abi over
// bytes. Start with [Call]. The package also compiles natively, so that the same
// ops run inside the module and outside it and their bytes can be compared.
//
// It imports wasm/abi, core, and no large package of the standard library (no fmt,
// encoding/json, reflection or time), because the module carries all of it. It keeps
// no state between calls and never changes its input. handler.go is generated from the
// table of ops.
package ops

import (
	"errors"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Call runs an op over its two arguments and appends the result to dst. ok is
// false if what was appended is an error instead, as the JSON object
// {"code","rule","message"}. wasm/README.md shows the shapes. A panic becomes
// an error of code [abi.Internal].
func Call(dst []byte, op abi.Op, a, b []byte) (result []byte, ok bool) {
	if int(op) >= len(handlers) || handlers[op] == nil {
		return appendFailure(dst, &failure{code: abi.UnknownOp, message: "this module has no " + op.String()}), false
	}
	result, err := guarded(handlers[op], dst, a, b)
	if err != nil {
		return appendFailure(dst, asFailure(err)), false
	}
	return result, true
}

// run is the type of every op.
type run func(dst, a, b []byte) ([]byte, error)

func guarded(f run, dst, a, b []byte) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &failure{code: abi.Internal, message: panicText(p)}
		}
	}()
	return f(dst, a, b)
}

func panicText(p any) string {
	switch p := p.(type) {
	case error:
		return "panic: " + p.Error()
	case string:
		return "panic: " + p
	}
	return "panic"
}

// failure is an error with what the host is told.
type failure struct {
	code          abi.Code
	rule, message string
}

func (f *failure) Error() string { return f.message }

func badArgument(reason string) error {
	return &failure{code: abi.BadArgument, message: reason}
}

// malformed and refused return a broken rule of the format as a failure: in bytes
// that were read, and in what should be written.
func malformed(err error) error { return broken(abi.Malformed, err) }
func refused(err error) error   { return broken(abi.Refused, err) }

func broken(code abi.Code, err error) error {
	if f := asFault(err); f != nil {
		return &failure{code: code, rule: f.Rule, message: f.Reason}
	}
	return &failure{code: code, message: err.Error()}
}

func asFailure(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{code: abi.Internal, message: err.Error()}
}

func appendFailure(dst []byte, f *failure) []byte {
	return AppendError(dst, f.code, f.rule, f.message)
}

// AppendError appends an error as the ABI shows it. The module uses it for the
// errors that come before an op runs.
func AppendError(dst []byte, code abi.Code, rule, message string) []byte {
	e := encoder{buf: dst}
	e.open('{')
	e.text("code", string(code))
	e.text("rule", rule)
	e.text("message", message)
	e.close('}')
	return e.buf
}

func info(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	if err := none(b); err != nil {
		return nil, err
	}
	e := encoder{buf: dst}
	e.open('{')
	e.key("abi")
	e.open('{')
	e.number("major", abi.Major)
	e.number("minor", abi.Minor)
	e.close('}')
	e.number("maxInput", abi.MaxInput)
	e.key("ops")
	e.open('[')
	for _, op := range abi.Numbers() {
		e.item()
		e.open('{')
		e.number("op", int64(op))
		e.text("name", op.String())
		e.close('}')
	}
	e.close(']')
	e.close('}')
	return e.buf, nil
}
