package smallsig

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"
)

// number gives the limbs as math/big has them.
func number(x []uint64) *big.Int {
	n := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x[i]))
	}
	return n
}

// TestField holds the arithmetic against math/big, for moduli of many lengths and at
// the edges of their limbs.
func TestField(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
			if r.IntN(4) == 0 {
				b[i] = []byte{0, 0xff}[r.IntN(2)] // long runs are where carries go wrong
			}
		}
		return b
	}
	moduli := [][]byte{{3}, {0xff}, bytes.Repeat([]byte{0xff}, 8), bytes.Repeat([]byte{0xff}, 64), append([]byte{0x80}, append(make([]byte, 30), 1)...), []byte(primeP), []byte(orderN)}
	more := 200
	if runtime.GOOS == "wasip1" { // fifty times as slow
		more = 10
	}
	for range more {
		m := random(1 + r.IntN(80))
		m[0] |= 1
		m[len(m)-1] |= 1
		moduli = append(moduli, m)
	}
	for _, m := range moduli {
		big0, f := new(big.Int).SetBytes(m), newField(m)
		if big0.Cmp(big.NewInt(1)) == 0 {
			continue
		}
		for range 20 {
			a, b := new(big.Int).SetBytes(random(len(m))), new(big.Int).SetBytes(random(len(m)))
			a.Mod(a, big0)
			b.Mod(b, big0)
			la, lb := limbs(a.FillBytes(make([]byte, len(m)))), limbs(b.FillBytes(make([]byte, len(m))))
			z := make([]uint64, len(f.m))
			check := func(what string, got []uint64, want *big.Int) {
				if number(got).Cmp(want) != 0 {
					t.Fatalf("%x and %x modulo %x: %s gives %x, want %x", a, b, m, what, number(got), want)
				}
			}
			f.add(z, la, lb)
			check("add", z, new(big.Int).Mod(new(big.Int).Add(a, b), big0))
			f.sub(z, la, lb)
			check("sub", z, new(big.Int).Mod(new(big.Int).Sub(a, b), big0))
			f.mul(z, f.enter(la), lb)
			check("mul", z, new(big.Int).Mod(new(big.Int).Mul(a, b), big0))
			check("leave", f.leave(f.enter(la)), a)
			check("exp", f.leave(f.exp(f.enter(la), []uint64{65537})), new(big.Int).Exp(a, big.NewInt(65537), big0))
			check("exp by many limbs", f.leave(f.exp(f.enter(la), lb)), new(big.Int).Exp(a, b, big0))
			if below(la, lb) != (a.Cmp(b) < 0) || zero(la) != (a.Sign() == 0) {
				t.Fatalf("%x and %x", a, b)
			}
		}
	}
	for _, m := range []string{primeP, orderN} {
		f, p := newField([]byte(m)), new(big.Int).SetBytes([]byte(m))
		for range 50 {
			a := new(big.Int).SetBytes(random(32))
			a.Mod(a, p)
			got := number(f.leave(f.inverse(f.enter(limbs(a.FillBytes(make([]byte, 32)))))))
			want := new(big.Int)
			if a.Sign() != 0 {
				want.ModInverse(a, p)
			}
			if got.Cmp(want) != 0 {
				t.Fatalf("1/%x: %x, want %x", a, got, want)
			}
		}
	}
}
