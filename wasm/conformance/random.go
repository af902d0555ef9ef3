package conformance

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Random returns count calls of a format's ops with mutations of the fixtures as inputs
// and parameters, mostly broken ones. The same arguments give the same calls.
func (f *Fixtures) Random(format Format, count int) iter.Seq[Case] {
	texts := slices.DeleteFunc(f.texts(format), func(s string) bool { return len(s) > 4000 })
	keys := f.under("amp/keys")
	ops := format.Ops()
	return func(yield func(Case) bool) {
		random := rand.New(rand.NewPCG(2026, uint64(format.First)))
		for range count {
			op := ops[random.IntN(len(ops))]
			input := Mutate(random, texts[random.IntN(len(texts))], texts)
			for range random.IntN(3) - 1 {
				input += texts[random.IntN(len(texts))]
			}
			if random.IntN(8) == 0 {
				input = "" // ops that make something new take no input
			}
			params := paramsOf(op, len(input))
			if op == abi.AMPVerify || op == abi.AMPJudge {
				// Without a key these ops do little.
				message := len(input)
				key := f.files[keys[random.IntN(len(keys))]]
				input += key
				params = append(params, object("now", noon, "messageLength", message, "keys", lengths([]string{key})), `{"messageLength":`+strconv.Itoa(message)+`}`)
			}
			p := params[random.IntN(len(params))]
			if random.IntN(4) == 0 {
				p = Mutate(random, p, params)
			}
			if !yield(Case{op, p, input}) {
				return
			}
		}
	}
}

// Mutate changes a few bytes of a text, or joins it with another one, to break it in
// one of many ways.
func Mutate(random *rand.Rand, s string, others []string) string {
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
