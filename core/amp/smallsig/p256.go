package smallsig

// The parameters of P-256 (SP 800-186 §3.2.1.3).
const (
	primeP = "\xff\xff\xff\xff\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	orderN = "\xff\xff\xff\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xbc\xe6\xfa\xad\xa7\x17\x9e\x84\xf3\xb9\xca\xc2\xfc\x63\x25\x51"
	coeffB = "\x5a\xc6\x35\xd8\xaa\x3a\x93\xe7\xb3\xeb\xbd\x55\x76\x98\x86\xbc\x65\x1d\x06\xb0\xcc\x53\xb0\xf6\x3b\xce\x3c\x3e\x27\xd2\x60\x4b"
	baseX  = "\x6b\x17\xd1\xf2\xe1\x2c\x42\x47\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2\x77\x03\x7d\x81\x2d\xeb\x33\xa0\xf4\xa1\x39\x45\xd8\x98\xc2\x96"
	baseY  = "\x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16\x2b\xce\x33\x57\x6b\x31\x5e\xce\xcb\xb6\x40\x68\x37\xbf\x51\xf5"
)

// elem is a number modulo p, as field keeps it.
type elem [4]uint64

// point is (x/z², y/z³), and the point at infinity where z is 0.
type point struct{ x, y, z elem }

// curve computes with the points of P-256.
type curve struct {
	p *field
	b elem
	g point
}

func newCurve() *curve {
	c := &curve{p: newField([]byte(primeP))}
	c.b = c.of([]byte(coeffB))
	c.g = point{c.of([]byte(baseX)), c.of([]byte(baseY)), elem(c.p.one)}
	return c
}

func (c *curve) of(b []byte) elem { return elem(c.p.enter(limbs(b))) }

// key reads x and y, and reports whether they are a point of the curve.
func (c *curve) key(xy *[64]byte) (point, bool) {
	if !below(limbs(xy[:32]), c.p.m) || !below(limbs(xy[32:]), c.p.m) {
		return point{}, false
	}
	k := point{c.of(xy[:32]), c.of(xy[32:]), elem(c.p.one)}
	// y² = x³ - 3x + b
	right := c.mul(c.mul(k.x, k.x), k.x)
	right = c.sub(right, c.add(k.x, c.twice(k.x, 1)))
	return k, c.add(right, c.b) == c.mul(k.y, k.y)
}

// OnP256 reports whether 64 bytes, x and y, are a point of the curve P-256.
func OnP256(xy [64]byte) bool {
	_, ok := newCurve().key(&xy)
	return ok
}

// P256 reports whether r and s are an ECDSA signature of a digest by the key whose
// point is x and y (FIPS 186-5 §6.4.2).
func P256(xy [64]byte, digest, r, s [32]byte) bool {
	c := newCurve()
	q, ok := c.key(&xy)
	n := newField([]byte(orderN))
	rn, sn := limbs(r[:]), limbs(s[:])
	if !ok || zero(rn) || zero(sn) || !below(rn, n.m) || !below(sn, n.m) {
		return false
	}
	w := n.inverse(n.enter(sn))
	// A number times w·R, divided by R, is one as it is.
	u, v := limbs(digest[:]), make([]uint64, 4)
	n.reduce(u, u, 0) // a digest has no more bits than n
	n.mul(u, u, w)
	n.mul(v, rn, w)
	sum := c.combine(u, c.g, v, q)
	if sum.z == (elem{}) {
		return false
	}
	inverse := elem(c.p.inverse(sum.z[:]))
	x := c.mul(sum.x, c.mul(inverse, inverse))
	affine := c.p.leave(x[:])
	n.reduce(affine, affine, 0) // p is less than twice n
	return elem(affine) == elem(rn)
}

func (c *curve) mul(a, b elem) (z elem) {
	c.p.mul(z[:], a[:], b[:])
	return z
}

func (c *curve) add(a, b elem) (z elem) {
	c.p.add(z[:], a[:], b[:])
	return z
}

func (c *curve) sub(a, b elem) (z elem) {
	c.p.sub(z[:], a[:], b[:])
	return z
}

// twice doubles a number several times.
func (c *curve) twice(a elem, times int) elem {
	for range times {
		c.p.add(a[:], a[:], a[:])
	}
	return a
}

// combine gives u·p + v·q, both bit by bit at once.
func (c *curve) combine(u []uint64, p point, v []uint64, q point) point {
	both := c.plus(p, q)
	var sum point
	for i := 255; i >= 0; i-- {
		sum = c.double(sum)
		switch {
		case bit(u, i) && bit(v, i):
			sum = c.plus(sum, both)
		case bit(u, i):
			sum = c.plus(sum, p)
		case bit(v, i):
			sum = c.plus(sum, q)
		}
	}
	return sum
}

// double gives 2a. With a = -3 the tangent's 3x² - 3z⁴ is a product.
func (c *curve) double(a point) point {
	zz, yy := c.mul(a.z, a.z), c.mul(a.y, a.y)
	xyy := c.mul(a.x, yy)
	m := c.mul(c.sub(a.x, zz), c.add(a.x, zz))
	m = c.add(m, c.twice(m, 1))
	x := c.sub(c.mul(m, m), c.twice(xyy, 3))
	y := c.sub(c.mul(m, c.sub(c.twice(xyy, 2), x)), c.twice(c.mul(yy, yy), 3))
	return point{x, y, c.twice(c.mul(a.y, a.z), 1)}
}

// plus gives a + b for any two points, equal and opposite ones included.
func (c *curve) plus(a, b point) point {
	if a.z == (elem{}) {
		return b
	}
	if b.z == (elem{}) {
		return a
	}
	za, zb := c.mul(a.z, a.z), c.mul(b.z, b.z)
	xa, xb := c.mul(a.x, zb), c.mul(b.x, za)
	ya, yb := c.mul(a.y, c.mul(zb, b.z)), c.mul(b.y, c.mul(za, a.z))
	h, r := c.sub(xb, xa), c.sub(yb, ya)
	if h == (elem{}) {
		if r == (elem{}) {
			return c.double(a)
		}
		return point{}
	}
	hh := c.mul(h, h)
	hhh, v := c.mul(h, hh), c.mul(xa, hh)
	x := c.sub(c.sub(c.mul(r, r), hhh), c.twice(v, 1))
	y := c.sub(c.mul(r, c.sub(v, x)), c.mul(ya, hhh))
	return point{x, y, c.mul(h, c.mul(a.z, b.z))}
}
