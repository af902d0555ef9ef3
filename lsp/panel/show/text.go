// Package show makes what strangers wrote fit to be shown: cut to a size, on one
// line, in the units of the protocol. The panels and every source of theirs use it,
// so that all formats look alike.
package show

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
)

// The sizes of what is shown.
const (
	// PreviewChars and TitleChars bound the preview and the title in a list.
	PreviewChars = 200
	TitleChars   = 200
	// BodyShown is the length in bytes up to which a thread shows a body whole. Of a
	// longer one it shows the first BodyBegin bytes, which takes a window no time to
	// lay out. The item says that it was cut, and a command shows the whole.
	BodyShown = 64 << 10
	BodyBegin = 16 << 10
	// PageBytes bounds a page, so that it fits a frame whatever it holds.
	PageBytes = 6 << 20
	// HoverBytes bounds a preview, and HoverBody how much of it one message takes.
	HoverBytes = 4096
	HoverBody  = 1800
	// HoverMost is the largest number of messages in a preview.
	HoverMost = 20
	// ParticipantsMost bounds the names in a list item: hostile threads have thousands.
	ParticipantsMost = 12
)

// Line makes a stranger's text one line that can be shown anywhere.
func Line(s string) string {
	line, _ := render.Line(s, 500)
	return line
}

// Title makes a text the title of a thread.
func Title(s string) string {
	line, _ := render.Line(s, TitleChars)
	return line
}

// Short makes a name short enough to stand among others.
func Short(s string) string {
	line, _ := render.Line(s, 100)
	return line
}

// LinkName returns the name of a thread for a link, neither cut nor escaped. It is
// empty where no link can hold the name.
func LinkName(name string) string {
	if len(name) > mail.MaxName || Line(name) != name {
		return ""
	}
	return name
}

// Count words a number of things.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Clip cuts a text to at most n bytes, between two characters.
func Clip(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

// BodyBytes returns how much of a body a thread shows.
func BodyBytes(body string) int {
	if len(body) <= BodyShown {
		return BodyShown
	}
	return BodyBegin
}

// HTML renders a body as safe HTML.
func HTML(s string) string {
	if s == "" {
		return ""
	}
	return markup.HTML(s, markup.Options{TopHeading: 3, MaxBytes: 2 * BodyShown})
}

// Hover cuts a preview that is too long, at the end of a line. Its parts are
// bounded, so this happens only where there are many long names.
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

// Window returns the part of n messages that fits a frame, at least one, from the
// end at which the page begins. What does not fit is on the next page. It asks size
// for one message after the other, and for none behind the first that does not fit.
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
