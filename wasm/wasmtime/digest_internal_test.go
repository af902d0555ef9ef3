package wasmtime

import (
	"bytes"
	"runtime"
	"testing"
)

// TestDigest changes bytes, moves pieces and cuts the module: each changes the name.
// The number of processors does not.
func TestDigest(t *testing.T) {
	const piece = digestPiece
	module := make([]byte, 3*piece+7)
	for i := range module {
		module[i] = byte(i / piece)
	}
	seen := map[string]string{}
	differs := func(what string, module []byte) {
		t.Helper()
		name := string(digest(module))
		if other, twice := seen[name]; twice {
			t.Errorf("%s has the digest of %s", what, other)
		}
		seen[name] = what
	}
	differs("the module", module)
	differs("nothing", nil)
	differs("one piece", module[:piece])
	differs("all but a byte", module[:len(module)-1])
	differs("the first pieces exchanged", bytes.Join([][]byte{module[piece : 2*piece], module[:piece], module[2*piece:]}, nil))
	for _, at := range []int{0, piece - 1, piece, 3 * piece, len(module) - 1} {
		module[at] ^= 0x80
		differs("a byte changed", module)
		module[at] ^= 0x80
	}
	want := digest(module)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := digest(module); !bytes.Equal(got, want) {
		t.Errorf("on one processor the digest is %x and not %x", got, want)
	}
}
