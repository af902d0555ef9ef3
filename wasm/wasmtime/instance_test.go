package wasmtime

import (
	"encoding/binary"
	"testing"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// TestFdWrite calls fd_write with lists and places that need not be in memory.
func TestFdWrite(t *testing.T) {
	wasm, err := wasmtime.Wat2Wasm(`(module
		(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
		(memory (export "memory") 1)
		(data (i32.const 100) "hello\nworld")
		(func (export "write") (param i32 i32 i32 i32) (result i32)
			local.get 0 local.get 1 local.get 2 local.get 3 call $write))`)
	if err != nil {
		t.Fatal(err)
	}
	e := wasmtime.NewEngine()
	defer e.Close()
	module, err := wasmtime.NewModule(e, wasm)
	if err != nil {
		t.Fatal(err)
	}
	defer module.Close()
	linker, err := link(e)
	if err != nil {
		t.Fatal(err)
	}
	defer linker.Close()
	const end = 64 << 10
	for name, c := range map[string]struct {
		fd, list, n, written int32
		entries              []uint32
		result               int32
		stderr               string
	}{
		"error output":        {2, 0, 1, 64, []uint32{100, 5}, 0, "hello"},
		"output":              {1, 0, 2, 64, []uint32{106, 5, 100, 2}, 0, "worldhe"},
		"first line":          {2, 0, 1, 64, []uint32{100, 11}, 0, "hello"},
		"nothing":             {2, 0, 0, 64, nil, 0, ""},
		"input":               {0, 0, 1, 64, []uint32{100, 5}, badDescriptor, ""},
		"a file":              {3, 0, 1, 64, []uint32{100, 5}, badDescriptor, ""},
		"text beyond":         {2, 0, 1, 64, []uint32{end - 1, 2}, badAddress, ""},
		"text that is long":   {2, 0, 1, 64, []uint32{100, 1<<32 - 1}, badAddress, ""},
		"list beyond":         {2, end - 7, 1, 64, nil, badAddress, ""},
		"list below zero":     {2, -8, 1, 64, nil, badAddress, ""},
		"list that is long":   {2, 0, -1, 64, nil, badAddress, ""},
		"count beyond":        {2, 0, 1, end - 3, []uint32{100, 5}, badAddress, "hello"},
		"count below zero":    {2, 0, 1, -4, []uint32{100, 5}, badAddress, "hello"},
		"the same many times": {2, 0, 4, 64, []uint32{100, 5, 100, 5, 100, 5, 100, 5}, 0, "hellohellohellohello"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr engine.StderrHead
			store := wasmtime.NewStoreWithData(e, &stderr)
			defer store.Close()
			i, err := linker.Instantiate(store, module)
			if err != nil {
				t.Fatal(err)
			}
			memory := i.GetExport(store, "memory").Memory()
			total := uint32(0)
			for k, n := range c.entries {
				binary.LittleEndian.PutUint32(memory.UnsafeData(store)[4*k:], n)
				if k%2 == 1 {
					total += n
				}
			}
			result, err := i.GetFunc(store, "write").Call(store, c.fd, c.list, c.n, c.written)
			if err != nil || result != c.result || stderr.FirstLine() != c.stderr {
				t.Errorf("got %v, %v and %q, want %d and %q", result, err, stderr.FirstLine(), c.result, c.stderr)
			}
			if c.result == 0 && binary.LittleEndian.Uint32(memory.UnsafeData(store)[c.written:]) != total {
				t.Error("the count is wrong")
			}
		})
	}
}
