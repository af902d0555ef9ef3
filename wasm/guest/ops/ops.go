// Package ops implements every op of wasm/abi, as the WebAssembly module runs them. Start with
// [Call]. The package also compiles natively, so that the same ops run inside the module and
// outside it and their bytes can be compared.
//
// It imports wasm/abi, core, and no large package of the standard library (no fmt, encoding/json,
// reflection or time), to keep the module small. It keeps no state between calls and never changes
// its input. handler.go is generated from the table of ops.
package ops

import (
	"errors"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Call runs an op over its two arguments and appends the result to dst. If ok is false
// it has appended an error, as the JSON object {"code","rule","message"}. wasm/README.md
// describes arguments and results. A panic becomes an error with code [abi.Internal].
func Call(dst []byte, number abi.Op, a, b []byte) (result []byte, ok bool) {
	var o op
	if int(number) < len(handlers) {
		o = handlers[number]
	}
	if o.run == nil {
		return appendFailure(dst, &failure{code: abi.UnknownOp, message: "this module has no " + number.String()}), false
	}
	c := &call{encoder: appending(dst), a: a, b: b, start: len(dst)}
	if err := o.guarded(c); err != nil {
		return appendFailure(dst, asFailure(err)), false
	}
	return c.Out, true
}

// op is the function of an op, and whether it takes parameters and a second argument.
type op struct {
	run           func(*call) error
	params, input bool
}

// call is one call: its two arguments and the result. An op writes the members of a JSON
// object, without its braces, or calls bytes, plain or rest.
type call struct {
	encoder
	a, b []byte
	// start is where the result begins in Out.
	start int
	// done is set if the result needs no closing brace.
	done bool
}

// read reads the parameters.
func (c *call) read(want ...param) error { return read(c.a, want...) }

// bytes makes the bytes the whole result.
func (c *call) bytes(out []byte) error {
	c.Out, c.done = append(c.Out[:c.start], out...), true
	return nil
}

// plain makes the text the whole result.
func (c *call) plain(text string) error {
	c.Out, c.done = append(c.Out[:c.start], text...), true
	return nil
}

// rest closes the object, and appends a line feed and the parts.
func (c *call) rest(parts ...[]byte) error {
	c.Close('}')
	c.Out = append(c.Out, '\n')
	for _, part := range parts {
		c.Out = append(c.Out, part...)
	}
	c.done = true
	return nil
}

func (o op) guarded(c *call) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &failure{code: abi.Internal, message: panicText(p)}
		}
	}()
	if !o.input && len(c.b) > 0 {
		return badArgument("the op takes no second argument")
	}
	if !o.params {
		if err := c.read(); err != nil {
			return err
		}
	}
	c.Open("", '{')
	if err := o.run(c); err != nil {
		return err
	}
	if !c.done {
		c.Close('}')
	}
	return nil
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

// failure is an error with the members that the host gets.
type failure struct {
	code          abi.Code
	rule, message string
}

func (f *failure) Error() string { return f.message }

func badArgument(reason string) error {
	return &failure{code: abi.BadArgument, message: reason}
}

// malformed and refused return a broken rule of the format as a failure: in the input,
// and in the result that was to be written.
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

// AppendError appends an error in the form of the ABI. The module uses it for errors
// that occur before an op runs.
func AppendError(dst []byte, code abi.Code, rule, message string) []byte {
	e := appending(dst)
	e.Open("", '{')
	e.Text("code", string(code))
	e.Text("rule", rule)
	e.Text("message", message)
	e.Close('}')
	return e.Out
}

func info(c *call) error {
	c.Open("abi", '{')
	c.Number("major", abi.Major)
	c.Number("minor", abi.Minor)
	c.Close('}')
	c.Number("maxInput", abi.MaxInput)
	every(&c.encoder, "ops", abi.Numbers(), func(e *encoder, op *abi.Op) {
		e.Number("op", int64(*op))
		e.Text("name", op.String())
	})
	return nil
}
