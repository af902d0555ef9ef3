package smallsig_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/asn1"
	"math/big"
	"runtime"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp/smallsig"
)

type pair struct{ R, S *big.Int }

// rounds is fewer inside of the module, where all takes fifty times as long.
func rounds(n int) int {
	if runtime.GOOS == "wasip1" {
		return max(n/20, 1)
	}
	return n
}

func fixed(n *big.Int) (b [32]byte) {
	n.FillBytes(b[:])
	return b
}

func key(t testing.TB) (*ecdsa.PrivateKey, [64]byte) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b, err := k.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return k, [64]byte(b[1:])
}

func sign(t testing.TB, k *ecdsa.PrivateKey, digest [32]byte) pair {
	t.Helper()
	der, err := ecdsa.SignASN1(rand.Reader, k, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	var s pair
	if _, err := asn1.Unmarshal(der, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestP256 holds AMP SIG-6 for ECDSA: what the standard library signs is verified,
// and with one bit changed anywhere it is not, as the library says too.
func TestP256(t *testing.T) {
	for i := range rounds(200) {
		k, xy := key(t)
		digest := sha256.Sum256([]byte{byte(i)})
		s := sign(t, k, digest)
		r32, s32 := fixed(s.R), fixed(s.S)
		if !smallsig.P256(xy, digest, r32, s32) {
			t.Fatalf("a sound signature is refused: %x %x %x %x", xy, digest, r32, s32)
		}
		for _, part := range []*[32]byte{&digest, &r32, &s32} {
			bit := i*11%256 ^ 7
			part[bit/8] ^= 1 << (bit % 8)
			der, err := asn1.Marshal(pair{new(big.Int).SetBytes(r32[:]), new(big.Int).SetBytes(s32[:])})
			if err != nil {
				t.Fatal(err)
			}
			if smallsig.P256(xy, digest, r32, s32) || ecdsa.VerifyASN1(&k.PublicKey, digest[:], der) {
				t.Fatal("another signature is taken")
			}
			part[bit/8] ^= 1 << (bit % 8)
		}
		_, other := key(t)
		if smallsig.P256(other, digest, r32, s32) {
			t.Fatal("another key is taken")
		}
	}
}

// TestP256Edges holds the numbers that signatures were forged with elsewhere.
func TestP256Edges(t *testing.T) {
	k, xy := key(t)
	n := elliptic.P256().Params().N
	p := elliptic.P256().Params().P
	digest := sha256.Sum256(nil)
	good := sign(t, k, digest)
	zero, one := new(big.Int), big.NewInt(1)
	for name, s := range map[string]pair{
		"r and s 0": {zero, zero}, "r 0": {zero, good.S}, "s 0": {good.R, zero},
		"s 1": {good.R, one}, "both 1": {one, one},
		"r n": {n, good.S}, "s n": {good.R, n}, "both n": {n, n},
		"r p": {p, good.S}, "swapped": {good.S, good.R},
	} {
		if smallsig.P256(xy, digest, fixed(s.R), fixed(s.S)) {
			t.Errorf("%s is taken", name)
		}
	}
	// The mirrored signature is as valid as the first: who looks for replays has
	// to know.
	if !smallsig.P256(xy, digest, fixed(good.R), fixed(new(big.Int).Sub(n, good.S))) {
		t.Error("n-s is refused")
	}
	// A digest of zeros leaves nothing of the base point.
	if s := sign(t, k, [32]byte{}); !smallsig.P256(xy, [32]byte{}, fixed(s.R), fixed(s.S)) {
		t.Error("a digest of zeros is refused")
	}
}

// TestP256SmallKeys holds the sums of equal and opposite points: with the keys 1
// and n-1 the public points are the base point and its mirror.
func TestP256SmallKeys(t *testing.T) {
	n := elliptic.P256().Params().N
	for _, d := range []*big.Int{big.NewInt(1), big.NewInt(2), new(big.Int).Sub(n, big.NewInt(1)), new(big.Int).Sub(n, big.NewInt(2))} {
		k, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), d.FillBytes(make([]byte, 32)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := k.PublicKey.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		xy := [64]byte(b[1:])
		for i := range 8 {
			digest := sha256.Sum256([]byte{byte(i)})
			s := sign(t, k, digest)
			if !smallsig.P256(xy, digest, fixed(s.R), fixed(s.S)) {
				t.Errorf("the key %v: a sound signature is refused", d)
			}
			if smallsig.P256(xy, sha256.Sum256([]byte{byte(i), 1}), fixed(s.R), fixed(s.S)) {
				t.Errorf("the key %v: another digest is taken", d)
			}
		}
	}
}

func TestOnP256(t *testing.T) {
	_, xy := key(t)
	if !smallsig.OnP256(xy) {
		t.Error("a key is refused")
	}
	for name, change := range map[string]func(b *[64]byte){
		"one bit": func(b *[64]byte) { b[63] ^= 1 },
		"zeros":   func(b *[64]byte) { *b = [64]byte{} },
		"x too large": func(b *[64]byte) {
			for i := range 32 {
				b[i] = 0xff
			}
		},
	} {
		bad := xy
		change(&bad)
		if smallsig.OnP256(bad) || smallsig.P256(bad, [32]byte{}, [32]byte{31: 1}, [32]byte{31: 1}) {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestRSASizes holds keys whose length is no whole number of limbs.
func TestRSASizes(t *testing.T) {
	sizes := []int{2048, 2049, 2056, 2088, 3072}
	if runtime.GOOS == "wasip1" { // where making a key takes seconds
		sizes = sizes[1:2]
	}
	for _, size := range sizes {
		k, err := rsa.GenerateKey(rand.Reader, size)
		if err != nil {
			t.Fatal(err)
		}
		digest := sha256.Sum256([]byte{byte(size)})
		sig, err := rsa.SignPKCS1v15(nil, k, crypto.SHA256, digest[:])
		if err != nil {
			t.Fatal(err)
		}
		if !smallsig.RSA(k.N.Bytes(), k.E, digest, sig) {
			t.Errorf("%d bits: a sound signature is refused", size)
		}
		sig[len(sig)/2] ^= 1
		if smallsig.RSA(k.N.Bytes(), k.E, digest, sig) {
			t.Errorf("%d bits: another signature is taken", size)
		}
	}
}

// TestRSA holds AMP SIG-6 for RSA, as [TestP256] does.
func TestRSA(t *testing.T) {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte("x"))
	sig, err := rsa.SignPKCS1v15(nil, k, crypto.SHA256, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	modulus := k.N.Bytes()
	if !smallsig.RSA(modulus, k.E, digest, sig) {
		t.Fatal("a sound signature is refused")
	}
	for i := 0; i < len(sig); i += len(sig) / rounds(len(sig)) {
		sig[i] ^= 0x10
		if smallsig.RSA(modulus, k.E, digest, sig) || rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, digest[:], sig) == nil {
			t.Fatalf("byte %d changed: taken", i)
		}
		sig[i] ^= 0x10
	}
	larger := new(big.Int).Add(new(big.Int).SetBytes(sig), k.N)
	other := sha256.Sum256([]byte("y"))
	even := append([]byte{}, modulus...)
	even[len(even)-1] &^= 1
	for name, taken := range map[string]bool{
		"another digest":        smallsig.RSA(modulus, k.E, other, sig),
		"another exponent":      smallsig.RSA(modulus, 3, digest, sig),
		"no exponent":           smallsig.RSA(modulus, 1, digest, sig),
		"an even modulus":       smallsig.RSA(even, k.E, digest, sig),
		"a short signature":     smallsig.RSA(modulus, k.E, digest, sig[1:]),
		"a padded signature":    smallsig.RSA(modulus, k.E, digest, append([]byte{0}, sig...)),
		"beyond the modulus":    larger.BitLen() <= 2048 && smallsig.RSA(modulus, k.E, digest, larger.FillBytes(make([]byte, 256))),
		"no modulus":            smallsig.RSA(nil, k.E, digest, nil),
		"a short modulus":       smallsig.RSA(modulus[:40], k.E, digest, sig[:40]),
		"a modulus with a zero": smallsig.RSA(append([]byte{0}, modulus...), k.E, digest, append([]byte{0}, sig...)),
	} {
		if taken {
			t.Errorf("%s is taken", name)
		}
	}
	// A signature of the bare digest, and one of another hash, have other padding.
	for _, hash := range []crypto.Hash{0, crypto.SHA512_256} {
		bare, err := rsa.SignPKCS1v15(nil, k, hash, digest[:])
		if err != nil {
			t.Fatal(err)
		}
		if smallsig.RSA(modulus, k.E, digest, bare) {
			t.Errorf("the padding of %v is taken", hash)
		}
	}
}

func BenchmarkP256(b *testing.B) {
	k, xy := key(b)
	digest := sha256.Sum256(nil)
	s := sign(b, k, digest)
	r32, s32 := fixed(s.R), fixed(s.S)
	for b.Loop() {
		if !smallsig.P256(xy, digest, r32, s32) {
			b.Fatal("refused")
		}
	}
}
