package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/enginetest"
	"github.com/signalbox-dev/signalbox/wasm/host"
	"github.com/signalbox-dev/signalbox/wasm/linked"
)

// TestParts sees that a call loads no more of the module than its format needs.
func TestParts(t *testing.T) {
	file := func(name string) []byte {
		data, err := os.ReadFile("../../testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	record := []byte(`{"id":"8d3e2a11b7c05f42","ts":1777075200,"from":"alice","to":"bob","thread":"t","body":"hi"}` + "\n")
	for _, c := range []struct {
		name   string
		op     abi.Op
		params string
		input  []byte
		want   []int
	}{
		{"SAMP", abi.SAMPParse, "", record, nil},
		{"SAMP's inbox", abi.SAMPInbox, fmt.Sprintf(`{"me":"bob","mode":"all","logs":[{"name":"log-alice.jsonl","length":%d}]}`, len(record)), record, nil},
		{"a log for others", abi.SAMPInbox, fmt.Sprintf(`{"me":"carol","mode":"all","logs":[{"name":"log-alice.jsonl","length":%d}]}`, len(record)), record, nil},
		{"ATSF", abi.ATSFThread, "", file("atsf/main/dot-agent/threads/a1b2c3d4-e5f6-4890-abcd-ef1234567890/thread.json"), []int{1}},
		{"AMP/1.0", abi.AGNMessage, "", file("agn/amp-chain/01-task_dispatch.json"), []int{2}},
		{"amp/0.1", abi.AMPMessage, "", file("amp/inbox/01-plain.json"), []int{3}},
		{"Markdown", abi.RenderHTML, "", []byte("**hello**, see `main.go`"), []int{4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			m, loaded, err := host.OpenCounting(ctx, suite.Module, host.Options{Instances: 1, CacheDir: suite.CacheDir})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if early := loaded(); early != nil {
				t.Errorf("parts %v were loaded to start", early)
			}
			if _, err := m.Call(ctx, c.op, []byte(c.params), c.input); err != nil {
				t.Fatal(err)
			}
			if got := loaded(); !slices.Equal(got, c.want) {
				t.Errorf("parts %v were loaded, want %v: is the profile old? See \"make wasm-profile\"", got, c.want)
			}
		})
	}
}

// TestAnyParts divides the module at random: whatever the profile says, and however
// old it is, the answers are the native core's.
func TestAnyParts(t *testing.T) {
	profile, err := os.ReadFile("../guest/parts.txt")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := conformance.Load(os.DirFS("../../testdata"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var shuffled strings.Builder
	for line := range strings.Lines(string(profile)) {
		if _, name, ok := strings.Cut(line, " "); ok && line[0] != '#' {
			fmt.Fprintf(&shuffled, "%d %s", random.IntN(9), name)
		}
	}
	module, err := enginetest.BuildGuestInParts("../guest", t.TempDir(), []byte(shuffled.String()))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	m, loaded, err := host.OpenCounting(ctx, module, host.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for i := 0; i < len(cases); i += 29 {
		c := cases[i]
		want, ok := conformance.Answer(c)
		got, err := m.Call(ctx, c.Op, []byte(c.Params), []byte(c.Input))
		if ok != (err == nil) || ok && !bytes.Equal(got, want) {
			t.Fatalf("%v of %.80q: %s, %v, want %s", c.Op, c.Input, got, err, want)
		}
	}
	if parts := loaded(); len(parts) != 9 {
		t.Errorf("parts %v were loaded, of 9", parts)
	}
}

// TestBrokenPart sees that a part that cannot be loaded breaks the calls that need
// it and no others.
func TestBrokenPart(t *testing.T) {
	const amp = 3
	parts, err := linked.Split(suite.Module)
	if err != nil {
		t.Fatal(err)
	}
	// A stretch of that part that is not in the others.
	later, broken := parts.Later(amp), bytes.Clone(suite.Module)
	for at := 0; ; at += 100 {
		if at+100 > len(later) {
			t.Fatal("nothing of the part is found in the module")
		}
		if i := bytes.Index(broken, later[at:at+100]); i >= 0 && !bytes.Contains(parts.First, later[at:at+100]) {
			copy(broken[i:], bytes.Repeat([]byte{0xff}, 100))
			break
		}
	}
	ctx := context.Background()
	m, err := host.Open(ctx, broken, host.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range 2 {
		if _, err := m.Call(ctx, abi.SAMPAlias, nil, []byte("alice")); err != nil {
			t.Error(err)
		}
		_, err := m.Call(ctx, abi.AMPMessage, nil, []byte("{}"))
		if e, ok := errors.AsType[*host.Error](err); !ok || e.Code != abi.Trap || !strings.Contains(fmt.Sprint(e.Cause), "part 3 of the module") {
			t.Errorf("%v, want a stop for part 3", err)
		}
	}
	if s := m.Stats(); s.Created != 2 || s.Discarded != 2 {
		t.Errorf("%+v, want both instances thrown away", s)
	}
}
