package host_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// TestRandomInput compares the module with the native ops over inputs that are
// mostly broken: seeded mutations of the fixtures.
func TestRandomInput(t *testing.T) {
	const rounds = 4000
	var lines, params []string
	for _, s := range stores {
		for _, l := range s.logs(t) {
			for line := range strings.Lines(string(l.Data)) {
				lines = append(lines, line)
			}
		}
	}
	params = []string{
		``, `{}`, `{"profile":"v1-compact"}`, `{"log":"log-alice.jsonl","limit":3}`,
		`{"from":"alice","date":"2026-04-25","profile":"v1-compact"}`,
		`{"from":"alice","to":"bob","thread":"t","ts":1777075200}`,
		`{"me":"bob","now":1777075300,"watermark":{"ts":1777075200,"ids":["c8639d93993d0522"]},"logs":[{"name":"log-alice.jsonl","length":LEN}]}`,
		`{"me":"bob","mode":"raw","logs":[{"name":"log-dave.dev.jsonl","length":LEN}]}`,
		`{"me":"bob","ts":5,"body":"\u00e9","logs":[{"name":"log-alice.jsonl","length":LEN}]}`,
		`{"now":5}`,
	}
	random := rand.New(rand.NewPCG(2026, 4))
	both := newEngines(t)
	failures := 0
	for range rounds {
		input := mutate(random, lines[random.IntN(len(lines))], lines)
		for range random.IntN(3) {
			input += lines[random.IntN(len(lines))]
		}
		p := strings.Replace(params[random.IntN(len(params))], "LEN", strconv.Itoa(len(input)), 1)
		if random.IntN(4) == 0 {
			p = mutate(random, p, params)
		}
		op := abi.Numbers()[random.IntN(len(abi.Numbers()))]
		if _, ok := both.call(t, op, p, input); !ok {
			failures++
		}
		if t.Failed() {
			return
		}
	}
	if failures < rounds/10 || failures > rounds*95/100 {
		t.Errorf("%d of %d calls failed: the inputs test one side only", failures, rounds)
	}
}

// mutate changes a few bytes, or joins two texts.
func mutate(random *rand.Rand, s string, others []string) string {
	b := []byte(s)
	for range random.IntN(4) {
		if len(b) == 0 {
			break
		}
		at := random.IntN(len(b))
		switch random.IntN(4) {
		case 0:
			b[at] ^= 1 << random.IntN(8)
		case 1:
			b = append(b[:at], b[at+1:]...)
		case 2:
			const special = "\"\\{}[],:\n\x00\x7f\xff\xe2\u2028u0"
			b[at] = special[random.IntN(len(special))]
		case 3:
			other := others[random.IntN(len(others))]
			b = append(b[:at:at], other[min(len(other), at):]...)
		}
	}
	return string(b)
}
