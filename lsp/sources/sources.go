// Package sources lists the formats that Signalbox reads. A new format needs a folder beside this
// one with a package source in it, and a line in [All].
package sources

import (
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	atsfsource "github.com/signalbox-dev/signalbox/lsp/atsf/source"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sampsource "github.com/signalbox-dev/signalbox/lsp/samp/source"
	sessionsource "github.com/signalbox-dev/signalbox/lsp/session/source"
)

// All returns the sources of all formats for [panel.Options.Sources], in the order in which tokens
// are looked up in them. Mail comes before tasks, because refused task messages may have any id.
func All() []panel.NewSource {
	return []panel.NewSource{sampsource.New, ampsource.New, agnsource.New, atsfsource.New, sessionsource.New}
}

// Browser returns the sources for [panel.Options.Browser]: the formats that may be in an opened
// folder. Agents' programs record their sessions outside of it.
func Browser() []panel.NewSource {
	return []panel.NewSource{sampsource.New, ampsource.New, agnsource.New, atsfsource.New}
}

// Agents returns the sources of the threads in which agents and their programs record their work.
func Agents() []panel.NewSource { return []panel.NewSource{atsfsource.New, sessionsource.New} }
