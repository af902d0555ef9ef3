package threads

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// BenchmarkAppend appends a message to threads of 1,000 and of 100,000: to one
// that this process knows, as in a session, and to one that it sees for the
// first time, as the command line does.
func BenchmarkAppend(b *testing.B) {
	for _, messages := range []int{0, 1_000, 100_000} {
		bed := newReadBed(b)
		d, name := bed.begin("p")
		var log strings.Builder
		for i := range messages {
			log.WriteString(said(fmt.Sprint("m-", i), strings.Repeat("Please fix the login. ", 15)) + "\n")
		}
		bed.write(log.String(), "p", atsf.DirName, atsf.ThreadsName, name, atsf.MessagesName)
		size, meta := int64(log.Len()), bed.read("p", name, atsf.ThreadName)
		for _, known := range []bool{true, false} {
			b.Run(fmt.Sprintf("messages=%d/known=%v", messages, known), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if !known {
						d.counts.put(name, count{})
					}
					if err := d.Append(b.Context(), name, words("", atsf.RoleUser, "one more", -1)); err != nil {
						b.Fatal(err)
					}
				}
				if err := os.Truncate(bed.threadPath("p", name, atsf.MessagesName), size); err != nil {
					b.Fatal(err)
				}
				bed.write(meta, "p", atsf.DirName, atsf.ThreadsName, name, atsf.ThreadName)
			})
		}
	}
}
