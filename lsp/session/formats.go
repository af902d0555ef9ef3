//go:build !js

package session

import (
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/claude"
	"github.com/signalbox-dev/signalbox/core/session/codex"
	"github.com/signalbox-dev/signalbox/core/session/copilot"
	"github.com/signalbox-dev/signalbox/core/session/gemini"
)

// Formats returns the formats of all programs.
func Formats() []*session.Format {
	return []*session.Format{claude.Format(), codex.Format(), gemini.Format(), copilot.Format()}
}
