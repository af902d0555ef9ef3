//go:build !wasip1

package amp

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"math/big"
)

// The standard library, wherever its size does not matter. smallsig does the same
// in the WASM module.

func verifyRSA(k *Key, digest [32]byte, sig []byte) bool {
	pub := &rsa.PublicKey{N: new(big.Int).SetBytes(k.modulus), E: k.exponent}
	return rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], sig) == nil
}

func verifyP256(k *Key, digest, r, s [32]byte) bool {
	pub, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append([]byte{4}, k.point...))
	if err != nil {
		return false
	}
	return ecdsa.Verify(pub, digest[:], new(big.Int).SetBytes(r[:]), new(big.Int).SetBytes(s[:]))
}
