package main

import (
	"runtime/debug"
	"unsafe"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// instance is the only global state: an exported function has no receiver, and each
// module instance has its own globals.
var instance scratch

// percent is the garbage collector's target. With the default 100 it would run during
// large calls instead of after them.
const percent = 400

// A module does not run main, so this is done here.
func init() { debug.SetGCPercent(percent) }

//go:wasmexport in
func in(n int32) int32 {
	return int32(pointer(instance.in(n)))
}

//go:wasmexport call
func call(op, n1, n2 int32) int64 {
	out, ok := instance.call(op, n1, n2)
	ptr := pointer(out)
	if ptr > abi.MaxMemory {
		// The host granted more memory than the ABI allows, and the pointer
		// would reach into the error bit. No valid result can be returned.
		panic("guest: the linear memory is larger than the ABI allows")
	}
	return int64(abi.Pack(ptr, uint32(len(out)), !ok))
}

//go:wasmexport abi
func abiVersion() int32 { return abi.Version }

// pointer returns the address of b in the linear memory. Go's heap does not move, and
// instance keeps b alive.
func pointer(b []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}
