package amp

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// Verified says what a signature fits.
type Verified struct {
	Step Step
	// Payload is the payload as it was hashed, and Signed the bytes that were
	// signed.
	Payload, Signed []byte
}

// Verify checks a message's signature with a key and says which form of the payload was
// signed. The message is not changed. Verify returns a *[canon.Fault]: of rule ENV-9 if
// the message is not signed or the signature is not base64, of SIG-6 if the signature
// is of another kind than the key, of SIG-7 if it fits no form of the message, and the
// message's own fault if it is uncertain what was signed.
func Verify(msg *Message, key Key) (Verified, error) {
	sig, bad := decodeSignature(msg.Signature)
	if bad != nil {
		return Verified{}, bad
	}
	if msg.unsound != nil {
		return Verified{}, msg.unsound
	}
	if bad := key.fits(sig); bad != nil {
		return Verified{}, bad
	}
	for _, form := range msg.forms() {
		payload, err := msg.formed(form)
		if err != nil {
			return Verified{}, err
		}
		for hand := range msg.hands(payload) {
			signed := Signed(msg.From, msg.To, hand.subject, msg.Priority, msg.InReplyTo, hand.payload)
			if key.verify(signed, sig) {
				return Verified{Step: form.step | hand.step, Payload: hand.payload, Signed: signed}, nil
			}
		}
	}
	return Verified{}, &canon.Fault{Rule: "SIG-7", Field: "envelope.signature", Reason: "the signature does not fit: the message was changed, or signed with another key than this"}
}

// fits reports a signature that no key of this kind makes.
func (k *Key) fits(sig []byte) *canon.Fault {
	ok := false
	switch k.algorithm {
	case Ed25519:
		ok = len(sig) == ed25519.SignatureSize
	case RSA:
		ok = len(sig) == len(k.modulus)
	case P256:
		_, ok = ecdsaSignature(sig)
	default:
		return &canon.Fault{Rule: "SIG-7", Field: "envelope.signature", Reason: "there is no key to verify the signature with"}
	}
	if ok {
		return nil
	}
	return &canon.Fault{Rule: "SIG-6", Field: "envelope.signature", Reason: "the signature of " + strconv.Itoa(len(sig)) + " bytes is none of this " + string(k.algorithm) + " key: it was made with a key of another kind"}
}

func (k *Key) verify(signed, sig []byte) bool {
	switch k.algorithm {
	case Ed25519:
		return ed25519.Verify(k.point, signed, sig)
	case RSA:
		return verifyRSA(k, digest.Sum(signed), sig)
	case P256:
		return verifyP256(k, digest.Sum(signed), sig)
	}
	return false
}

// SignatureID returns a name for the signature, by which it is found again under
// another message id, or "" if there is no readable signature. For ECDSA it uses only
// the first number, since anybody can change the second one and keep the signature
// valid.
func (msg *Message) SignatureID() string {
	sig, bad := decodeSignature(msg.Signature)
	if bad != nil {
		return ""
	}
	if r, ok := ecdsaSignature(sig); ok {
		return "ecdsa:" + hex.EncodeToString(r[:])
	}
	return base64.StdEncoding.EncodeToString(sig)
}
