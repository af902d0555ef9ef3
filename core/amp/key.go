package amp

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// Algorithm is how a key signs (rule SIG-6).
type Algorithm string

// The algorithms. RSA and ECDSA sign the SHA-256 digest of the signed bytes,
// Ed25519 these bytes themselves.
const (
	Ed25519 Algorithm = "Ed25519"
	RSA     Algorithm = "RSA"
	P256    Algorithm = "ECDSA P-256"
)

// The accepted sizes of RSA keys, in bits. Shorter keys can be broken, longer ones are slow
// to check.
const (
	MinRSA = 2048
	MaxRSA = 8192
)

// Key is a public key. The zero Key verifies nothing.
type Key struct {
	algorithm Algorithm
	der       []byte // the whole SubjectPublicKeyInfo
	point     []byte // an Ed25519 key, or x and y of a P-256 one
	modulus   []byte // in big-endian bytes without leading zeros
	exponent  int
}

// maxKey is the maximum length of a key in bytes, far more than any accepted key needs.
const maxKey = 16 << 10

const (
	oidEd25519 = "\x2b\x65\x70"
	oidRSA     = "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01"
	oidEC      = "\x2a\x86\x48\xce\x3d\x02\x01"
	oidP256    = "\x2a\x86\x48\xce\x3d\x03\x01\x07"
)

// ParseKey reads a public key, a SubjectPublicKeyInfo in PEM or DER. For anything else it returns
// a *[canon.Fault] of rule SIG-6, whose reason never quotes the input: it may be a private key.
func ParseKey(data []byte) (Key, error) {
	if len(data) > maxKey {
		return Key{}, badKey("the key is longer than " + strconv.Itoa(maxKey) + " bytes")
	}
	raw := data
	if len(data) == 0 || data[0] != tagSequence {
		var bad *canon.Fault
		if raw, bad = unpem(data); bad != nil {
			return Key{}, bad
		}
	}
	return parseDER(raw)
}

func badKey(reason string) *canon.Fault { return &canon.Fault{Rule: "SIG-6", Reason: reason} }

// unpem reads the first block of a PEM text (RFC 7468).
func unpem(text []byte) ([]byte, *canon.Fault) {
	const begin, end, dashes = "-----BEGIN ", "-----END ", "-----"
	_, text, found := bytes.Cut(text, []byte(begin))
	label, text, closed := bytes.Cut(text, []byte(dashes))
	if !found || !closed {
		return nil, badKey("the key is neither PEM nor DER")
	}
	switch {
	case bytes.Contains(label, []byte("PRIVATE")):
		return nil, badKey("this is a private key, where the public one belongs")
	case string(label) != "PUBLIC KEY":
		return nil, badKey("the PEM text holds no PUBLIC KEY")
	}
	body, rest, found := bytes.Cut(text, []byte(end))
	if !found || !bytes.HasPrefix(rest, []byte("PUBLIC KEY"+dashes)) {
		return nil, badKey("the PEM text is not complete")
	}
	raw, err := base64.StdEncoding.AppendDecode(nil, bytes.Join(bytes.Fields(body), nil))
	if err != nil {
		return nil, badKey("the PEM text is not base64")
	}
	return raw, nil
}

func parseDER(raw []byte) (Key, error) {
	info, ok := der(raw).whole(tagSequence)
	alg, okAlg := info.next(tagSequence)
	bits, okBits := info.bits()
	oid, okOID := alg.next(tagOID)
	if !ok || !okAlg || !okBits || !okOID || len(info) > 0 {
		return Key{}, badKey("the key is malformed")
	}
	k := Key{der: bytes.Clone(raw)}
	switch string(oid) {
	case oidEd25519:
		if len(alg) > 0 || len(bits) != 32 {
			return Key{}, badKey("the Ed25519 key is malformed")
		}
		if smallOrder([32]byte(bits)) {
			return Key{}, badKey("the Ed25519 key is a point of small order, for which anybody can sign")
		}
		k.algorithm, k.point = Ed25519, bytes.Clone(bits)
		return k, nil
	case oidEC:
		return k.ec(alg, bits)
	case oidRSA:
		return k.rsa(alg, bits)
	}
	return Key{}, badKey("the key's algorithm is none of Ed25519, RSA and ECDSA P-256")
}

// smallOrder reports whether an Ed25519 point has an order that divides 8, in any of its
// encodings: for such a point anybody can make signatures that fit every text.
func smallOrder(point [32]byte) bool {
	point[31] &= 0x7f // the sign of x
	switch hex.EncodeToString(point[:]) {
	case "0000000000000000000000000000000000000000000000000000000000000000", // y = 0, order 4
		"0100000000000000000000000000000000000000000000000000000000000000", // y = 1, the neutral point
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", // order 8
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", // order 8
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // y = p-1, order 2
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // y = p, which is 0
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f": // y = p+1, which is 1
		return true
	}
	return false
}

func (k Key) ec(alg, bits der) (Key, error) {
	curve, ok := alg.whole(tagOID)
	if !ok || string(curve) != oidP256 {
		return Key{}, badKey("the ECDSA key is on another curve than P-256")
	}
	if len(bits) != 65 || bits[0] != 4 {
		return Key{}, badKey("the ECDSA key is no uncompressed point")
	}
	if _, err := p256Key(bits[1:]); err != nil {
		return Key{}, badKey("the ECDSA key is no point of the curve P-256")
	}
	k.algorithm, k.point = P256, bytes.Clone(bits[1:])
	return k, nil
}

