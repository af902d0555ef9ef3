package panel

import (
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// These names give formats without a source access to lsp/panel/show and
// lsp/panel/place. Delete this file when the last of these formats has a source.
const (
	previewChars      = show.PreviewChars
	titleChars        = show.TitleChars
	participantsShown = show.ParticipantsMost
	bodyShown         = show.BodyShown
	pageBytes         = show.PageBytes
	previewBody       = show.HoverBody
	previewMost       = show.HoverMost
	recipientsShown   = RecipientsMost
)

func safe(s string) string                { return show.Line(s) }
func shorten(s string) string             { return show.Short(s) }
func linkName(s string) string            { return show.LinkName(s) }
func clip(s string, n int) (string, bool) { return show.Clip(s, n) }
func shownBytes(body string) int          { return show.BodyBytes(body) }
func clampTime(ms int64) int64            { return show.Time(ms) }
func joined(root, file string) string     { return place.Join(root, file) }

func window(n int, forward bool, size func(i int) int) (from, to int) {
	return show.Window(n, forward, size)
}

func wordInFile(path string, data []byte, token string, but ...string) Place {
	return place.InText(path, data, token, but...)
}

func filePlace(root, file, token string, but ...string) Place {
	return place.InFile(root, file, token, but...)
}

func trustWords(t Trust) string { return t.Words() }

func (c *ComposePreview) object(severity DraftSeverity, rule, field, message string) {
	c.Object(severity, rule, field, message)
}
