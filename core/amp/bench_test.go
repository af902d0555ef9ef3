package amp_test

import (
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
