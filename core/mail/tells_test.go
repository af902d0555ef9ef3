package mail_test

import (
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// TestTellsOnly decides the cases of the table.
func TestTellsOnly(t *testing.T) {
	data, err := os.ReadFile("testdata/tells.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(data)) {
		want, text, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !ok || want == "#" {
			continue
		}
		cases++
		text = strings.ReplaceAll(text, `\n`, "\n")
		if got := mail.TellsOnly(text); got != (want == "-") {
			t.Errorf("%q tells only: %v", text, got)
		}
	}
	if cases < 50 {
		t.Errorf("only %d cases", cases)
	}
	if mail.TellsOnly("") || mail.TellsOnly("\xff\xfe") || mail.TellsOnly("Done. "+strings.Repeat("All done. ", 100)) {
		t.Error("a text of no words, or a long one, tells only")
	}
}
