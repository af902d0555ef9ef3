package main

import (
	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

const (
	// keep is the size in bytes up to which a buffer is reused. A larger one is dropped
	// at the next use; otherwise one call of 10 MB would keep its memory for ever.
	keep = 1 << 20
	// first is a buffer's initial size. It is above 0 so that a pointer is never 0,
	// which means that the input was refused.
	first = 4 << 10
)

// scratch holds the buffers that are shared with the host. The zero value is
// ready to use.
type scratch struct {
	input, output []byte
	heap          heap
}

// in returns a buffer of n bytes, valid until the next in, or nil if n is
// negative or over [abi.MaxInput].
func (s *scratch) in(n int32) []byte {
	if n < 0 || n > abi.MaxInput {
		return nil
	}
	if int(n) > cap(s.input) || cap(s.input) == 0 || cap(s.input) > keep && n <= keep {
		s.input = nil // so that it can be collected before the next is made
		s.input = make([]byte, max(int(n), first))
	}
	s.input = s.input[:n]
	return s.input
}

// call runs an op over the input buffer. The result is valid until the next call; ok is
// false if it is an error. Its pointer is never 0, even if the result is empty.
func (s *scratch) call(op, n1, n2 int32) (out []byte, ok bool) {
	if cap(s.output) > keep || cap(s.output) == 0 {
		s.output = nil
		s.output = make([]byte, 0, first)
	}
	dst := s.output[:0]
	if n1 < 0 || n2 < 0 || int64(n1)+int64(n2) > int64(len(s.input)) {
		s.output = ops.AppendError(dst, abi.BadLength, "", "a length is negative or lies beyond the input buffer")
		return s.output, false
	}
	a, b := s.input[:n1:n1], s.input[n1:n1+n2:n1+n2]
	s.output, ok = ops.Call(dst, abi.Op(uint32(op)), a, b)
	s.heap.after(first + len(a) + len(b) + len(s.output))
	return s.output, ok
}
