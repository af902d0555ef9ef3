// Package smallsig verifies RSA and ECDSA P-256 signatures over a SHA-256 digest
// with little code, for the WASM module: the standard library's packages bring
// four curves, key generation and signing with them, 0.45 MB of a module of
// 1.5 MB. Start with [RSA] and [P256].
//
// It only verifies. All that it handles is public, so that it need not take the
// same time for every input, which math/big does not. Other builds use the
// standard library, and the tests hold the two against each other. It imports
// math/big alone.
package smallsig

import "math/big"

// prefix is the DER form of a SHA-256 digest up to its bytes (RFC 8017 §9.2).
const prefix = "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"

// RSA reports whether signature is the PKCS #1 v1.5 signature of a digest by the
// key of a modulus, in big-endian bytes without leading zeros, and an exponent.
//
// The padding is made and compared whole, and never parsed: parsers that skipped
// over parts of it are how such signatures were forged.
func RSA(modulus []byte, exponent int, digest [32]byte, signature []byte) bool {
	size := len(modulus)
	if size < 11+len(prefix)+len(digest) || modulus[0] == 0 || len(signature) != size || exponent < 2 {
		return false
	}
	n, s := new(big.Int).SetBytes(modulus), new(big.Int).SetBytes(signature)
	if n.Bit(0) == 0 || s.Cmp(n) >= 0 {
		return false
	}
	got := new(big.Int).Exp(s, big.NewInt(int64(exponent)), n).FillBytes(make([]byte, size))
	want := make([]byte, 0, size)
	want = append(want, 0, 1)
	for len(want) < size-1-len(prefix)-len(digest) {
		want = append(want, 0xff)
	}
	want = append(want, 0)
	want = append(want, prefix...)
	want = append(want, digest[:]...)
	return string(got) == string(want)
}
