package cli

import (
	"strings"
	"testing"
	"unicode"

	"github.com/signalbox-dev/signalbox/core/render"
)

// TestReveal: nothing in a command pushes the rest of it out of sight, whatever
// characters its blanks are (ATSF Z11: consent).
func TestReveal(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"a b":                                 "a b",
		"\ta\n":                               "\ta\n",
		"  a\n\n":                             "  a\n\n",
		"a\n\n\nb":                            "a\n\n\nb",
		"a" + strings.Repeat(" ", 32) + "b":   "a" + strings.Repeat(" ", 32) + "b",
		"a" + strings.Repeat(" ", 33) + "b":   "a⟨33 blanks⟩b",
		"a" + strings.Repeat("\t ", 20) + "b": "a⟨40 blanks⟩b",
		"a" + strings.Repeat("\n", 100) + "b": "a\n⟨99 empty lines⟩\nb",
		strings.Repeat(" ", 40) + strings.Repeat("\n", 40):    "⟨40 blanks⟩\n⟨39 empty lines⟩\n",
		"a\n" + strings.Repeat(strings.Repeat(" ", 40), 2):    "a\n⟨80 blanks⟩",
		"a\n \n \n \n" + strings.Repeat(" ", 33) + "\n" + "b": "a\n⟨4 empty lines⟩\nb",
		"a" + strings.Repeat("\n\u3000\t", 9) + "b":           "a\n⟨8 empty lines⟩\n\u3000\tb",
		"a" + strings.Repeat("\r\n", 9) + "b":                 "a\n⟨8 empty lines⟩\nb",
		"é" + strings.Repeat("\u3000", 40) + "é":              "é⟨40 blanks⟩é",
		"a" + strings.Repeat(" \u00a0\u2003\u202f", 10) + "b": "a⟨40 blanks⟩b",
		"a" + strings.Repeat("\u1680\u2000\u205f", 11) + "b":  "a⟨33 blanks⟩b",
	} {
		if got := reveal(render.Text(text)); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	for r := range rune(unicode.MaxRune) {
		if !unicode.IsSpace(r) || r == '\n' {
			continue
		}
		got := reveal(render.Text("a" + strings.Repeat(string(r), maxBlank+1) + "b"))
		if strings.Count(got, string(r)) > maxBlank {
			t.Errorf("%U is shown as it is: %q", r, got)
		}
	}
}
