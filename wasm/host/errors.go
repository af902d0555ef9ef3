package host

import (
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Error is what a call answered instead of a result. Message may quote the
// input, escaped to ASCII.
type Error struct {
	// Op is the op that was called, or 0.
	Op abi.Op
	// Code classes the error.
	Code abi.Code
	// Rule is the id of the format's rule that was broken, such as "R3", for
	// [abi.Malformed] and [abi.Refused].
	Rule string
	// Message is a lower-case phrase.
	Message string

	cause error
}

// Error gives "host: op: rule: message".
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

// Unwrap gives wazero's error for [abi.Trap] and [abi.BadModule], with a stack
// trace in its text.
func (e *Error) Unwrap() error { return e.cause }

// errBrokenABI tells that a module gave a pointer or an error that cannot be.
var errBrokenABI = errors.New("host: the module broke the ABI")

func badModule(reason string) error {
	return &Error{Code: abi.BadModule, Message: "the module is refused: " + reason}
}

func trapped(op abi.Op, cause error, said *lastWords) error {
	message := "the instance stopped"
	if line := said.firstLine(); line != "" {
		message += ": " + strconv.Quote(line)
	}
	return &Error{Op: op, Code: abi.Trap, Message: message, cause: cause}
}
