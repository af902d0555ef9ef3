package amp

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// Step says in which form a message's payload was signed. The forms are tried in
// this order, since receivers' clients change what they store.
type Step int

// The steps.
const (
	// NotVerified is no step.
	NotVerified Step = iota
	// AsStored is the payload as it is.
	AsStored
	// NoAttachments is the payload without an empty list of attachments.
	NoAttachments
	// NoWrapper is the payload without the trust wrapper around its text, and then
	// also without an empty list of attachments.
	NoWrapper
)

func (s Step) String() string {
	switch s {
	case AsStored:
		return "as stored"
	case NoAttachments:
		return "without the empty attachments"
	case NoWrapper:
		return "without the trust wrapper"
	}
	return "not verified"
}

// Verified tells what a signature fits.
type Verified struct {
	Step Step
	// Payload is the payload as it was hashed, and Signed the bytes that were
	// signed.
	Payload, Signed []byte
}

// Verify holds a message against a key and tells which form of its payload was
// signed. Nothing of the message is changed. It returns a *[Fault] whose reason
// says what is wrong: of rule ENV-9 for a message that is not signed or whose
// signature is not base64, of SIG-6 for a signature of another kind than the key,
// of SIG-7 for one that fits no form of the message, and the message's own fault
// where what was signed is not certain.
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
		payload, err := payloadBytes(form.payload, form.keep)
		if err != nil {
			return Verified{}, err
		}
		signed := msg.signed(payload)
		if key.verify(signed, sig) {
			return Verified{Step: form.step, Payload: payload, Signed: signed}, nil
		}
	}
	return Verified{}, &Fault{Rule: "SIG-7", Field: "envelope.signature", Reason: "the signature does not fit: the message was changed, or signed with another key than this"}
}

// form is a payload that the sender may have signed.
type form struct {
	step    Step
	payload []byte
	keep    func(way []canon.Step, v canon.Value) bool
}

func (msg *Message) forms() []form {
	raw := msg.Payload.Raw
	empty := msg.Payload.Attachments != nil && len(msg.Payload.Attachments) == 0
	list := []form{{AsStored, raw, nil}}
	if empty {
		list = append(list, form{NoAttachments, raw, dropEmpty})
	}
	w := unwrap(msg.Payload.Text)
	if !w.names(msg.From) {
		return list
	}
	at := msg.Payload.textAt()
	for _, inner := range w.texts {
		text := append([]byte{}, raw[:at]...)
		text = canon.AppendString(text, inner)
		text = append(text, raw[at+len(msg.Payload.textValue.Raw):]...)
		list = append(list, form{NoWrapper, text, nil})
		if empty {
			list = append(list, form{NoWrapper, text, dropEmpty})
		}
	}
	return list
}

// dropEmpty leaves out the payload's own empty list of attachments.
func dropEmpty(way []canon.Step, v canon.Value) bool {
	return len(way) != 1 || string(way[0].Key) != "attachments" || v.Kind != canon.Array
}

// fits reports a signature that no key of this kind makes.
func (k *Key) fits(sig []byte) *Fault {
	ok := false
	switch k.algorithm {
	case Ed25519:
		ok = len(sig) == ed25519.SignatureSize
	case RSA:
		ok = len(sig) == len(k.modulus)
	case P256:
		_, _, ok = ecdsaSignature(sig)
	default:
		return &Fault{Rule: "SIG-7", Field: "envelope.signature", Reason: "there is no key to verify the signature with"}
	}
	if ok {
		return nil
	}
	return &Fault{Rule: "SIG-6", Field: "envelope.signature", Reason: "the signature of " + strconv.Itoa(len(sig)) + " bytes is none of this " + string(k.algorithm) + " key: it was made with a key of another kind"}
}

func (k *Key) verify(signed, sig []byte) bool {
	switch k.algorithm {
	case Ed25519:
		return ed25519.Verify(k.point, signed, sig)
	case RSA:
		return verifyRSA(k, digest.Sum(signed), sig)
	case P256:
		r, s, ok := ecdsaSignature(sig)
		return ok && verifyP256(k, digest.Sum(signed), r, s)
	}
	return false
}

// SignatureID names a signature, so that it is found again under another message
// id, and is empty where there is none that can be read. Of an ECDSA signature it holds the first number alone:
// anybody can turn the second one into another that is as valid.
func (msg *Message) SignatureID() string {
	sig, bad := decodeSignature(msg.Signature)
	if bad != nil {
		return ""
	}
	if r, _, ok := ecdsaSignature(sig); ok {
		return "ecdsa:" + hex.EncodeToString(r[:])
	}
	return base64.StdEncoding.EncodeToString(sig)
}
