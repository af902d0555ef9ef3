package render_test

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
)

func TestText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "hello, world", "hello, world"},
		{"newline and tab", "a\n\tb\n", "a\n\tb\n"},
		{"crlf", "a\r\nb\r\n", "a\nb\n"},
		{"lone cr", "good\rbad", "good⟨U+000D⟩bad"},
		{"cr cr lf", "a\r\r\nb", "a⟨U+000D⟩\nb"},
		{"cr at end", "a\r", "a⟨U+000D⟩"},
		{"nul", "a\x00b", "a⟨U+0000⟩b"},
		{"escape sequence", "\x1b[31mred\x1b[0m", "⟨U+001B⟩[31mred⟨U+001B⟩[0m"},
		{"escape after eight bytes", "12345678\x1b", "12345678⟨U+001B⟩"},
		{"bell, backspace, delete", "\a\b\x7f", "⟨U+0007⟩⟨U+0008⟩⟨U+007F⟩"},
		{"delete in a word", "abc\x7fdefgh", "abc⟨U+007F⟩defgh"},
		{"tilde beside delete", "~~~~~~~~\x7f", "~~~~~~~~⟨U+007F⟩"},
		{"c1 csi", "a\u009b31m", "a⟨U+009B⟩31m"},
		{"next line", "a\u0085b", "a⟨U+0085⟩b"},
		{"line and paragraph separator", "a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"},
		{"right-to-left override", "a\u202egnp.exe", "a⟨U+202E⟩gnp.exe"},
		{"embeddings", "\u202a\u202b\u202c\u202d", "⟨U+202A⟩⟨U+202B⟩⟨U+202C⟩⟨U+202D⟩"},
		{"isolates", "\u2066\u2067\u2068\u2069", "⟨U+2066⟩⟨U+2067⟩⟨U+2068⟩⟨U+2069⟩"},
		{"marks", "\u061c\u200e\u200f", "⟨U+061C⟩⟨U+200E⟩⟨U+200F⟩"},
		{"zero width", "a\u200bb\u200cc\u200dd", "a⟨U+200B⟩b⟨U+200C⟩c⟨U+200D⟩d"},
		{"soft hyphen", "a\u00adb", "a⟨U+00AD⟩b"},
		{"word joiner and invisible operators", "\u2060\u2061\u2062\u2063\u2064", "⟨U+2060⟩⟨U+2061⟩⟨U+2062⟩⟨U+2063⟩⟨U+2064⟩"},
		{"byte order mark", "\ufeffa", "⟨U+FEFF⟩a"},
		{"mongolian vowel separator", "a\u180eb", "a⟨U+180E⟩b"},
		{"grapheme joiner", "a\u034fb", "a⟨U+034F⟩b"},
		{"interlinear annotation", "\ufff9a\ufffab\ufffb", "⟨U+FFF9⟩a⟨U+FFFA⟩b⟨U+FFFB⟩"},
		{"tag characters", "a\U000e0001\U000e0041\U000e007f", "a⟨U+E0001⟩⟨U+E0041⟩⟨U+E007F⟩"},
		{"supplementary selectors", "a\U000e0100\U000e01ef", "a⟨U+E0100⟩⟨U+E01EF⟩"},
		{"signs without ink", "\u2800\U00013441\U00013442\U0001d159", "⟨U+2800⟩⟨U+13441⟩⟨U+13442⟩⟨U+1D159⟩"},
		{"hangul fillers", "\u115f\u1160\u3164\uffa0", "⟨U+115F⟩⟨U+1160⟩⟨U+3164⟩⟨U+FFA0⟩"},
		{"blank braille", "a\u2800", "a⟨U+2800⟩"},
		{"musical format", "\U0001d173", "⟨U+1D173⟩"},
		{"noncharacters", "\ufffe\uffff\ufdd0\U0010ffff", "⟨U+FFFE⟩⟨U+FFFF⟩⟨U+FDD0⟩⟨U+10FFFF⟩"},
		{"selector after a letter", "a\ufe0f", "a⟨U+FE0F⟩"},
		{"selector after a digit alone", "1\ufe0f", "1⟨U+FE0F⟩"},
		{"second selector", "❤\ufe0f\ufe0f", "❤\ufe0f⟨U+FE0F⟩"},
		{"invalid byte", "a\xffb", "a⟨0xFF⟩b"},
		{"truncated character", "a\xe2\x82", "a⟨0xE2⟩⟨0x82⟩"},
		{"overlong", "\xc0\xaf", "⟨0xC0⟩⟨0xAF⟩"},
		{"surrogate", "a\xed\xa0\x80b\xed\xbf\xbf", "a⟨U+D800⟩b⟨U+DFFF⟩"},
		{"replacement character", "a\ufffdb", "a\ufffdb"},
		{"own form", "⟨U+202E⟩", "⟨U+202E⟩"},
		{"arabic", "مرحبا بالعالم، كيف حالك؟", "مرحبا بالعالم، كيف حالك؟"},
		{"arabic signs in Cf", "\u0600\u06dd", "\u0600\u06dd"},
		{"hebrew with points", "שָׁלוֹם עוֹלָם", "שָׁלוֹם עוֹלָם"},
		{"persian non-joiner", "می\u200cخواهم", "می\u200cخواهم"},
		{"non-joiner at the edge of a word", "می\u200c x", "می⟨U+200C⟩ x"},
		{"chinese, japanese, korean", "你好 こんにちは 안녕하세요", "你好 こんにちは 안녕하세요"},
		{"combining marks", "e\u0301 क्षि", "e\u0301 क्षि"},
		{"emoji family", "👨\u200d👩\u200d👧\u200d👦", "👨\u200d👩\u200d👧\u200d👦"},
		{"rainbow flag", "🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"},
		{"country flag", "🇮🇱🇩🇪", "🇮🇱🇩🇪"},
		{"skin tone", "👩🏽\u200d💻", "👩🏽\u200d💻"},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"joiner after emoji only", "👨\u200dx", "👨⟨U+200D⟩x"},
		{"joiner twice", "👨\u200d\u200d👩", "👨⟨U+200D⟩⟨U+200D⟩👩"},
		{"flag of England", "🏴\U000e0067\U000e007f", "🏴⟨U+E0067⟩⟨U+E007F⟩"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := render.Text(tt.in)
			if got != tt.want {
				t.Errorf("Text(%+q)\n got %+q\nwant %+q", tt.in, got, tt.want)
			}
			checkText(t, tt.in)
		})
	}
}

