package agent

import (
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel/box"
)

// Line returns a line about somebody.
func Line(p *box.Other) string {
	parts := []string{p.Alias}
	if p.Heard != 0 {
		parts = append(parts, "last wrote "+Time(p.Heard))
	}
	if p.Tree != "" && len(p.Doing) == 0 {
		text := "no session under way in " + Quoted(p.Tree)
		if p.Branch != "" {
			text += " on branch " + Name(p.Branch)
		}
		parts = append(parts, text)
	}
	for _, d := range p.Doing {
		text := string(d.State)
		if d.For != "" {
			text += " for " + Name(d.For)
		}
		text += " since " + Time(d.Since) + " in " + d.Client
		if d.Branch != "" {
			text += " on branch " + Name(d.Branch)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}
