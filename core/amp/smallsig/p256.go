package smallsig

import "math/big"

// OnP256 reports whether 64 bytes, x and y, are a point of the curve P-256.
func OnP256(xy [64]byte) bool {
	c := newCurve()
	x, y := new(big.Int).SetBytes(xy[:32]), new(big.Int).SetBytes(xy[32:])
	if x.Cmp(c.p) >= 0 || y.Cmp(c.p) >= 0 {
		return false
	}
	// y² = x³ - 3x + b
	right := c.mul(x, x)
	right = c.mul(c.sub(right, big.NewInt(3)), x)
	return c.mul(y, y).Cmp(c.add(right, c.b)) == 0
}

// P256 reports whether r and s are an ECDSA signature of a digest by the key whose
// point is x and y (FIPS 186-5 §6.4.2).
func P256(xy [64]byte, digest, r, s [32]byte) bool {
	if !OnP256(xy) {
		return false
	}
	c := newCurve()
	rn, sn := new(big.Int).SetBytes(r[:]), new(big.Int).SetBytes(s[:])
	if rn.Sign() == 0 || sn.Sign() == 0 || rn.Cmp(c.n) >= 0 || sn.Cmp(c.n) >= 0 {
		return false
	}
	w := new(big.Int).ModInverse(sn, c.n)
	u1 := new(big.Int).SetBytes(digest[:])
	u1.Mod(u1.Mul(u1, w), c.n)
	u2 := new(big.Int).Mul(rn, w)
	u2.Mod(u2, c.n)
	q := point{new(big.Int).SetBytes(xy[:32]), new(big.Int).SetBytes(xy[32:]), big.NewInt(1)}
	sum := c.combine(u1, c.g, u2, q)
	if sum.z.Sign() == 0 {
		return false
	}
	inv := new(big.Int).ModInverse(sum.z, c.p)
	x := c.mul(sum.x, c.mul(inv, inv))
	return x.Mod(x, c.n).Cmp(rn) == 0
}

// curve holds the parameters of P-256 (SP 800-186 §3.2.1.3).
type curve struct {
	p, n, b *big.Int
	g       point
}

// point is (x/z², y/z³), and the point at infinity where z is 0. The numbers of a
// point are never changed once it is made.
type point struct{ x, y, z *big.Int }

// newCurve makes the numbers of bytes: reading them as text would bring as much
// code as the rest.
func newCurve() *curve {
	of := func(s string) *big.Int { return new(big.Int).SetBytes([]byte(s)) }
	return &curve{
		p: of("\xff\xff\xff\xff\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		n: of("\xff\xff\xff\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xbc\xe6\xfa\xad\xa7\x17\x9e\x84\xf3\xb9\xca\xc2\xfc\x63\x25\x51"),
		b: of("\x5a\xc6\x35\xd8\xaa\x3a\x93\xe7\xb3\xeb\xbd\x55\x76\x98\x86\xbc\x65\x1d\x06\xb0\xcc\x53\xb0\xf6\x3b\xce\x3c\x3e\x27\xd2\x60\x4b"),
		g: point{
			of("\x6b\x17\xd1\xf2\xe1\x2c\x42\x47\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2\x77\x03\x7d\x81\x2d\xeb\x33\xa0\xf4\xa1\x39\x45\xd8\x98\xc2\x96"),
			of("\x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16\x2b\xce\x33\x57\x6b\x31\x5e\xce\xcb\xb6\x40\x68\x37\xbf\x51\xf5"),
			big.NewInt(1),
		},
	}
}

func (c *curve) mul(a, b *big.Int) *big.Int {
	n := new(big.Int).Mul(a, b)
	return n.Mod(n, c.p)
}

func (c *curve) add(a, b *big.Int) *big.Int {
	n := new(big.Int).Add(a, b)
	if n.Cmp(c.p) >= 0 {
		n.Sub(n, c.p)
	}
	return n
}

func (c *curve) sub(a, b *big.Int) *big.Int {
	n := new(big.Int).Sub(a, b)
	if n.Sign() < 0 {
		n.Add(n, c.p)
	}
	return n
}

func (c *curve) times2(a *big.Int, times int) *big.Int {
	for range times {
		a = c.add(a, a)
	}
	return a
}

// combine gives u·p + v·q, both bit by bit at once.
func (c *curve) combine(u *big.Int, p point, v *big.Int, q point) point {
	both := c.plus(p, q)
	sum := point{big.NewInt(1), big.NewInt(1), new(big.Int)}
	for i := max(u.BitLen(), v.BitLen()) - 1; i >= 0; i-- {
		sum = c.double(sum)
		switch {
		case u.Bit(i) == 1 && v.Bit(i) == 1:
			sum = c.plus(sum, both)
		case u.Bit(i) == 1:
			sum = c.plus(sum, p)
		case v.Bit(i) == 1:
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
	m = c.add(m, c.add(m, m))
	x := c.sub(c.mul(m, m), c.times2(xyy, 3))
	y := c.sub(c.mul(m, c.sub(c.times2(xyy, 2), x)), c.times2(c.mul(yy, yy), 3))
	return point{x, y, c.times2(c.mul(a.y, a.z), 1)}
}

// plus gives a + b for any two points, equal and opposite ones included.
func (c *curve) plus(a, b point) point {
	if a.z.Sign() == 0 {
		return b
	}
	if b.z.Sign() == 0 {
		return a
	}
	za, zb := c.mul(a.z, a.z), c.mul(b.z, b.z)
	xa, xb := c.mul(a.x, zb), c.mul(b.x, za)
	ya, yb := c.mul(a.y, c.mul(zb, b.z)), c.mul(b.y, c.mul(za, a.z))
	h, r := c.sub(xb, xa), c.sub(yb, ya)
	if h.Sign() == 0 {
		if r.Sign() == 0 {
			return c.double(a)
		}
		return point{big.NewInt(1), big.NewInt(1), new(big.Int)}
	}
	hh := c.mul(h, h)
	hhh, v := c.mul(h, hh), c.mul(xa, hh)
	x := c.sub(c.sub(c.mul(r, r), hhh), c.times2(v, 1))
	y := c.sub(c.mul(r, c.sub(v, x)), c.mul(ya, hhh))
	return point{x, y, c.mul(h, c.mul(a.z, b.z))}
}