// Every position in and around the eight-byte word must be tested.
func TestTextFindsEveryPosition(t *testing.T) {
	for _, bad := range []string{"\x00", "\x1f", "\x7f", "\x80", "\u0080", "\u202e", "\r"} {
		for n := range 40 {
			in := strings.Repeat("a", n) + bad + strings.Repeat("~", 20)
			if got := render.Text(in); !strings.Contains(got, "⟨") {
				t.Errorf("Text(%+q) = %+q", in, got)
			}
		}
	}
}

func TestTextAllocatesNothingForCleanText(t *testing.T) {
	for _, in := range []string{strings.Repeat("plain ASCII\n", 100), strings.Repeat("שלום ", 100), "👨\u200d👩"} {
		if n := testing.AllocsPerRun(10, func() { _ = render.Text(in) }); n != 0 {
			t.Errorf("Text(%.20q) allocates %v times", in, n)
		}
	}
}

func TestLine(t *testing.T) {
	tests := []struct {
		name, in string
		max      int
		want     string
		cut      bool
	}{
		{"empty", "", 5, "", false},
		{"only space", " \n\t ", 5, "", false},
		{"fits exactly", "hello", 5, "hello", false},
		{"trailing space does not count", "hello  \n", 5, "hello", false},
		{"one too long", "hello!", 5, "hell…", true},
		{"no limit", strings.Repeat("a", 300), 0, strings.Repeat("a", 300), false},
		{"the largest limit", "a b", math.MaxInt, "a b", false},
		{"max one", "ab", 1, "…", true},
		{"max one fits", "a", 1, "a", false},
		{"newlines and tabs", "a\r\nb\n\n\tc", 0, "a b c", false},
		{"wide gap", "safe" + strings.Repeat(" ", 500) + "rm", 0, "safe rm", false},
		{"unicode spaces", "a\u00a0\u3000b", 0, "a b", false},
		{"lone cr", "a\rb", 0, "a⟨U+000D⟩b", false},
		{"override", "a\u202eb", 0, "a⟨U+202E⟩b", false},
		{"form fits exactly", "a\u202e", 9, "a⟨U+202E⟩", false},
		{"form is not cut in two", "a\u202e", 8, "a…", true},
		{"cut after a space", "ab cd", 4, "ab…", true},
		{"code points, not bytes", "שלום", 4, "שלום", false},
		{"joiner is not left behind", "👨\u200d👩x", 3, "👨…", true},
		{"selector is not left behind", "1\ufe0f\u20e3x", 3, "1…", true},
		{"invalid", "\xff", 0, "⟨0xFF⟩", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := render.Line(tt.in, tt.max)
			if got != tt.want || cut != tt.cut {
				t.Errorf("Line(%+q, %d) = %+q, %v; want %+q, %v", tt.in, tt.max, got, cut, tt.want, tt.cut)
			}
			checkLine(t, tt.in, tt.max)
		})
	}
}

