// Package abi is the contract between the core's WebAssembly module and its hosts: the
// version, the ops, the error codes and the limits. wasm/README.md has the table of ops,
// from which abigen generates code for the module and its hosts.
//
// A module exports four functions. _initialize is called once, before anything else.
// Then
//
//	in(n i32) -> i32             pointer to an input buffer of n bytes, or 0
//	call(op, n1, n2 i32) -> i64  runs an op over in[:n1] and in[n1:n1+n2]
//	abi() -> i32                 major<<16 | minor
//
// The input buffer is valid until the next in. The result of call is ptr<<32 | len of an
// output buffer that is valid until the next call; with bit 63 set the bytes are an
// error instead: {"code","rule","message"}. Pointers and lengths are unsigned. One
// instance serves one call at a time, and an instance that trapped is not used again.
//
// The package imports only strconv and strings, to keep the module small.
package abi

import (
	"strconv"
	"strings"
)

//go:generate go run ./abigen ..

// The version of this package. Numbers of ops and codes never change: a new op or code
// raises Minor, and a change to an existing one would raise Major.
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
	// MaxInput is the greatest length of both arguments of a call together, in bytes. A
	// host may allow less.
	MaxInput = 256 << 20
	// MaxMemory is the greatest linear memory in bytes that a host may give an instance.
	// With more, a pointer could set the error bit.
	MaxMemory = 1<<31 - 1<<16
	// MaxFindings is the greatest value of a parameter named "limit".
	MaxFindings = 100_000
	// DefaultFindings is the value of that parameter if it is missing.
	DefaultFindings = 1000
	// MaxShown is the longest text, in bytes, that the render ops accept. A text may
	// grow to twelve times its length.
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

// Unpack splits the result of call.
func Unpack(r uint64) (ptr, length uint32, failed bool) {
	return uint32(r &^ errorBit >> 32), uint32(r), r&errorBit != 0
}

// Op is the number of an operation.
type Op uint32

// String returns the op's name as in wasm/README.md, or "op 7" for an unknown number.
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
		number, _ := strconv.ParseUint(list[i], 10, 32) // cannot fail: names is generated
		all = append(all, Op(number))
	}
	return all
}

// Code is the class of an error, for hosts to branch on.
type Code string

// The codes that modules return. Rule is set for Malformed and Refused.
const (
	// UnknownOp: the module is older than the host, or the number is wrong.
	UnknownOp Code = "UnknownOp"
	// BadLength: a negative length, or one beyond the input buffer.
	BadLength Code = "BadLength"
	// BadArgument: the parameters are not the JSON that wasm/README.md describes.
	BadArgument Code = "BadArgument"
	// Malformed: the input breaks the given rule of its format.
	Malformed Code = "Malformed"
	// Refused: the result would break the given rule.
	Refused Code = "Refused"
	// NotFound: the requested record is not in the input.
	NotFound Code = "NotFound"
	// TooLarge: the input or the result is over a limit.
	TooLarge Code = "TooLarge"
	// Internal: a bug in the module. The instance stays usable.
	Internal Code = "Internal"
)

// The codes that only hosts return.
const (
	// Trap: the instance stopped, usually because it ran out of memory. The host has
	// discarded it, and the next call runs in a new one.
	Trap Code = "Trap"
	// Timeout: the call took longer than the host allows. The host has discarded the
	// instance, as after a Trap.
	Timeout Code = "Timeout"
	// BadModule: the bytes are not a module with this ABI.
	BadModule Code = "BadModule"
	// Closed: the host was closed.
	Closed Code = "Closed"
)
