// Package client has the ops of wasm/abi with Go types. Start with [NewSAMP],
// [NewATSF], [NewAGN], [NewAMP], [NewMail] or [NewRender] over any [Caller], such as
// a module that wasm/host or wasm/wasmtime opened. An argument or member that may be
// missing is left out if it is zero, and then has its default.
//
// The files *_types.go describe the JSON of the module once: abigen reads them, and
// writes calls.go, the types of wasm/js and the shapes in wasm/README.md. The tag
// "json" names a member where it is not called as the field, and "omitzero" marks a
// parameter that may be missing. The tag "abi" adds what Go's types cannot say: "?"
// for a member that may be missing from a result too, "new?" for one that may be
// missing when it is written, "null", the words that a text is one of, "input" for
// bytes of argument 2, and "rest" for the bytes after a line of JSON.
//
// The package imports wasm/abi and nothing else of this project, and no engine.
package client

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Caller runs ops: a module in one of the engines, or the core itself.
type Caller interface {
	// Call runs an op over its two arguments, whose shapes wasm/README.md shows, and
	// returns the result, which the caller owns. Errors are *[Error], or the error
	// of ctx.
	Call(ctx context.Context, op abi.Op, a, b []byte) ([]byte, error)
}

// exchange runs an op. Parameters are written without the escapes for HTML, since
// raw values among them have to keep their bytes.
func exchange(ctx context.Context, c Caller, op abi.Op, params any, input []byte) ([]byte, error) {
	if err := checkTexts(op, reflect.ValueOf(params)); err != nil {
		return nil, err
	}
	var a bytes.Buffer
	encoder := json.NewEncoder(&a)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(params); err != nil {
		return nil, &Error{Op: op, Code: abi.BadArgument, Message: "the parameters cannot be written: " + err.Error()}
	}
	return c.Call(ctx, op, a.Bytes(), input)
}

// decode runs an op whose result is JSON.
func decode[T any](ctx context.Context, c Caller, op abi.Op, params any, input []byte) (T, error) {
	var r T
	result, err := exchange(ctx, c, op, params, input)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(result, &r)
}

// header runs an op whose result is a line of JSON and bytes after it.
func header[T any](ctx context.Context, c Caller, op abi.Op, params any, input []byte) (r T, rest []byte, err error) {
	result, err := exchange(ctx, c, op, params, input)
	if err != nil {
		return r, nil, err
	}
	head, rest, _ := bytes.Cut(result, []byte{'\n'})
	return r, rest, json.Unmarshal(head, &r)
}

// checkTexts refuses texts that encoding/json would silently change.
func checkTexts(op abi.Op, v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); !utf8.ValidString(s) {
			return &Error{Op: op, Code: abi.BadArgument, Message: "not valid UTF-8: " + strconv.QuoteToASCII(s[:min(len(s), 80)])}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return checkTexts(op, v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil // raw JSON, which is not changed
		}
		for i := range v.Len() {
			if err := checkTexts(op, v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") == "-" {
				continue
			}
			if err := checkTexts(op, v.Field(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// input collects the parts of argument 2, and returns their lengths.
type input struct{ parts [][]byte }

func (in *input) one(text []byte) int {
	in.parts = append(in.parts, text)
	return len(text)
}

func (in *input) all(texts [][]byte) []int {
	lengths := make([]int, len(texts))
	for i, text := range texts {
		lengths[i] = in.one(text)
	}
	return lengths
}

func (in *input) logs(logs []Log) []logLength {
	list := make([]logLength, len(logs))
	for i, l := range logs {
		list[i] = logLength{l.Name, in.one(l.Data)}
	}
	return list
}

type logLength struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
}

// join returns all parts, and then the last ones, whose lengths are not needed.
func (in *input) join(last ...[]byte) []byte {
	return slices.Concat(append(in.parts, last...)...)
}

func hexDigits(random []byte) string { return hex.EncodeToString(random) }