// checkText checks the properties of Text's result for any input.
func checkText(t *testing.T, in string) {
	t.Helper()
	out := render.Text(in)
	if !utf8.ValidString(out) {
		t.Errorf("Text(%+q) = %+q is not UTF-8", in, out)
	}
	for i, r := range out {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("Text(%+q) = %+q has %U at %d", in, out, r, i)
		}
	}
	if again := render.Text(out); again != out {
		t.Errorf("Text(Text(%+q)) = %+q, once is %+q", in, again, out)
	}
	if len(out) > 12*len(in) {
		t.Errorf("Text(%+q): %d bytes became %d", in, len(in), len(out))
	}
}

// checkLine checks the properties of Line's result for any input.
func checkLine(t *testing.T, in string, limit int) {
	t.Helper()
	out, cut := render.Line(in, limit)
	if n := utf8.RuneCountInString(out); limit > 0 && n > limit {
		t.Errorf("Line(%+q, %d) = %+q has %d code points", in, limit, out, n)
	}
	if strings.ContainsAny(out, "\n\t") || out != render.Text(out) {
		t.Errorf("Line(%+q, %d) = %+q is not one safe line", in, limit, out)
	}
	// Words of ASCII are taken whole, others a character at a time.
	if utf8.ValidString(in) && !strings.ContainsAny(in, "\ufe0e\ufe0f") {
		slow, slowCut := render.Line(strings.Map(accented, in), limit)
		if strings.Map(accented, out) != strings.Map(accented, slow) || cut != slowCut {
			t.Errorf("Line(%+q, %d) = %+q, %v; a character at a time it is %+q, %v", in, limit, out, cut, slow, slowCut)
		}
	}
	whole, _ := render.Line(in, 0)
	if cut != (out != whole) || cut && !strings.HasSuffix(out, "…") {
		t.Errorf("Line(%+q, %d) = %+q, %v; whole is %+q", in, limit, out, cut, whole)
	}
}

// accented returns another letter for each visible character of ASCII.
func accented(r rune) rune {
	if r > ' ' && r <= '~' {
		return 0x100 + r
	}
	return r
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"plain", "a\r\nb\r", "\x1b[31m", "a\u202eb", "👨\u200d👩\ufe0f\u200d👧", "1\ufe0f\u20e3", "می\u200cخواهم",
		"\xed\xa0\x80", "\xff\xfe", "a\U000e0041", "12345678\x7f",
	} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		checkText(t, s)
		checkLine(t, s, limit)
	})
}

func BenchmarkText(b *testing.B) {
	inputs := []struct{ name, text string }{
		{"ascii", strings.Repeat("The quick brown fox jumps over the lazy dog, and then some more.\n", 1000)},
		{"hebrew", strings.Repeat("דג סקרן שט בים מאוכזב ולפתע מצא חברה\n", 1000)},
		{"dirty", strings.Repeat("an override \u202e and an escape \x1b[0m\r\n", 1000)},
	}
	for _, in := range inputs {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				_ = render.Text(in.text)
			}
		})
	}
}

func BenchmarkLine(b *testing.B) {
	for name, body := range map[string]string{
		"words":    strings.Repeat("A body of which a preview shows the beginning. ", 20000),
		"one-word": strings.Repeat("a", 1_000_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = render.Line(body, 200)
			}
		})
	}
}
