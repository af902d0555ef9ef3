package panel

import "github.com/signalbox-dev/signalbox/lsp/panel/show"

// When words a time of the protocol; see [show.When].
func When(milli int64) string { return show.When(milli) }

// Words says in a line how far a message can be believed.
func (t Trust) Words() string {
	if t.Level == "warn" {
		return "⚠ **" + t.Label + "**"
	}
	return t.Label
}