func (k Key) rsa(alg, bits der) (Key, error) {
	null, okNull := alg.whole(tagNull)
	seq, ok := bits.whole(tagSequence)
	n, okN := seq.positive()
	e, okE := seq.positive()
	if !ok || !okN || !okE || !okNull || len(null) > 0 || len(seq) > 0 {
		return Key{}, badKey("the RSA key is malformed")
	}
	size := len(n) * 8
	for b := n[0]; b < 0x80; b <<= 1 {
		size--
	}
	if size < MinRSA || size > MaxRSA {
		return Key{}, badKey("the RSA key has " + strconv.Itoa(size) + " bits, not between " + strconv.Itoa(MinRSA) + " and " + strconv.Itoa(MaxRSA))
	}
	exponent := 0
	for _, b := range e[:min(len(e), 5)] {
		exponent = exponent<<8 | int(b)
	}
	if len(e) > 4 || exponent < 3 || exponent >= 1<<31 || exponent&1 == 0 || n[len(n)-1]&1 == 0 {
		return Key{}, badKey("the RSA key has numbers that no key has")
	}
	k.algorithm, k.modulus, k.exponent = RSA, bytes.Clone(n), exponent
	return k, nil
}

// Algorithm returns how the key signs. It is empty for the zero Key.
func (k Key) Algorithm() Algorithm { return k.algorithm }

// Fingerprint returns a name for a key: SHA256: and the base64 form of the digest of its DER
// form. It is empty for the zero Key.
func (k Key) Fingerprint() string {
	if k.der == nil {
		return ""
	}
	sum := digest.Sum(k.der)
	return "SHA256:" + base64.StdEncoding.EncodeToString(sum[:])
}

// PEM returns the key as text, as openssl writes it.
func (k Key) PEM() []byte {
	out := []byte("-----BEGIN PUBLIC KEY-----\n")
	text := base64.StdEncoding.EncodeToString(k.der)
	for len(text) > 64 {
		out = append(append(out, text[:64]...), '\n')
		text = text[64:]
	}
	return append(append(out, text...), "\n-----END PUBLIC KEY-----\n"...)
}

// NewKey returns the Key of the 32 bytes of an Ed25519 public key that the caller made. It checks
// nothing: use [ParseKey] for somebody else's key.
func NewKey(ed25519 [32]byte) Key {
	raw := append([]byte("\x30\x2a\x30\x05\x06\x03"+oidEd25519+"\x03\x21\x00"), ed25519[:]...)
	return Key{algorithm: Ed25519, der: raw, point: raw[len(raw)-32:]}
}

// der reads the few forms of ASN.1 DER (X.690) that occur in keys and signatures. It refuses a
// length that is not in the shortest form or goes beyond the input, so that no value has two
// encodings.
type der []byte

const (
	tagInteger   = 0x02
	tagBitString = 0x03
	tagNull      = 0x05
	tagOID       = 0x06
	tagSequence  = 0x30
)

// next removes one value with the tag from the front.
func (d *der) next(tag byte) (body der, ok bool) {
	b := *d
	if len(b) < 2 || b[0] != tag {
		return nil, false
	}
	n, head := int(b[1]), 2
	switch {
	case n == 0x81 && len(b) > 2 && b[2] >= 0x80:
		n, head = int(b[2]), 3
	case n == 0x82 && len(b) > 3 && b[2] > 0:
		n, head = int(b[2])<<8|int(b[3]), 4
	case n >= 0x80:
		return nil, false
	}
	if len(b)-head < n {
		return nil, false
	}
	*d = b[head+n:]
	return b[head : head+n], true
}

// whole is [der.next] for the last value: nothing may follow.
func (d der) whole(tag byte) (der, bool) {
	body, ok := d.next(tag)
	return body, ok && len(d) == 0
}

// positive reads an integer above zero and returns it without leading zeros.
func (d *der) positive() ([]byte, bool) {
	b, ok := d.next(tagInteger)
	switch {
	case !ok || len(b) == 0 || b[0] >= 0x80:
		return nil, false
	case b[0] != 0:
		return b, true
	}
	return b[1:], len(b) > 1 && b[1] >= 0x80
}

// bits removes a bit string of whole bytes from the front.
func (d *der) bits() (der, bool) {
	b, ok := d.next(tagBitString)
	if !ok || len(b) == 0 || b[0] != 0 {
		return nil, false
	}
	return b[1:], true
}

// ecdsaSignature reads an ECDSA signature on P-256, in its only DER form, and returns the first
// of its two numbers.
func ecdsaSignature(sig []byte) (r [32]byte, ok bool) {
	seq, ok := der(sig).whole(tagSequence)
	if !ok {
		return r, false
	}
	a, okA := seq.positive()
	b, okB := seq.positive()
	if !okA || !okB || len(seq) > 0 || len(a) > 32 || len(b) > 32 {
		return r, false
	}
	copy(r[32-len(a):], a)
	return r, true
}

// MarshalText is [Key.PEM], for files of keys.
func (k Key) MarshalText() ([]byte, error) { return k.PEM(), nil }

// UnmarshalText is [ParseKey].
func (k *Key) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKey(text)
	return err
}
