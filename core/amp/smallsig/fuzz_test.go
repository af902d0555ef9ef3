package smallsig_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/asn1"
	"math/big"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp/smallsig"
)

// FuzzP256 makes a signature with any private key, nonce and digest, changes it by
// any mask, and holds what is said of it against the standard library.
func FuzzP256(f *testing.F) {
	ones := make([]byte, 160)
	for i := range ones {
		ones[i] = 0xff
	}
	f.Add([]byte{1}, []byte{1}, []byte(nil), []byte(nil))
	f.Add([]byte{1}, []byte{2}, []byte{1}, []byte{1})
	f.Add(ones[:31], ones[:30], ones[:32], []byte(nil))
	f.Add([]byte("key"), []byte("nonce"), []byte("digest"), ones)
	f.Add([]byte("key"), []byte("nonce"), []byte("digest"), append(make([]byte, 64), 1))
	n := elliptic.P256().Params().N
	f.Fuzz(func(t *testing.T, secret, nonce, digest, mask []byte) {
		d, k, e := scalar(secret, n), scalar(nonce, n), new(big.Int).SetBytes(digest[:min(len(digest), 32)])
		point, r := public(t, d), new(big.Int).SetBytes(public(t, k)[1:33])
		r.Mod(r, n)
		s := new(big.Int).Mul(r, d)
		s.Mod(s.Add(s, e).Mul(s, new(big.Int).ModInverse(k, n)), n)
		parts := append(point[1:65:65], append(fill(r), fill(s)...)...)
		parts = append(parts, fill(e)...)
		sound := r.Sign() > 0 && s.Sign() > 0
		for i, bit := range mask[:min(len(mask), len(parts))] {
			parts[i] ^= bit
			sound = sound && bit == 0
		}
		got := smallsig.P256([64]byte(parts), [32]byte(parts[128:]), [32]byte(parts[64:]), [32]byte(parts[96:]))
		if want := library(t, parts); got != want || sound && !got {
			t.Fatalf("%x: %v, and the library says %v", parts, got, want)
		}
	})
}

// scalar makes a number from 1 to n-1.
func scalar(b []byte, n *big.Int) *big.Int {
	s := new(big.Int).SetBytes(b[:min(len(b), 64)])
	s.Mod(s, new(big.Int).Sub(n, big.NewInt(1)))
	return s.Add(s, big.NewInt(1))
}

func fill(n *big.Int) []byte {
	b := fixed(n)
	return b[:]
}

// public gives the point of a private key: 4, x and y.
func public(t *testing.T, d *big.Int) []byte {
	t.Helper()
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), fill(d))
	if err != nil {
		t.Fatal(err)
	}
	b, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// library verifies x, y, r, s and the digest as the standard library does.
func library(t *testing.T, parts []byte) bool {
	t.Helper()
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append([]byte{4}, parts[:64]...))
	if err != nil {
		return false
	}
	der, err := asn1.Marshal(pair{new(big.Int).SetBytes(parts[64:96]), new(big.Int).SetBytes(parts[96:128])})
	if err != nil {
		t.Fatal(err)
	}
	return ecdsa.VerifyASN1(key, parts[128:], der)
}

// FuzzRSA holds any modulus, exponent, digest and signature against math/big, and
// makes of any number a modulus for which it is a signature: the difference of its
// cube and the padded digest.
func FuzzRSA(f *testing.F) {
	for _, size := range []int{62, 96, 172, 256} {
		long := make([]byte, size)
		for i := range long {
			long[i] = byte(251 * (i + 1))
		}
		odd := append(long[:size:size], 1)
		f.Add(odd, 3, []byte("digest"), odd[1:])
		f.Add(odd, 65537, []byte(nil), long)
	}
	f.Add([]byte{0x80, 1}, 3, []byte(nil), []byte{1})
	f.Fuzz(func(t *testing.T, modulus []byte, exponent int, digest, signature []byte) {
		modulus, signature = modulus[:min(len(modulus), 1024)], signature[:min(len(signature), 1024)]
		var sum [32]byte
		copy(sum[:], digest)
		if got, want := smallsig.RSA(modulus, exponent, sum, signature), power(modulus, exponent, sum, signature); got != want {
			t.Fatalf("%x %d %x %x: %v, and math/big says %v", modulus, exponent, sum, signature, got, want)
		}
		s := new(big.Int).SetBytes(signature[:min(len(signature), 200)])
		cube := new(big.Int).Exp(s, big.NewInt(3), nil)
		size := (cube.BitLen() + 7) / 8
		if size < 62 {
			return
		}
		made := cube.Sub(cube, new(big.Int).SetBytes(padded(size, sum)))
		if made.Sign() <= 0 || made.Bit(0) == 0 || (made.BitLen()+7)/8 != size {
			return // even, or shorter than its padding
		}
		if !smallsig.RSA(made.Bytes(), 3, sum, s.FillBytes(make([]byte, size))) {
			t.Fatalf("a sound signature %x by %x of %x is refused", s, made, sum)
		}
	})
}

// padded is a digest as PKCS #1 v1.5 pads it (RFC 8017 §9.2).
func padded(size int, digest [32]byte) []byte {
	out := []byte{0, 1}
	for len(out) < size-52 {
		out = append(out, 0xff)
	}
	out = append(out, 0)
	out = append(out, "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"...)
	return append(out, digest[:]...)
}

// power verifies with math/big.
func power(modulus []byte, exponent int, digest [32]byte, signature []byte) bool {
	size := len(modulus)
	if size < 62 || modulus[0] == 0 || modulus[size-1]&1 == 0 || len(signature) != size || exponent < 2 {
		return false
	}
	n, s := new(big.Int).SetBytes(modulus), new(big.Int).SetBytes(signature)
	if s.Cmp(n) >= 0 {
		return false
	}
	return new(big.Int).Exp(s, big.NewInt(int64(exponent)), n).Cmp(new(big.Int).SetBytes(padded(size, digest))) == 0
}
