package amp

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"math/big"
)

func verifyRSA(k *Key, digest [32]byte, sig []byte) bool {
	pub := &rsa.PublicKey{N: new(big.Int).SetBytes(k.modulus), E: k.exponent}
	return rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], sig) == nil
}

// p256Key reads the two coordinates of a point of P-256.
func p256Key(point []byte) (*ecdsa.PublicKey, error) {
	return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append([]byte{4}, point...))
}

func verifyP256(k *Key, digest [32]byte, sig []byte) bool {
	pub, err := p256Key(k.point)
	return err == nil && ecdsa.VerifyASN1(pub, digest[:], sig)
}
