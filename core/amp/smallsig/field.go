package smallsig

import (
	"encoding/binary"
	"math/bits"
)

// field computes modulo an odd number, with numbers of as many limbs of 64 bits as
// that has, the lowest first. They are kept as x·R, where R is 2 to the power of the
// bits in all limbs: a product is then reduced without a division (Montgomery).
type field struct {
	m []uint64
	// k is -1/m modulo 2⁶⁴, one is R and square R², both modulo m.
	k           uint64
	one, square []uint64
	// t is for mul.
	t []uint64
}

func newField(modulus []byte) *field {
	f := &field{m: limbs(modulus)}
	n := len(f.m)
	f.t = make([]uint64, n+2)
	// Each step doubles the bits that are right; an odd number is its own inverse
	// modulo 8.
	f.k = f.m[0]
	for range 5 {
		f.k *= 2 - f.m[0]*f.k
	}
	f.k = -f.k
	x := make([]uint64, n)
	x[0] = 1
	for i := range 128 * n {
		if i == 64*n {
			f.one = append([]uint64(nil), x...)
		}
		f.add(x, x, x)
	}
	f.square = x
	return f
}

// limbs reads big-endian bytes.
func limbs(b []byte) []uint64 {
	x := make([]uint64, (len(b)+7)/8)
	for i := range x {
		var word [8]byte
		end := len(b) - 8*i
		start := max(end-8, 0)
		copy(word[8-(end-start):], b[start:end])
		x[i] = binary.BigEndian.Uint64(word[:])
	}
	return x
}

// below reports x < y.
func below(x, y []uint64) bool {
	var borrow uint64
	for i := range x {
		_, borrow = bits.Sub64(x[i], y[i], borrow)
	}
	return borrow != 0
}

func zero(x []uint64) bool {
	var all uint64
	for _, w := range x {
		all |= w
	}
	return all == 0
}

// reduce sets z to x, which has a further limb, less m where x is not below it.
func (f *field) reduce(z, x []uint64, over uint64) {
	var borrow uint64
	for i := range f.m {
		z[i], borrow = bits.Sub64(x[i], f.m[i], borrow)
	}
	if over < borrow {
		borrow = 0
		for i := range f.m {
			z[i], borrow = bits.Add64(z[i], f.m[i], borrow)
		}
	}
}

// add sets z to x + y. All three may be the same.
func (f *field) add(z, x, y []uint64) {
	var carry uint64
	for i := range f.m {
		z[i], carry = bits.Add64(x[i], y[i], carry)
	}
	f.reduce(z, z, carry)
}

// sub sets z to x - y.
func (f *field) sub(z, x, y []uint64) {
	var borrow, carry uint64
	for i := range f.m {
		z[i], borrow = bits.Sub64(x[i], y[i], borrow)
	}
	if borrow != 0 {
		for i := range f.m {
			z[i], carry = bits.Add64(z[i], f.m[i], carry)
		}
	}
}

// mul sets z to x·y/R. All three may be the same.
func (f *field) mul(z, x, y []uint64) {
	n, t := len(f.m), f.t
	clear(t)
	for i := range n {
		var carry, c uint64
		for j := range n {
			carry, t[j] = mulAdd(x[j], y[i], t[j], carry)
		}
		t[n], c = bits.Add64(t[n], carry, 0)
		t[n+1] = c
		k := t[0] * f.k
		carry, _ = mulAdd(k, f.m[0], t[0], 0)
		for j := 1; j < n; j++ {
			carry, t[j-1] = mulAdd(k, f.m[j], t[j], carry)
		}
		t[n-1], c = bits.Add64(t[n], carry, 0)
		t[n] = t[n+1] + c
	}
	f.reduce(z, t[:n], t[n])
}

// mulAdd gives x·y + a + b, which two words always hold.
func mulAdd(x, y, a, b uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(x, y)
	lo, c := bits.Add64(lo, a, 0)
	hi += c
	lo, c = bits.Add64(lo, b, 0)
	return hi + c, lo
}

// enter and leave turn x into x·R and back.
func (f *field) enter(x []uint64) []uint64 {
	z := make([]uint64, len(f.m))
	f.mul(z, x, f.square)
	return z
}

func (f *field) leave(x []uint64) []uint64 {
	z, unit := make([]uint64, len(f.m)), make([]uint64, len(f.m))
	unit[0] = 1
	f.mul(z, x, unit)
	return z
}

// exp gives x to the power of e.
func (f *field) exp(x, e []uint64) []uint64 {
	z := append([]uint64(nil), f.one...)
	i := 64*len(e) - 1
	for i >= 0 && !bit(e, i) {
		i--
	}
	for ; i >= 0; i-- {
		f.mul(z, z, z)
		if bit(e, i) {
			f.mul(z, z, x)
		}
	}
	return z
}

// inverse gives 1/x for a prime modulus, and 0 for 0 (Fermat).
func (f *field) inverse(x []uint64) []uint64 {
	e := append([]uint64(nil), f.m...)
	e[0] -= 2 // a prime beyond 2 whose last limb is 1 does not occur
	return f.exp(x, e)
}

func bit(x []uint64, i int) bool { return x[i/64]>>(i%64)&1 == 1 }
