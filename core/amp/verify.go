package amp

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// PayloadBytes returns a payload as it is hashed (rules SIG-4 and SIG-5): members sorted by code
// point at every level, no white space, unchanged digits of numbers and raw UTF-8. It returns a
// *[canon.Fault] of rule JSN-0, PAY-7 or JSN-3.
func PayloadBytes(payload []byte) ([]byte, error) {
	if !utf8.Valid(payload) {
		return nil, &canon.Fault{Rule: "JSN-0", Field: "payload", Reason: "the payload is not valid UTF-8"}
	}
	return payloadBytes(payload, nil)
}

func payloadBytes(payload []byte, keep func(steps []canon.Step, v canon.Value) bool) ([]byte, error) {
	out, err := canon.AppendSorted(make([]byte, 0, len(payload)), payload, keep)
	if err != nil {
		bad := &canon.Fault{Rule: "JSN-0", Field: "payload", Reason: "the payload cannot be hashed: " + err.Error()}
		if syntax, ok := errors.AsType[*canon.SyntaxError](err); ok {
			if bad.Offset = syntax.Offset; syntax.Repeated {
				bad.Rule = "JSN-3"
			}
		}
		return nil, bad
	}
	if len(out) == 0 || out[0] != '{' {
		return nil, &canon.Fault{Rule: "PAY-7", Field: "payload", Reason: "the payload is not an object"}
	}
	return out, nil
}

// PayloadHash returns the base64 form of the SHA-256 digest of [PayloadBytes].
func PayloadHash(payloadBytes []byte) string {
	sum := digest.Sum(payloadBytes)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Signed returns the bytes that are signed (rules SIG-2 and SIG-3), for a payload as it is
// hashed: from|to|subject|priority|in_reply_to|digest. The rest of the envelope is not signed
// (rule SIG-9).
func Signed(from, to, subject, priority, inReplyTo string, payloadBytes []byte) []byte {
	return []byte(from + "|" + to + "|" + subject + "|" + priority + "|" + inReplyTo + "|" + PayloadHash(payloadBytes))
}

// Signed returns the bytes that the signature of the message must fit, with the payload
// as it is stored. It returns a *[canon.Fault] if they are ambiguous: for a message
// with a fault in a signed member, or with a repeated member.
func (msg *Message) Signed() ([]byte, error) {
	if msg.ambiguous != nil {
		return nil, msg.ambiguous
	}
	p, err := payloadBytes(msg.Payload.Raw, nil)
	if err != nil {
		return nil, err
	}
	return msg.signed(p), nil
}

func (msg *Message) signed(payloadBytes []byte) []byte {
	return Signed(msg.From, msg.To, msg.Subject, msg.Priority, msg.InReplyTo, payloadBytes)
}

// decodeSignature reads base64 with its padding, in one line.
func decodeSignature(s string) ([]byte, *canon.Fault) {
	const longest = 4096 // an RSA key of 16384 bits needs less
	if s == "" {
		return nil, &canon.Fault{Rule: "ENV-9", Field: "envelope.signature", Reason: "the message is not signed"}
	}
	// The library ignores line ends, even in strict mode.
	if len(s) <= longest && !strings.ContainsAny(s, "\r\n") {
		if sig, err := base64.StdEncoding.Strict().DecodeString(s); err == nil && len(sig) > 0 {
			return sig, nil
		}
	}
	return nil, &canon.Fault{Rule: "ENV-9", Field: "envelope.signature", Reason: "the signature is not base64: " + quote(s)}
}

// Verified is the signed text that a signature fits.
type Verified struct {
	Step Step
	// Payload is the payload as it was hashed, and Signed the bytes that were
	// signed.
	Payload, Signed []byte
}

// Verify checks a message's signature with a key and returns the signed form of the payload. It
// returns a *[canon.Fault] of rule ENV-9 without a signature, of SIG-6 if the signature is of
// another kind than the key, of SIG-7 if it fits no form of the message, or the message's own
// fault that makes the signed text ambiguous.
func Verify(msg *Message, key Key) (Verified, error) {
	sig, bad := decodeSignature(msg.Signature)
	if bad != nil {
		return Verified{}, bad
	}
	if msg.ambiguous != nil {
		return Verified{}, msg.ambiguous
	}
	if bad := key.fits(sig); bad != nil {
		return Verified{}, bad
	}
	for _, form := range msg.forms() {
		payload, err := msg.signedForm(form)
		if err != nil {
			return Verified{}, err
		}
		for s := range msg.spellings(payload) {
			signed := Signed(msg.From, msg.To, s.subject, msg.Priority, msg.InReplyTo, s.payload)
			if key.verify(signed, sig) {
				return Verified{Step: form.step | s.step, Payload: s.payload, Signed: signed}, nil
			}
		}
	}
	return Verified{}, &canon.Fault{Rule: "SIG-7", Field: "envelope.signature", Reason: "the signature does not fit: the message was changed, or signed with another key than this"}
}

// fits returns a fault if no key of this kind can have made the signature.
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

// SignatureID returns a name for the signature, or "" for none. It finds the same signature under
// another message id. For ECDSA it has only the first number, since anybody can change the second
// one and keep the signature valid.
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
