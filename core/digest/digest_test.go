package digest

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

// sums returns the digest by each way, the data in two pieces where there are pieces.
func sums(data []byte, cut int) map[string][Size]byte {
	hash, own := New(), newSmall()
	hash.Write(data[:cut])
	own.Write(data[:cut])
	hash.Write(data[cut:])
	own.Write(data[cut:])
	return map[string][Size]byte{"Sum": Sum(data), "Hash": hash.Sum(), "small": own.Sum()}
}

func check(t *testing.T, data []byte, cut int) {
	t.Helper()
	want := sha256.Sum256(data)
	for name, got := range sums(data, cut) {
		if got != want {
			t.Fatalf("%s of %d bytes, cut at %d: %x, want %x", name, len(data), cut, got, want)
		}
	}
}

// TestSum compares with the standard library at every length around the size of a block.
func TestSum(t *testing.T) {
	data := bytes.Repeat([]byte("signal\x00box\xff"), 40)
	for n := range 300 {
		for _, cut := range []int{0, n / 3, n / 2, n} {
			check(t, data[:n], cut)
		}
	}
	check(t, bytes.Repeat(data, 100), 12345)
}

func FuzzSum(f *testing.F) {
	f.Add([]byte("abc"), 1)
	f.Add(make([]byte, 119), 64)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		check(t, data, min(max(cut, 0), len(data)))
	})
}

// BenchmarkSum measures a text of 4 KB.
func BenchmarkSum(b *testing.B) {
	data := make([]byte, 4096)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Sum(data)
	}
}
