package panel

import (
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// The names under which formats that have no source yet reach lsp/panel/show and
// lsp/panel/place. This file goes with the last of them.
const (
	previewChars      = show.PreviewChars
	titleChars        = show.TitleChars
	participantsShown = show.ParticipantsMost
	bodyShown         = show.BodyShown
	pageBytes         = show.PageBytes
	previewBody       = show.HoverBody
	previewMost       = show.HoverMost
	lineRead          = place.LineBytes
)

func safe(s string) string                      { return show.Line(s) }
func shorten(s string) string                   { return show.Short(s) }
func within(s string) string                    { return show.Hover(s) }
func linkName(s string) string                  { return show.LinkName(s) }
func clip(s string, n int) (string, bool)       { return show.Clip(s, n) }
func shownBytes(body string) int                { return show.BodyBytes(body) }
func count(n int, one, many string) string      { return show.Count(n, one, many) }
func millis(ts int64) int64                     { return show.Millis(ts) }
func clampTime(ms int64) int64                  { return show.Time(ms) }
func joined(root, file string) string           { return place.Join(root, file) }
func inLine(p string, l int, b, w []byte) Place { return place.Word(p, l, b, w) }

func window(n int, forward bool, size func(i int) int) (from, to int) {
	return show.Window(n, forward, size)
}

func wordInFile(path string, data []byte, token string, but ...string) Place {
	return place.InText(path, data, token, but...)
}

func filePlace(root, file, token string, but ...string) Place {
	return place.InFile(root, file, token, but...)
}
