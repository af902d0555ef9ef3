package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// The sizes that requests are limited to, as [Limits] tells them to clients.
const (
	// MaxPage is the largest page, in threads or messages.
	MaxPage = 200
	// MaxRefs is the number of tokens that are resolved at once.
	MaxRefs = 50

	pageDefault = 50
)

// MaxWarnings bounds the problems that a status, an inbox or a thread lists.
const MaxWarnings = 20

// Status describes aliases, directories and limits.
func (p *Panels) Status(context.Context) (Status, error) { return p.status(), nil }

func (p *Panels) status() Status {
	signed := p.mailNow(context.Background())
	views := p.views(context.Background(), signed.shelf)
	left := tallyAll(&signed, views)
	p.mu.RLock()
	defer p.mu.RUnlock()
	s := Status{
		Version:      p.opt.Version,
		Directories:  []Directory{},
		Projects:     []Project{},
		SSOTs:        []SSOT{},
		MailRoots:    []MailRoot{},
		Limits:       Limits{PageMax: MaxPage, RefsMax: MaxRefs, FrameBytes: p.opt.FrameBytes},
		LinkPatterns: mail.LinkPatterns(),
		ReadOnly:     p.settings.ReadOnly,
		Unread:       left.Unread,
		NeedsReply:   left.NeedsReply,
		Warnings:     []Warning{},
	}
	for _, v := range views {
		v.Status(&s)
	}
	if p.mail != nil && signed.ID != "" {
		s.Indexing = s.Indexing || !signed.Ready
		if p.mail.shown(&signed) {
			s.MailRoots = append(s.MailRoots, p.mail.status(&signed))
		}
		s.Warnings = append(s.Warnings, signed.problems()...)
	}
	s.Warnings = append(s.Warnings, signed.shelf.problems()...)
	s.Warnings = Some(s.Warnings, Warning{Rule: "C3", Message: "and more: run signalbox validate"})
	return s
}

// Some cuts a list of warnings and says where the others are to be found.
func Some(list []Warning, more Warning) []Warning {
	if len(list) <= MaxWarnings {
		return list
	}
	return append(list[:MaxWarnings], more)
}

// Problem words something that is wrong with a file.
func Problem(path, rule, reason, advice string) Warning {
	message := reason
	if path != "" {
		message = path + ": " + message
	}
	if advice != "" {
		message += "; " + advice
	}
	return Warning{Rule: rule, Message: show.Line(message)}
}
