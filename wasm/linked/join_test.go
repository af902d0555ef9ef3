package linked

import (
	"bytes"
	"testing"
)

// module makes one of a custom section and a data section.
func module(data ...byte) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00\x00\x03\x02hi")
	return append(append(out, dataSection, byte(len(data))), data...)
}

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name     string
		in, want []byte
	}{
		{"none", module(0), module(0)},
		{"one", module(1, 0, i32Const, 4, end, 2, 'a', 'b'), module(1, 0, i32Const, 4, end, 2, 'a', 'b')},
		{
			"with zeros between",
			module(2, 0, i32Const, 4, end, 1, 'a', 0, i32Const, 8, end, 1, 'b'),
			module(1, 0, i32Const, 4, end, 5, 'a', 0, 0, 0, 'b'),
		},
		{
			"too far apart",
			module(2, 0, i32Const, 0, end, 1, 'a', 0, i32Const, 0xc2, 0, end, 1, 'b'),
			module(2, 0, i32Const, 0, end, 1, 'a', 0, i32Const, 0xc2, 0, end, 1, 'b'),
		},
		{
			"one over the other",
			module(2, 0, i32Const, 4, end, 2, 'a', 'b', 0, i32Const, 4, end, 1, 'c'),
			module(2, 0, i32Const, 4, end, 2, 'a', 'b', 0, i32Const, 4, end, 1, 'c'),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Join(c.in)
			if err != nil || !bytes.Equal(got, c.want) {
				t.Errorf("%x, %v, want %x", got, err, c.want)
			}
		})
	}
}

func TestJoinRefuses(t *testing.T) {
	good := module(2, 0, i32Const, 4, end, 1, 'a', 0, i32Const, 8, end, 1, 'b')
	for n := range good {
		if n == header || n == header+5 {
			continue // whole sections
		}
		if got, err := Join(good[:n]); err == nil {
			t.Errorf("the first %d bytes gave %x", n, got)
		}
	}
	for name, data := range map[string][]byte{
		"a passive segment":   {1, 1, 1, 'a'},
		"another memory":      {1, 2, 0, i32Const, 4, end, 1, 'a'},
		"a computed offset":   {1, 0, 0x23, 0, end, 1, 'a'},
		"a negative offset":   {1, 0, i32Const, 0x7f, end, 1, 'a'},
		"more than it counts": {1, 0, i32Const, 4, end, 1, 'a', 'b'},
		"a huge count":        {0xff, 0xff, 0xff, 0xff, 7},
		"a huge length":       {1, 0, i32Const, 4, end, 0xff, 0xff, 0xff, 0xff, 7},
	} {
		if got, err := Join(module(data...)); err == nil {
			t.Errorf("%s gave %x", name, got)
		}
	}
	if _, err := Join(append(module(0), dataCountSection, 1, 0)); err == nil {
		t.Error("a data count section was kept")
	}
}

// FuzzJoin sees that what is read back after a join is the same memory.
func FuzzJoin(f *testing.F) {
	f.Add(module(2, 0, i32Const, 4, end, 1, 'a', 0, i32Const, 8, end, 1, 'b'))
	f.Add(module(1, 0, i32Const, 0xc2, 0, end, 1, 'a'))
	f.Fuzz(func(t *testing.T, in []byte) {
		once, err := Join(in)
		if err != nil {
			return
		}
		twice, err := Join(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("joined again: %v\n%x\n%x", err, once, twice)
		}
	})
}
