package door

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/needs"
)

// Status returns the aliases, directories, limits, counts and warnings.
func (p *Panels) Status(ctx context.Context) (panel.Status, error) {
	return p.statusOf(p.At(p.LookNow(ctx))), nil
}

func (p *Panels) statusOf(now *agents.Moment) panel.Status {
	counts := now.Views.Counts()
	s := panel.Status{
		Version:      p.Options.Version,
		Person:       p.Configured().Person,
		Directories:  []panel.Directory{},
		Projects:     []panel.Project{},
		SSOTs:        []panel.SSOT{},
		MailRoots:    []panel.MailRoot{},
		Limits:       panel.Limits{PageMax: panel.MaxPage, RefsMax: panel.MaxRefs, FrameBytes: p.Options.FrameBytes},
		LinkPatterns: mail.LinkPatterns(),
		ReadOnly:     p.Configured().Settings.ReadOnly,
		Unread:       counts.Unread,
		NeedsReply:   counts.NeedsReply,
		Needs:        needs.Count(now).Total(),
		Warnings:     []panel.Warning{},
	}
	for _, v := range now.Views {
		v.Status(&s)
	}
	s.Warnings = append(append(s.Warnings, now.Shelf.Problems()...), now.Problems()...)
	s.Warnings = panel.Some(s.Warnings, panel.Warning{Rule: "C3", Message: "and more: run signalbox validate"})
	return s
}
