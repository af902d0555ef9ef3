package amp_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
)

func BenchmarkParseMessage(b *testing.B) {
	data := fixtures(b)["inbox-10-attachments"]
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := amp.ParseMessage(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHostile reads a message with as many findings as it can hold.
func BenchmarkHostile(b *testing.B) {
	data := change(b, `{"x": 2}`, `{"x": [1`+strings.Repeat(`,null`, 90_000)+`]}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := amp.ParseMessage(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	all := fixtures(b)
	for _, name := range []string{"inbox-01-plain", "inbox-24-rsa", "inbox-25-ecdsa"} {
		b.Run(name, func(b *testing.B) {
			m := parse(b, all[name])
			k := keyOf(b, &m)
			for b.Loop() {
				if _, err := amp.Verify(&m, k); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
