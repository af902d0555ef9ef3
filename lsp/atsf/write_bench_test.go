package atsf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// BenchmarkAppend appends a message to threads of 1,000 and of 100,000.
func BenchmarkAppend(b *testing.B) {
	for _, messages := range []int{0, 1_000, 100_000} {
		fx := newReadFixture(b)
		d, name := fx.begin("p")
		var log strings.Builder
		for i := range messages {
			log.WriteString(said(fmt.Sprint("m-", i), strings.Repeat("Please fix the login. ", 15)) + "\n")
		}
		fx.write(log.String(), "p", atsf.DirName, atsf.ThreadsName, name, atsf.MessagesName)
		b.Run(fmt.Sprint("messages=", messages), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Append(b.Context(), name, words("", atsf.RoleUser, "one more", -1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
