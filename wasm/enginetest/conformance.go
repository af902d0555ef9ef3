package enginetest

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// testFixtures makes the calls of wasm/conformance over every vector and fixture, and
// compares the module's results with the native core's.
func (suite *Suite) testFixtures(t *testing.T) {
	cases, err := fixtures(t).Cases()
	if err != nil {
		t.Fatal(err)
	}
	both := suite.newEngines(t)
	for _, c := range cases {
		both.same(t, c)
	}
	both.enough(t, len(cases))
}

// randomCalls returns how many random calls of each format are made: 2,000, or the
// value of SIGNALBOX_RANDOM ("make soak" makes 20,000).
func randomCalls(t *testing.T) int {
	t.Helper()
	text, ok := os.LookupEnv("SIGNALBOX_RANDOM")
	if !ok {
		return 2_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("SIGNALBOX_RANDOM=%q is no number of calls", text)
	}
	return n
}

// testRandomInput is testFixtures with seeded random calls of each format.
func (suite *Suite) testRandomInput(t *testing.T) {
	rounds := randomCalls(t)
	all := fixtures(t)
	for _, format := range conformance.Formats() {
		t.Run(format.Name, func(t *testing.T) {
			both := suite.newEngines(t)
			for c := range all.Random(format, rounds) {
				both.same(t, c)
			}
			both.enough(t, rounds)
		})
	}
}

// engines runs calls natively and in the module, and compares the results.
type engines struct {
	module        *engine.Module
	calls, failed int
	reached       map[abi.Op]bool
}

func (suite *Suite) newEngines(t testing.TB) *engines {
	t.Helper()
	return &engines{module: suite.open(t, engine.Options{Instances: 1}), reached: map[abi.Op]bool{}}
}

// same makes a call, and ends the test if the results differ.
func (e *engines) same(t testing.TB, c conformance.Case) {
	t.Helper()
	d, same, err := conformance.Compare(context.Background(), e.module, c)
	if err != nil {
		t.Fatal(err)
	}
	e.calls++
	e.reached[c.Op] = true
	if d.Failed {
		e.failed++
	}
	if !same {
		t.Fatalf("%v of %.500q and %.500q: %v\nmodule %.500q\nnative %.500q", c.Op, c.Params, c.Input, d.Trap, d.Module, d.Native)
	}
}

// enough checks that at least that many calls were made, and that neither results nor
// errors are rare.
func (e *engines) enough(t testing.TB, calls int) {
	t.Helper()
	if e.calls < calls || e.failed < e.calls/20 || e.failed > e.calls*95/100 {
		t.Errorf("%d calls of %d, and %d failed", e.calls, calls, e.failed)
	}
	t.Logf("%d calls of %d ops, %d of them failed", e.calls, len(e.reached), e.failed)
}
