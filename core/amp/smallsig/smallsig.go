// Package smallsig verifies RSA and ECDSA P-256 signatures over a SHA-256 digest
// with little code, for the WASM module: the standard library's packages bring
// four curves, key generation and signing with them, 0.45 MB of a module of
// 1.5 MB. Start with [RSA] and [P256].
//
// It only verifies. All that it handles is public, so that it need not take the
// same time for every input. Other builds use the standard library, and the tests
// hold the two against each other. math/big would serve as well, with 40 KB more
// and in seven times the time for an ECDSA signature inside of the module.
package smallsig

import "encoding/binary"

// prefix is the DER form of a SHA-256 digest up to its bytes (RFC 8017 §9.2).
const prefix = "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"

// RSA reports whether signature is the PKCS #1 v1.5 signature of a digest by the
// key of a modulus, in big-endian bytes without leading zeros, and an exponent.
//
// The padding is made and compared whole, and never parsed: parsers that skipped
// over parts of it are how such signatures were forged.
func RSA(modulus []byte, exponent int, digest [32]byte, signature []byte) bool {
	size := len(modulus)
	if size < 11+len(prefix)+len(digest) || modulus[0] == 0 || modulus[size-1]&1 == 0 || len(signature) != size || exponent < 2 {
		return false
	}
	f, s := newField(modulus), limbs(signature)
	if !below(s, f.m) {
		return false
	}
	power := f.leave(f.exp(f.enter(s), []uint64{uint64(exponent)}))
	got := make([]byte, 8*len(power))
	for i, word := range power {
		binary.BigEndian.PutUint64(got[len(got)-8*(i+1):], word)
	}
	want := make([]byte, 0, size)
	want = append(want, 0, 1)
	for len(want) < size-1-len(prefix)-len(digest) {
		want = append(want, 0xff)
	}
	want = append(want, 0)
	want = append(want, prefix...)
	want = append(want, digest[:]...)
	return string(got[len(got)-size:]) == string(want)
}
