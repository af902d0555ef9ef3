// Package abi is what the core's WebAssembly module and its hosts agree on: the
// version, the ops, the error codes and the limits. wasm/README.md has the table of ops,
// from which abigen writes what the module and its hosts need of it.
//
// A module exports four functions. _initialize is called once, before anything
// else. Then
//
//	in(n i32) -> i32             pointer to an input buffer of n bytes, or 0
//	call(op, n1, n2 i32) -> i64  runs an op over in[:n1] and in[n1:n1+n2]
//	abi() -> i32                 major<<16 | minor
//
// The input buffer is valid until the next in. The result of call is
// ptr<<32 | len of an output buffer that is valid until the next call; with
// bit 63 set the bytes are an error instead: {"code","rule","message"}.
// Pointers and lengths are unsigned. One instance serves one call at a time,
// and an instance that trapped is not used again.
//
// The package imports nothing but strconv and strings, because the module carries it.
package abi

import (
	"strconv"
	"strings"
)

//go:generate go run ./abigen ..

// The version of this package. Ops and codes are numbered for ever: a new one
// raises Minor, and a change of an old one's shape would raise Major.
const (
	Major = 1
	Minor = 4
	// Version is what the module's abi export returns.
	Version = Major<<16 | Minor
)

// Names of the module's exports.
const (
	ExportInit   = "_initialize"
	ExportIn     = "in"
	ExportCall   = "call"
	ExportABI    = "abi"
	ExportMemory = "memory"
)

// ImportModule is the only module whose functions a guest imports. A guest's
// answers need no files, clock or randomness: times come as arguments.
const ImportModule = "wasi_snapshot_preview1"

const (
	// MaxInput is the number of bytes that both arguments of a call may have
	// together. A host may allow less.
	MaxInput = 256 << 20
	// MaxMemory is the linear memory in bytes that a host may give an instance. With
	// more, a pointer could set the error bit.
	MaxMemory = 1<<31 - 1<<16
	// MaxFindings is the most that a parameter named "limit" may ask for.
	MaxFindings = 100_000
	// DefaultFindings is the limit where that parameter is missing.
	DefaultFindings = 1000
	// MaxShown is how many bytes the render ops take. A text may grow to twelve
	// times its length.
	MaxShown = 16 << 20
)

// errorBit marks a result of call as an error.
const errorBit = 1 << 63

// Pack returns the result of call. ptr must be below [MaxMemory].
func Pack(ptr, length uint32, failed bool) uint64 {
	r := uint64(ptr)<<32 | uint64(length)
	if failed {
		r |= errorBit
	}
	return r
}

// Unpack takes the result of call apart.
func Unpack(r uint64) (ptr, length uint32, failed bool) {
	return uint32(r &^ errorBit >> 32), uint32(r), r&errorBit != 0
}

// Op is the number of an operation.
type Op uint32

// String returns the op's name as documents write it, or "op 7" for a number
// that is not in the list.
func (op Op) String() string {
	number := strconv.FormatUint(uint64(op), 10)
	list := strings.Fields(names)
	for i := 0; i < len(list); i += 2 {
		if list[i] == number {
			return list[i+1]
		}
	}
	return "op " + number
}

// Numbers lists all ops in order.
func Numbers() (all []Op) {
	list := strings.Fields(names)
	for i := 0; i < len(list); i += 2 {
		number, _ := strconv.ParseUint(list[i], 10, 32) // it is generated
		all = append(all, Op(number))
	}
	return all
}

// Code classes errors, so that a host can branch on them.
type Code string

// The codes that a module answers with. Rule is set for Malformed and Refused.
const (
	// UnknownOp: the module is older than the host, or the number is wrong.
	UnknownOp Code = "UnknownOp"
	// BadLength: a negative length, or one beyond the input buffer.
	BadLength Code = "BadLength"
	// BadArgument: the parameters are not the JSON that the list of ops shows.
	BadArgument Code = "BadArgument"
	// Malformed: the bytes of the format break the rule that is named.
	Malformed Code = "Malformed"
	// Refused: the result would break the rule that is named.
	Refused Code = "Refused"
	// NotFound: the record that was asked for is not in the input.
	NotFound Code = "NotFound"
	// TooLarge: the input or the result is over a limit.
	TooLarge Code = "TooLarge"
	// Internal: a defect of the module. The instance stays usable.
	Internal Code = "Internal"
)

// The codes that only hosts answer with.
const (
	// Trap: the instance stopped, usually because it ran out of memory. The host
	// has thrown it away, and the next call runs in a fresh one.
	Trap Code = "Trap"
	// Timeout: the call took longer than the host allows. The host has thrown
	// the instance away, as after a Trap.
	Timeout Code = "Timeout"
	// BadModule: the bytes are not a module with this ABI.
	BadModule Code = "BadModule"
	// Closed: the host was closed.
	Closed Code = "Closed"
)
