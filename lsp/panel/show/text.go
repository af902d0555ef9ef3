// Package show prepares strangers' text and times for display: safe, cut to a size, on one line,
// in the units of the protocol. The panels and all sources use it, so that all formats look
// alike.
package show

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
)

// The limits of what is shown.
const (
	// PreviewChars and TitleChars are the largest lengths of a preview and a title in a
	// list, in code points.
	PreviewChars = 200
	TitleChars   = 200
	// BodyShown is the length in bytes of the longest body that a thread shows in full. It
	// shows the first BodyBegin bytes of a longer body, which a window lays out quickly, and
	// marks it as cut. A command shows the whole body.
	BodyShown = 64 << 10
	BodyBegin = 16 << 10
	// PageBytes is the largest size of a page in bytes. Such a page fits a frame, whatever its
	// content.
	PageBytes = 6 << 20
	// HoverBytes is the largest size of a preview in bytes, and HoverBody the largest size of
	// one message in it.
	HoverBytes = 4096
	HoverBody  = 1800
	// HoverMost is the largest number of messages in a preview.
	HoverMost = 20
	// ParticipantsMost is the largest number of names in a list item: hostile threads
	// have thousands.
	ParticipantsMost = 12
)

// Line returns a stranger's text as one line of at most 500 code points that is safe to
// show anywhere.
func Line(s string) string {
	line, _ := render.Line(s, 500)
	return line
}

// Title returns a text as the title of a thread: one safe line of at most TitleChars.
func Title(s string) string {
	line, _ := render.Line(s, TitleChars)
	return line
}

// Short returns a name as one safe line of at most 100 code points, for lists of names.
func Short(s string) string {
	line, _ := render.Line(s, 100)
	return line
}

// LinkName returns the name of a thread for a link, neither cut nor escaped. It returns
// "" if no link can hold the name.
func LinkName(name string) string {
	if len(name) > mail.MaxName || Line(name) != name {
		return ""
	}
	return name
}

// Count returns a number with the noun that fits it, one or many: "1 message", "2
// messages".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Clip returns a text cut to at most n bytes, between two characters, and reports whether it
// was cut.
func Clip(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

// BodyBytes returns the largest number of bytes that a thread shows of a body.
func BodyBytes(body string) int {
	if len(body) <= BodyShown {
		return BodyShown
	}
	return BodyBegin
}

// HTML returns a body, taken as Markdown, as safe HTML.
func HTML(s string) string {
	if s == "" {
		return ""
	}
	return markup.HTML(s, markup.Options{TopHeading: 3, MaxBytes: 2 * BodyShown})
}

// Hover returns a preview cut to HoverBytes, at the end of a line, with a note that it
// was cut. The parts of a preview are bounded, so only many long names make it that
// long.
func Hover(s string) string {
	if len(s) <= HoverBytes {
		return s
	}
	const note = "\n\n*(cut: open the thread for the rest)*"
	s, _ = Clip(s, HoverBytes-len(note))
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		s = s[:i]
	}
	return s + note
}

// Window returns the range of n messages that fits a frame. If forward is set it begins with the
// first message, otherwise it ends with the last. It has at least one message. The others are left
// for the next page. size is called for one message after another, up to the first that does not
// fit.
func Window(n int, forward bool, size func(i int) int) (from, to int) {
	room := PageBytes
	for i := range n {
		at := i
		if !forward {
			at = n - 1 - i
		}
		if room -= size(at); room < 0 && i > 0 {
			if forward {
				return 0, at
			}
			return at + 1, n
		}
	}
	return 0, n
}
