package conformance_test

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"os"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/guest/ops"
)

func load(t *testing.T) *conformance.Fixtures {
	t.Helper()
	f, err := conformance.Load(os.DirFS("../../testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCases checks that the fixtures make every op succeed and fail, since an op that only
// ever does one of them would compare little, and that no op changes its input.
func TestCases(t *testing.T) {
	cases, err := load(t).Cases()
	if err != nil {
		t.Fatal(err)
	}
	passed, failed := map[abi.Op]int{}, map[abi.Op]int{}
	for _, c := range cases {
		a, b := []byte(c.Params), []byte(c.Input)
		_, ok := ops.Call(nil, c.Op, a, b)
		if string(a) != c.Params || string(b) != c.Input {
			t.Fatalf("%v changed its input %.500q %.500q", c.Op, c.Params, c.Input)
		}
		if ok {
			passed[c.Op]++
		} else {
			failed[c.Op]++
		}
	}
	for _, op := range abi.Numbers() {
		if passed[op] == 0 {
			t.Errorf("no call of %v gives a result", op)
		}
		if passed[op]+failed[op] == 0 {
			t.Errorf("%v is not called", op)
		}
	}
	if len(cases) < 10_000 {
		t.Errorf("only %d cases", len(cases))
	}
}

// TestRandom checks that the random calls are the same every time, that they reach
// every op, and that neither results nor errors are rare.
func TestRandom(t *testing.T) {
	const count = 3000
	for _, format := range conformance.Formats() {
		sums := []hash.Hash{sha256.New(), sha256.New()}
		for _, sum := range sums {
			f, failed, seen := load(t), 0, map[abi.Op]bool{}
			for c := range f.Random(format, count) {
				seen[c.Op] = true
				result, ok := conformance.Answer(c)
				if !ok {
					failed++
				}
				fmt.Fprintf(sum, "%d %q %q %v %q\n", c.Op, c.Params, c.Input, ok, result)
			}
			if len(seen) != len(format.Ops()) || failed < count/20 || failed > count*95/100 {
				t.Errorf("%s: %d ops called, %d of %d calls failed", format.Name, len(seen), failed, count)
			}
		}
		if a, b := sums[0].Sum(nil), sums[1].Sum(nil); string(a) != string(b) {
			t.Errorf("%s: two runs differ", format.Name)
		}
	}
}
