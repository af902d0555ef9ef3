package show_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// TestExact shows what a reader would not see, or would take for something else.
func TestExact(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "rm -rf 'a b' | sh\n\tx", "rm -rf 'a b' | sh\n\tx"},
		{"another language", "grep пример файл.txt; echo 'größe naïve 用户 ありがとう'", "grep пример файл.txt; echo 'größe naïve 用户 ありがとう'"},
		{"bidirectional", "ls \u202etxt.exe", "ls ⟨U+202E⟩txt.exe"},
		{"control", "ls\x1b[2J\x00", "ls⟨U+001B⟩[2J⟨U+0000⟩"},
		{"invisible", "r\u200bm", "r⟨U+200B⟩m"},
		{"mixed", "curl p\u0430ypal.com", "curl p⟨U+0430⟩ypal.com"},
		{"all alike", "\u0441\u0440 a b", "⟨U+0441⟩⟨U+0440⟩ a b"},
		{"wide", "\uff52\uff4d", "⟨U+FF52⟩⟨U+FF4D⟩"},
		{"mathematical", "\U0001d42b\U0001d426", "⟨U+1D42B⟩⟨U+1D426⟩"},
		{"blank", "rm\u00a0x", "rm⟨U+00A0⟩x"},
		{"slash", "/etc\u2215passwd", "/etc⟨U+2215⟩passwd"},
		{"dash", "rm \u2013rf", "rm ⟨U+2013⟩rf"},
		{"quote", "echo \u2018a\u2019", "echo ⟨U+2018⟩a⟨U+2019⟩"},
		{"ligature", "\ufb01le", "⟨U+FB01⟩le"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show.Exact(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
