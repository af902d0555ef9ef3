package engine

import (
	"errors"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Error is the error of a call. Message may quote the input, escaped to ASCII.
type Error struct {
	// Op is the op that was called, or 0.
	Op abi.Op
	// Code is the class of the error.
	Code abi.Code
	// Rule is the id of the format's rule that was broken, such as "R3", for
	// [abi.Malformed] and [abi.Refused].
	Rule string
	// Message is a lower-case phrase.
	Message string
	// Cause is the engine's error for [abi.Trap], [abi.Timeout] and
	// [abi.BadModule], often with a stack trace in its text.
	Cause error
}

// Error returns "host: op: rule: message".
func (e *Error) Error() string {
	text := "host: "
	if e.Op != 0 {
		text += e.Op.String() + ": "
	}
	if e.Rule != "" {
		text += e.Rule + ": "
	}
	return text + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// ErrBrokenABI means that a module returned an impossible pointer, length or error.
var ErrBrokenABI = errors.New("host: the module broke the ABI")
