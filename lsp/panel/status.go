package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// The limits of requests, which [Limits] reports to clients.
const (
	// MaxPage is the largest number of threads or messages in a page.
	MaxPage = 200
	// MaxRefs is the largest number of tokens in one request.
	MaxRefs = 50

	pageDefault = 50
)

// MaxWarnings is the largest number of problems that a status, an inbox or a thread
// lists.
const MaxWarnings = 20

// Status returns the aliases, directories, limits, counts and warnings.
func (p *Panels) Status(context.Context) (Status, error) { return p.status(), nil }

func (p *Panels) status() Status {
	away := p.shelfNow()
	views := p.views(context.Background(), away)
	left := countAll(views)
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
	s.Warnings = append(s.Warnings, away.problems()...)
	s.Warnings = Some(s.Warnings, Warning{Rule: "C3", Message: "and more: run signalbox validate"})
	return s
}

// Some returns the first [MaxWarnings] warnings of a list, followed by more if any were
// cut.
func Some(list []Warning, more Warning) []Warning {
	if len(list) <= MaxWarnings {
		return list
	}
	return append(list[:MaxWarnings], more)
}

// Problem returns a warning about a file: its path, the reason and the advice in one
// sanitized line.
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
