package enginetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// tiny is a module with 128 KiB of memory: the code of each export of wasm/abi, and
// perhaps of a start function.
type tiny struct{ init, in, call, version, start []byte }

// Code of functions, without the final end.
var (
	nothing = []byte{}
	stop    = []byte{0x00}                               // unreachable
	endless = []byte{0x03, 0x40, 0x0c, 0, 0x0b, 0}       // loop, br 0, end, unreachable
	deeper  = []byte{0x20, 0, 0x20, 1, 0x20, 2, 0x10, 2} // call, with its own parameters
)

func i32(n int32) []byte { return append([]byte{0x41}, signed(int64(n))...) }
func i64(n int64) []byte { return append([]byte{0x42}, signed(n)...) }

// signed returns a number in LEB128.
func signed(n int64) (out []byte) {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// sized returns a vector of bytes. None here is longer than 127.
func sized(parts ...[]byte) []byte {
	all := slices.Concat(parts...)
	return append([]byte{byte(len(all))}, all...)
}

func (m tiny) bytes() []byte {
	const i32, i64, function = 0x7f, 0x7e, 0x60
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, parts ...[]byte) { out = append(append(out, id), sized(parts...)...) }
	section(1, []byte{4, function, 0, 0, function, 1, i32, 1, i32, function, 3, i32, i32, i32, 1, i64, function, 0, 1, i32})
	code := [][]byte{m.init, m.in, m.call, m.version}
	kinds := []byte{0, 1, 2, 3}
	if m.start != nil {
		code, kinds = append(code, m.start), append(kinds, 0)
	}
	section(3, sized(kinds))
	section(5, []byte{1, 0, 2}) // one memory of two pages or more
	exports := []byte{5}
	for n, name := range []string{abi.ExportInit, abi.ExportIn, abi.ExportCall, abi.ExportABI} {
		exports = append(append(exports, sized([]byte(name))...), 0, byte(n))
	}
	section(7, append(append(exports, sized([]byte(abi.ExportMemory))...), 2, 0))
	if m.start != nil {
		section(8, []byte{4})
	}
	bodies := []byte{byte(len(code))}
	for _, c := range code {
		bodies = append(bodies, sized([]byte{0}, c, []byte{0x0b})...)
	}
	section(10, bodies)
	return out
}

// soundTiny returns a module that answers every call with no bytes.
func soundTiny() tiny { return tiny{nothing, i32(16), i64(0), i32(abi.Version), nil} }

// Tiny returns a module that has the ABI but no op, and compiles at once.
func Tiny() []byte { return soundTiny().bytes() }

// Endless returns modules that never return: at their start, when they get input, and
// when they are called.
func Endless() map[string][]byte {
	start, in, call := soundTiny(), soundTiny(), soundTiny()
	start.start, in.in, call.call = endless, endless, endless
	return map[string][]byte{"start": start.bytes(), "input": in.bytes(), "call": call.bytes()}
}

// testHostileModules opens modules that fail at their start, and modules of other versions.
func (suite *Suite) testHostileModules(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*tiny)
		code   abi.Code
		want   string
	}{
		"the next major version": {func(m *tiny) { m.version = i32((abi.Major + 1) << 16) }, abi.BadModule, "speaks version 2"},
		"version 0":              {func(m *tiny) { m.version = i32(0) }, abi.BadModule, "speaks version 0"},
		"a version below zero":   {func(m *tiny) { m.version = i32(-1) }, abi.BadModule, "speaks version 65535"},
		"a later minor version":  {func(m *tiny) { m.version = i32(abi.Version + 1) }, "", ""},
		"no version":             {func(m *tiny) { m.version = stop }, abi.Trap, "stopped"},
		"stops at its start":     {func(m *tiny) { m.start = stop }, abi.Trap, "stopped"},
		"stops in _initialize":   {func(m *tiny) { m.init = stop }, abi.Trap, "stopped"},
		"never starts":           {func(m *tiny) { m.start = endless }, abi.Timeout, "longer"},
		"never ends _initialize": {func(m *tiny) { m.init = endless }, abi.Timeout, "longer"},
		"never says its version": {func(m *tiny) { m.version = endless }, abi.Timeout, "longer"},
	} {
		t.Run(name, func(t *testing.T) {
			module := soundTiny()
			c.change(&module)
			m, err := suite.Open(context.Background(), module.bytes(), engine.Options{Timeout: 100 * time.Millisecond})
			if codeOf(err) != c.code || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want code %q and %q", err, c.code, c.want)
			}
			if m != nil {
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// testHostileCalls calls modules that return impossible lengths and pointers, stop, or
// never end: each call is an error, and the next one gets a new instance.
func (suite *Suite) testHostileCalls(t *testing.T) {
	ctx := context.Background()
	const size = 128 << 10
	for name, c := range map[string]struct {
		change func(*tiny)
		code   abi.Code
		cause  error
		kept   bool
	}{
		"sound":                     {func(*tiny) {}, "", nil, true},
		"no input buffer":           {func(m *tiny) { m.in = i32(0) }, abi.TooLarge, nil, true},
		"input beyond the memory":   {func(m *tiny) { m.in = i32(size - 3) }, abi.Trap, engine.ErrBrokenABI, false},
		"input below zero":          {func(m *tiny) { m.in = i32(-1) }, abi.Trap, engine.ErrBrokenABI, false},
		"input stops":               {func(m *tiny) { m.in = stop }, abi.Trap, nil, false},
		"result beyond the memory":  {func(m *tiny) { m.call = i64(size<<32 | 1) }, abi.Trap, engine.ErrBrokenABI, false},
		"result longer than memory": {func(m *tiny) { m.call = i64(1<<32 | size) }, abi.Trap, engine.ErrBrokenABI, false},
		"result that overflows":     {func(m *tiny) { m.call = i64(0x7fffffff_ffffffff) }, abi.Trap, engine.ErrBrokenABI, false},
		"result at the end":         {func(m *tiny) { m.call = i64(size << 32) }, "", nil, true},
		"an error without text":     {func(m *tiny) { m.call = i64(-1 << 63) }, abi.Trap, engine.ErrBrokenABI, false},
		"stops":                     {func(m *tiny) { m.call = stop }, abi.Trap, nil, false},
		"calls itself for ever":     {func(m *tiny) { m.call = deeper }, abi.Trap, nil, false},
		"goes on for ever":          {func(m *tiny) { m.call = endless }, abi.Timeout, engine.ErrTimeout, false},
	} {
		t.Run(name, func(t *testing.T) {
			module := soundTiny()
			c.change(&module)
			m, err := suite.Open(ctx, module.bytes(), engine.Options{Instances: 1, Timeout: 200 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				_, err := m.Call(ctx, abi.Info, []byte("ab"), []byte("cd"))
				if codeOf(err) != c.code || c.cause != nil && !errors.Is(err, c.cause) || err != nil && c.code == "" {
					t.Errorf("got %v, want code %q", err, c.code)
				}
			}
			if s := m.Stats(); c.kept && s.Created != 1 || !c.kept && (s.Discarded != 2 || s.Idle != 0) {
				t.Errorf("the pool is %+v", s)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
