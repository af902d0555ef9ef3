package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

func TestInRefuses(t *testing.T) {
	var s scratch
	for _, n := range []int32{-1, math.MinInt32, abi.MaxInput + 1, math.MaxInt32} {
		if b := s.in(n); b != nil {
			t.Errorf("in(%d) gives %d bytes", n, len(b))
		}
	}
}

func TestInIsNeverNothing(t *testing.T) {
	for _, n := range []int32{0, 1, first, first + 1, keep, keep + 1} {
		var s scratch
		if b := s.in(n); len(b) != int(n) || cap(b) == 0 {
			t.Errorf("in(%d) gives %d of %d bytes", n, len(b), cap(b))
		}
	}
}

// TestBuffersShrink checks that one large call does not keep its memory.
func TestBuffersShrink(t *testing.T) {
	var s scratch
	line := `{"ts":1,"from":"a","to":"b","thread":"t","body":"` + strings.Repeat("x", 2*keep) + `"}`
	copy(s.in(int32(len(line))), line)
	if out, ok := s.call(int32(abi.SAMPCanonical), 0, int32(len(line))); !ok || len(out) < 2*keep {
		t.Fatalf("%v, %d bytes", ok, len(out))
	}
	s.in(10)
	if out, ok := s.call(int32(abi.Info), 0, 0); !ok {
		t.Fatalf("%s", out)
	}
	if cap(s.input) > keep || cap(s.output) > keep {
		t.Errorf("the buffers keep %d and %d bytes", cap(s.input), cap(s.output))
	}
}

// TestBuffersAreUsedAgain checks that small calls do not allocate new ones.
func TestBuffersAreUsedAgain(t *testing.T) {
	var s scratch
	a, _ := s.call(int32(abi.Info), 0, 0)
	in := s.in(100)
	b, _ := s.call(int32(abi.Info), 0, 0)
	if &a[0] != &b[0] || &in[0] != &s.in(50)[0] {
		t.Error("a small call took a new buffer")
	}
}

func TestLengths(t *testing.T) {
	var s scratch
	copy(s.in(7), "{}alice")
	for _, c := range []struct{ n1, n2 int32 }{
		{-1, 0}, {0, -1}, {-1, 8}, {8, 0}, {2, 6}, {math.MaxInt32, math.MaxInt32}, {math.MinInt32, math.MinInt32},
	} {
		out, ok := s.call(int32(abi.SAMPAlias), c.n1, c.n2)
		if ok || !bytes.HasPrefix(out, []byte(`{"code":"BadLength","rule":"","message":"`)) {
			t.Errorf("lengths %d and %d: %v %s", c.n1, c.n2, ok, out)
		}
	}
	out, ok := s.call(int32(abi.SAMPAlias), 2, 5)
	if want := `{"valid":true,"allowed":true,"reason":"","log":"log-alice.jsonl","watermark":".seen-alice"}`; !ok || string(out) != want {
		t.Errorf("after the errors: %v %s", ok, out)
	}
}
