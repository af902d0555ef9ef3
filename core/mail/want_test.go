package mail_test

import (
	"os"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// TestWantOf checks the cases of the table.
func TestWantOf(t *testing.T) {
	data, err := os.ReadFile("testdata/wants.txt")
	if err != nil {
		t.Fatal(err)
	}
	signs := map[mail.Want]string{mail.Nothing: "-", mail.Reply: "+", mail.Answer: "+", mail.Unsure: "?"}
	cases := make(map[string]int)
	for line := range strings.Lines(string(data)) {
		want, text, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !ok || want == "#" {
			continue
		}
		cases[want]++
		text = strings.ReplaceAll(text, `\n`, "\n")
		if got := signs[mail.WantOf(text)]; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for _, sign := range signs {
		if cases[sign] < 15 {
			t.Errorf("only %d cases of %s", cases[sign], sign)
		}
	}
	if mail.WantOf(strings.Repeat("All is well. ", 1000)+"Please merge it.") != mail.Reply {
		t.Error("what stands at the end of a long text is not read")
	}
	for _, text := range []string{"", "\xff\xfe", "Done. " + strings.Repeat("All done. ", 100), strings.Repeat("x://y ", 10_000)} {
		if mail.WantOf(text) != mail.Unsure {
			t.Errorf("%.20q is understood", text)
		}
	}
}
