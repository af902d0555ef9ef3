package amp

import "github.com/signalbox-dev/signalbox/core/amp/smallsig"

func verifyRSA(k *Key, digest [32]byte, sig []byte) bool {
	return smallsig.RSA(k.modulus, k.exponent, digest, sig)
}

func verifyP256(k *Key, digest, r, s [32]byte) bool {
	return smallsig.P256([64]byte(k.point), digest, r, s)
}
