package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// Status returns the aliases, directories, limits, counts and warnings.
func (p *Panels) Status(ctx context.Context) (Status, error) { return p.statusOf(p.look(ctx)), nil }

func (p *Panels) statusOf(now *inbox) Status {
	left := countAll(now.views)
	s := Status{
		Version:      p.opt.Version,
		Person:       p.personNow(),
		Directories:  []Directory{},
		Projects:     []Project{},
		SSOTs:        []SSOT{},
		MailRoots:    []MailRoot{},
		Limits:       Limits{PageMax: MaxPage, RefsMax: MaxRefs, FrameBytes: p.opt.FrameBytes},
		LinkPatterns: mail.LinkPatterns(),
		ReadOnly:     p.settingsNow().ReadOnly,
		Unread:       left.Unread,
		NeedsReply:   left.NeedsReply,
		Needs:        now.needing().total(),
		Warnings:     []Warning{},
	}
	for _, v := range now.views {
		v.Status(&s)
	}
	s.Warnings = append(append(s.Warnings, now.away.problems()...), now.agents.problems()...)
	s.Warnings = Some(s.Warnings, Warning{Rule: "C3", Message: "and more: run signalbox validate"})
	return s
}
