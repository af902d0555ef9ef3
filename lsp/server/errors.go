package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// The error codes of JSON-RPC and LSP that the server sends.
const (
	codeParse          = jsonrpc2.CodeParseError
	codeInvalidRequest = jsonrpc2.CodeInvalidRequest
	codeMethodNotFound = jsonrpc2.CodeMethodNotFound
	codeInvalidParams  = jsonrpc2.CodeInvalidParams
	codeInternal       = jsonrpc2.CodeInternalError
	codeNotInitialized = -32002
	codeCancelled      = -32800
)

// errorCodes are our own codes. They lie outside the ranges that JSON-RPC (-32768 to
// -32000) and LSP (-32899 to -32800) reserve.
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
	return codeInternal
}

// rpcError is an error as it goes over the wire.
type rpcError struct {
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

func (e *rpcError) Error() string { return e.Message }

func failf(code int, format string, args ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, args...)}
}

func failKind(k panel.Kind, detail, format string, args ...any) *rpcError {
	return &rpcError{
		Code: codeOf(k), Message: fmt.Sprintf(format, args...),
		Data: &errorData{Code: string(k), Detail: detail},
	}
}

// toWire turns any error into one with a code. A plain Go error becomes an
// internal error: code 0 means nothing to a client.
func toWire(ctx context.Context, err error) *rpcError {
	var wire *rpcError
	var kind *panel.Error
	switch {
	case errors.As(err, &wire):
		return wire
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return failf(codeCancelled, "request was cancelled")
	case errors.As(err, &kind):
		e := failKind(kind.Kind, kind.Detail, "%s", kind.Message)
		e.Data.Retryable = kind.Retryable
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return failf(codeInternal, "request took too long")
	}
	line, _ := render.Line(err.Error(), 500)
	return failf(codeInternal, "%s", line)
}

// decode reads params into a P. It names the field that has the wrong type, and
// ignores fields it does not know: changes within a major version only add.
func decode[P any](params json.RawMessage) (P, error) {
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
		return p, failf(codeInvalidParams, "params: field %s: a value of type %s is not allowed here", wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return p, failf(codeInvalidParams, "params: a value of type %s is not allowed here: they go by name", wrong.Value)
	}
	return p, failf(codeInvalidParams, "params: %s", err)
}

// badField is the error for a field whose value breaks a limit.
func badField(field, format string, args ...any) *rpcError {
	return failf(codeInvalidParams, "params: field %s: %s", field, fmt.Sprintf(format, args...))
}
