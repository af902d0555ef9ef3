package show

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/signalbox-dev/signalbox/core/render"
)

// Exact returns a text that a person has to decide on, made safe as by [render.Text]. It also shows
// characters that look like ASCII characters as numbers: the Cyrillic letter in "рaypal", or another
// character that looks like a slash or a blank. A text in another language stays as it is.
func Exact(s string) string {
	s = render.Text(s)
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		end := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) })
		switch {
		case end < 0:
			end = len(s)
		case end == 0:
			r, size := utf8.DecodeRuneInString(s)
			if looksLikeASCII(r) {
				fmt.Fprintf(&b, "⟨U+%04X⟩", r)
			} else {
				b.WriteString(s[:size])
			}
			s = s[size:]
			continue
		}
		exactWord(&b, s[:end])
		s = s[end:]
	}
	return b.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// exactWord writes a word. It writes letters of other alphabets as numbers if the word also has
// Latin letters, or if all of them look Latin.
func exactWord(b *strings.Builder, word string) {
	latin, foreign, alike := 0, 0, 0
	for _, r := range word {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.In(r, alphabets...):
			foreign++
			if strings.ContainsRune(looksLatin, r) {
				alike++
			}
		}
	}
	mark := foreign > 0 && (latin > 0 || alike == foreign)
	for _, r := range word {
		if looksLikeASCII(r) || mark && !unicode.Is(unicode.Latin, r) && r >= utf8.RuneSelf {
			fmt.Fprintf(b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
}

// alphabets have letters that look Latin. No language mixes them with Latin letters in one word.
var alphabets = []*unicode.RangeTable{
	unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu, unicode.Georgian, unicode.Tifinagh,
	unicode.Canadian_Aboriginal, unicode.Deseret, unicode.Osage, unicode.Warang_Citi, unicode.Gothic, unicode.Old_Italic, unicode.Glagolitic,
	unicode.Carian, unicode.Lycian, unicode.Lydian, unicode.Elbasan, unicode.Vai,
}

const (
	// looksLatin are letters of other alphabets that look like Latin ones.
	looksLatin = "аеорсухіјѕһԁԛԝӏьзАВЕКМНОРСТУХІЈЅԌԜ" + "αινορτυχκωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ" + "օոսհցզԱՕՍ"
	// looksASCII are characters that look like ASCII characters, besides the small capitals from
	// U+1D00.
	looksASCII = "ıɑɡɩɪʏʙɢʜʟɴʀʋꜰꜱꞌǀǃ‐‑‒–—―−⁃‘’‚‛“”„‟′″‵⁄∕⧸╱⧵∖∗⁎∣∶꞉ː܃٫，‹›≺≻；"
)

// looksLikeASCII reports whether a character looks like an ASCII character in any word: wide and
// mathematical letters, other blanks, dashes, quotes and slashes.
func looksLikeASCII(r rune) bool {
	if r < utf8.RuneSelf {
		return false
	}
	if r >= 'ᴀ' && r <= 'ᴢ' || strings.ContainsRune(looksASCII, r) {
		return true
	}
	plain := norm.NFKC.String(string(r))
	return len(plain) == utf8.RuneCountInString(plain) // all of it is ASCII
}
