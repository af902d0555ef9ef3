package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// Status returns the aliases, directories, limits, counts and warnings.
func (p *Panels) Status(ctx context.Context) (Status, error) {
	return p.statusOf(p.At(p.LookNow(ctx))), nil
}

func (p *Panels) statusOf(now *Moment) Status {
	left := now.Views.Counts()
	s := Status{
		Version:      p.Options.Version,
		Person:       p.Configured().Person,
		Directories:  []Directory{},
		Projects:     []Project{},
		SSOTs:        []SSOT{},
		MailRoots:    []MailRoot{},
		Limits:       Limits{PageMax: MaxPage, RefsMax: MaxRefs, FrameBytes: p.Options.FrameBytes},
		LinkPatterns: mail.LinkPatterns(),
		ReadOnly:     p.Configured().Settings.ReadOnly,
		Unread:       left.Unread,
		NeedsReply:   left.NeedsReply,
		Needs:        CountNeeds(now).Total(),
		Warnings:     []Warning{},
	}
	for _, v := range now.Views {
		v.Status(&s)
	}
	s.Warnings = append(append(s.Warnings, now.Away.Problems()...), now.Problems()...)
	s.Warnings = Some(s.Warnings, Warning{Rule: "C3", Message: "and more: run signalbox validate"})
	return s
}
