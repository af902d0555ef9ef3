// Package render makes untrusted text safe to show. It is the only sanitizer of
// Signalbox: the text of every message, file name and alias passes through it,
// or through its subpackage markup, before a terminal, a hover, a tree item, a
// web view or a tool shows it.
//
// Start with [Text] for text of several lines (a message body in a terminal) and [Line] for
// anything that has one line (a preview, an alias, a title). For Markdown and HTML use package
// markup, which is separate so that programs that show only plain text need no Markdown parser.
//
// # Replaced characters
//
// A character that can move the cursor, reverse the reading direction or hide
// something is never dropped, because two different texts would then look the
// same. It is shown as its number, in the form ⟨U+202E⟩. A byte that is not
// UTF-8 is shown as ⟨0xFF⟩. The replaced characters are
//
//   - C0 and C1 controls and DEL, except newline and tab;
//   - the line and paragraph separators U+2028 and U+2029, which only some
//     clients treat as a newline;
//   - every format character of Unicode (category Cf): bidirectional controls,
//     zero-width spaces and joiners, the soft hyphen, the byte order mark,
//     interlinear annotations, the tag characters U+E0000 to U+E007F;
//   - all other characters without a visible form: Hangul and Khmer fillers,
//     variation selectors, the combining grapheme joiner, blank signs such as
//     the empty Braille pattern, reserved default-ignorable code points;
//   - surrogates and noncharacters.
//
// Right-to-left scripts need none of these and are not changed. These characters
// are not replaced, because they have a meaning in their places and cannot hide
// text there:
//
//   - the variation selectors U+FE0E and U+FE0F after an emoji, or in a keycap;
//   - the zero-width joiner U+200D between two emoji (families, flags);
//   - the zero-width non-joiner U+200C between two letters of the Arabic script,
//     without which Persian cannot be spelled;
//   - the few signs that are in Cf but visible, such as U+0600 ARABIC NUMBER SIGN.
//
// The flags of England, Scotland and Wales are written with tag characters, so
// their tags are replaced: text that a program reads and a person does not see
// is usually written in tags.
//
// A text may contain a literal "⟨U+202E⟩"; it is not escaped, because it is
// harmless and because escaping it would make [Text] change its own output.
//
// The package is pure: no files, clock, network or goroutines, and only the
// standard library.
package render

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns s as text that is safe to show on several lines: valid UTF-8 in
// which newline and tab are the only controls and nothing is invisible. "\r\n"
// becomes "\n"; any other carriage return is shown as ⟨U+000D⟩.
//
// Text(Text(s)) == Text(s). When nothing needs a change it returns s itself
// without allocating. The result is at most twelve times as long as s.
func Text(s string) string {
	i := firstUnsafe(s, 0)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 64)
	start := 0
	for i < len(s) {
		b.WriteString(s[start:i])
		r, size := decode(s, i)
		if r != '\r' || i+1 >= len(s) || s[i+1] != '\n' {
			writeForm(&b, r, s[i])
		}
		start = i + size
		i = firstUnsafe(s, start)
	}
	b.WriteString(s[start:])
	return b.String()
}

// Line returns s as one line that is safe to show, at most max code points long;
// max <= 0 means no limit. Every run of white space, including newlines and tabs,
// becomes one space, and spaces at either end are removed. Other characters are
// shown as by [Text]; a ⟨U+202E⟩ form is never cut in two.
//
// If the line had to be shortened, cut is true and the line ends in "…", which
// counts as one of the max code points. Only the part of s that is shown is read,
// so a preview of a large body takes no longer than one of a small body.
func Line(s string, max int) (line string, cut bool) {
	b := lineBuilder{max: max}
	if max > 0 {
		b.text.Grow(min(len(s), max) + len("…"))
	}
	space := false
	for i := 0; i < len(s); {
		r, size := decode(s, i)
		if isSpace(r) || r == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			space = true
			i += size
			continue
		}
		if space && b.width > 0 && !b.add(" ", 1) {
			return b.cut(), true
		}
		space = false
		rest := s[i:]
		if max > 0 && len(rest) > max {
			rest = rest[:max] // read only the part of a long word that fits
		}
		if n := graphic(rest); n > 0 {
			if !b.addAll(rest[:n]) {
				return b.cut(), true
			}
			i += n
			continue
		}
		unit, width := s[i:i+size], 1
		if hidden(s, i, r, size) {
			var form strings.Builder
			writeForm(&form, r, s[i])
			unit = form.String()
			width = utf8.RuneCountInString(unit)
		}
		if !b.add(unit, width) {
			return b.cut(), true
		}
		i += size
	}
	return b.text.String(), false
}

// lineBuilder collects display units up to max code points and stores the last
// position at which an ellipsis fits.
type lineBuilder struct {
	text  strings.Builder
	max   int
	width int
	mark  int // length of text after which "…" still fits
}

// add appends one display unit of width code points and reports whether it fit.
func (b *lineBuilder) add(unit string, width int) bool {
	if b.max > 0 && b.width+width > b.max {
		return false
	}
	b.text.WriteString(unit)
	b.width += width
	if b.width < b.max {
		b.mark = b.text.Len()
	}
	return true
}

// addAll appends each ASCII character as add does, and reports whether all fit.
func (b *lineBuilder) addAll(chars string) bool {
	n := len(chars)
	if b.max > 0 {
		n = min(n, b.max-b.width)
	}
	b.text.WriteString(chars[:n])
	b.width += n
	switch {
	case b.width < b.max:
		b.mark = b.text.Len()
	case n > 0:
		b.mark = b.text.Len() - 1
	}
	return n == len(chars)
}

// graphic returns the length of the visible ASCII that s begins with.
func graphic(s string) int {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' {
			return i
		}
	}
	return len(s)
}

// cut returns the shortened line. It also removes incomplete characters at the end:
// a space, a joiner without its second emoji, a selector without its keycap.
func (b *lineBuilder) cut() string {
	return strings.TrimRight(b.text.String()[:b.mark], " \u200c\u200d\ufe0e\ufe0f") + "…"
}

// writeForm writes the visible form of r, or of the byte c if r is [invalid].
func writeForm(b *strings.Builder, r rune, c byte) {
	kind, digits, n := "⟨U+", 4, int64(r)
	if r < 0 {
		kind, digits, n = "⟨0x", 2, int64(c)
	}
	number := strings.ToUpper(strconv.FormatInt(n, 16))
	b.WriteString(kind)
	for range digits - len(number) {
		b.WriteByte('0')
	}
	b.WriteString(number)
	b.WriteString("⟩")
}
