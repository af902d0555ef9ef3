package panel

import "github.com/signalbox-dev/signalbox/lsp/panel/show"

// When returns a time of the protocol in words; see [show.When].
func When(milli int64) string { return show.When(milli) }

// Words returns a line of Markdown that says how far a message can be trusted.
func (t Trust) Words() string {
	if t.Level == "warn" {
		return "⚠ **" + t.Label + "**"
	}
	return t.Label
}
