package enginetest

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/engine"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// testBadCalls sends lengths, op numbers and texts to one instance that no host should
// send, and a valid call after each.
func (suite *Suite) testBadCalls(t *testing.T) {
	ctx := context.Background()
	in, release, err := suite.open(t, engine.Options{}).Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	minus := func(n int32) uint32 { return uint32(-n) }
	deep := strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65)
	for name, c := range map[string]struct {
		op     abi.Op
		a, b   string
		n1, n2 uint32
		code   abi.Code
		rule   string
	}{
		"first length negative":       {op: abi.Info, n1: minus(1), code: abi.BadLength},
		"second length negative":      {op: abi.Info, n2: minus(1), code: abi.BadLength},
		"least length":                {op: abi.Info, n1: 1 << 31, n2: 1 << 31, code: abi.BadLength},
		"first length beyond":         {op: abi.SAMPParse, a: "{}", n1: 3, code: abi.BadLength},
		"second length beyond":        {op: abi.SAMPParse, a: "{}", b: "x", n1: 2, n2: 2, code: abi.BadLength},
		"lengths that overflow":       {op: abi.SAMPParse, n1: math.MaxInt32, n2: math.MaxInt32, code: abi.BadLength},
		"first length huge":           {op: abi.SAMPParse, n1: math.MaxInt32, code: abi.BadLength},
		"op 0":                        {op: 0, code: abi.UnknownOp},
		"op not given":                {op: 99, code: abi.UnknownOp},
		"op negative":                 {op: abi.Op(math.MaxUint32), code: abi.UnknownOp},
		"65 levels in the line":       {op: abi.SAMPParse, b: `{"x":` + deep + `}`, n2: uint32(len(deep) + 6), code: abi.Malformed, rule: "R3"},
		"65 levels in the parameters": {op: abi.SAMPParse, a: deep, n1: uint32(len(deep)), code: abi.BadArgument},
		"a million brackets":          {op: abi.SAMPID, b: strings.Repeat("[", 1<<20), n2: 1 << 20, code: abi.Malformed, rule: "R3"},
		"parameters that are no text": {op: abi.SAMPParse, a: "{\"\xff\":1}", n1: 7, code: abi.BadArgument},
	} {
		t.Run(name, func(t *testing.T) {
			if err := in.Fill(ctx, []byte(c.a), []byte(c.b)); err != nil {
				t.Fatal(err)
			}
			result, failed, err := in.Call(ctx, c.op, c.n1, c.n2)
			if err != nil || !failed {
				t.Fatalf("failed is %v, and the error %v: %.200q", failed, err, result)
			}
			var e struct {
				Code    abi.Code
				Rule    string
				Message string
			}
			if err := json.Unmarshal(result, &e); err != nil {
				t.Fatal(err)
			}
			if e.Code != c.code || e.Rule != c.rule || e.Message == "" || len(e.Message) > 600 {
				t.Errorf("error %+v, want code %s and rule %q", e, c.code, c.rule)
			}
			if result, failed, err = in.Call(ctx, abi.Info, 0, 0); err != nil || failed {
				t.Errorf("the next call: %v %.200q", err, result)
			}
		})
	}
}

// testInputLimits asks for input buffers that the module refuses.
func (suite *Suite) testInputLimits(t *testing.T) {
	ctx := context.Background()
	in, release, err := suite.open(t, engine.Options{}).Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, n := range []int32{-1, math.MinInt32, abi.MaxInput + 1, math.MaxInt32} {
		if ptr, err := in.In(ctx, n); err != nil || ptr != 0 {
			t.Errorf("in(%d) gives %d, %v", n, ptr, err)
		}
	}
	for _, n := range []int32{0, 1, 1 << 20, 8 << 20} {
		if ptr, err := in.In(ctx, n); err != nil || ptr == 0 || ptr > abi.MaxMemory {
			t.Errorf("in(%d) gives %d, %v", n, ptr, err)
		}
	}
	if v, err := in.Version(ctx); err != nil || v != abi.Version {
		t.Errorf("abi() gives %#x, %v", v, err)
	}
}

// testImports checks the list of functions that a host has to provide. A host without a
// WASI library, as in a browser, has to write them itself.
func (suite *Suite) testImports(t *testing.T) {
	var want []string
	for _, name := range []string{
		"args_get", "args_sizes_get", "clock_time_get", "environ_get", "environ_sizes_get",
		"fd_close", "fd_fdstat_get", "fd_fdstat_set_flags", "fd_prestat_dir_name", "fd_prestat_get",
		"fd_write", "poll_oneoff", "proc_exit", "random_get", "sched_yield",
	} {
		want = append(want, abi.ImportModule+"."+name)
	}
	var got []string
	for _, f := range suite.open(t, engine.Options{}).Imports() {
		got = append(got, f.Module+"."+f.Name)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Error(diff)
	}
}

// testInfo compares the module's list of ops with wasm/abi.
func (suite *Suite) testInfo(t *testing.T) {
	result, err := suite.open(t, engine.Options{}).Call(context.Background(), abi.Info, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ABI      struct{ Major, Minor int }
		MaxInput int
		Ops      []struct {
			Op   abi.Op
			Name string
		}
	}
	if err := json.Unmarshal(result, &got); err != nil {
		t.Fatal(err)
	}
	if got.ABI.Major != abi.Major || got.ABI.Minor != abi.Minor || got.MaxInput != abi.MaxInput || len(got.Ops) != len(abi.Numbers()) {
		t.Fatalf("the module describes itself as %s", result)
	}
	for i, op := range abi.Numbers() {
		if got.Ops[i].Op != op || got.Ops[i].Name != op.String() {
			t.Errorf("op %+v, want %v", got.Ops[i], op)
		}
	}
}
