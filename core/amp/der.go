package amp

// der reads the few forms of ASN.1 DER (X.690) that keys and signatures have. A
// length that is not the shortest form, or goes beyond the input, is refused, so
// that no value has two encodings.
type der []byte

const (
	tagInteger   = 0x02
	tagBitString = 0x03
	tagNull      = 0x05
	tagOID       = 0x06
	tagSequence  = 0x30
)

// next takes one value of the tag off the front.
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

// whole is next for the last value.
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

// bits takes a bit string of whole bytes.
func (d *der) bits() (der, bool) {
	b, ok := d.next(tagBitString)
	if !ok || len(b) == 0 || b[0] != 0 {
		return nil, false
	}
	return b[1:], true
}

// ecdsaSignature reads an ECDSA signature on P-256, in its one DER form, and
// returns the first of its two numbers.
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
