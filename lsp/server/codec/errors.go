package codec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// The error codes of JSON-RPC and LSP that the server sends.
const (
	codeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeNotInitialized = -32002
	CodeCancelled      = -32800
)

// errorCodes are our own codes, outside the ranges that JSON-RPC (-32768 to -32000) and
// LSP (-32899 to -32800) reserve.
var errorCodes = map[panel.Kind]int{
	panel.NotFound:         1001,
	panel.Ambiguous:        1002,
	panel.AliasInvalid:     1003,
	panel.NotOwner:         1004,
	panel.StoreUnavailable: 1005,
	panel.Malformed:        1006,
	panel.TooLarge:         1007,
	panel.Untrusted:        1008,
	panel.Unsupported:      1009,
}

// codeOf returns the code of a kind.
func codeOf(k panel.Kind) int {
	if code, ok := errorCodes[k]; ok {
		return code
	}
	return CodeInternal
}

// Error is an error as it goes over the wire.
type Error struct {
	Code    int        `json:"code"`
	Message string     `json:"message"`
	Data    *errorData `json:"data,omitempty"`
}

// errorData is the data of every error with a code of our own.
type errorData struct {
	Code      string `json:"code"` // the kind's name
	Retryable bool   `json:"retryable"`
	Detail    string `json:"detail"`
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an error with a code.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// KindError returns an error of one of the panel's kinds. detail explains it or says what to do.
func KindError(k panel.Kind, detail, format string, args ...any) *Error {
	return &Error{
		Code: codeOf(k), Message: fmt.Sprintf(format, args...),
		Data: &errorData{Code: string(k), Detail: detail},
	}
}

// ErrorOf turns any error into one with a code. A plain Go error becomes an
// internal error, since code 0 has no meaning for a client.
func ErrorOf(ctx context.Context, err error) *Error {
	var wire *Error
	var kind *panel.Error
	switch {
	case errors.As(err, &wire):
		return wire
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return Errorf(CodeCancelled, "request was cancelled")
	case errors.As(err, &kind):
		e := KindError(kind.Kind, kind.Detail, "%s", kind.Message)
		e.Data.Retryable = kind.Retryable
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return Errorf(CodeInternal, "request took too long")
	}
	line, _ := render.Line(err.Error(), 500)
	return Errorf(CodeInternal, "%s", line)
}

// Decode decodes params as a P. Its error names a field of the wrong type. Unknown
// fields are ignored, since changes within a major version only add fields.
func Decode[P any](params json.RawMessage) (P, error) {
	var p P
	if len(params) == 0 {
		return p, nil
	}
	err := json.Unmarshal(params, &p)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return p, nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return p, Errorf(CodeInvalidParams, "params: field %s: a value of type %s is not allowed here", wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return p, Errorf(CodeInvalidParams, "params: a value of type %s is not allowed here: they go by name", wrong.Value)
	}
	return p, Errorf(CodeInvalidParams, "params: %s", err)
}

// BadField returns the error for a field whose value breaks a limit.
func BadField(field, format string, args ...any) *Error {
	return Errorf(CodeInvalidParams, "params: field %s: %s", field, fmt.Sprintf(format, args...))
}

// Short cuts an untrusted text for a log or an error.
func Short(s string) string { return s[:min(len(s), 100)] }
