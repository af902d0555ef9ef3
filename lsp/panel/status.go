package panel

import (
	"context"
	"errors"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store"
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
	stores, _, _ := p.snapshot()
	left := tallyAll(stores, &signed, views)
	p.mu.RLock()
	defer p.mu.RUnlock()
	s := Status{
		Version: p.opt.Version,
		Alias:   safe(p.alias.Value), AliasOrigin: p.alias.Origin, AliasValid: samp.CheckAlias(p.alias.Value) == nil,
		Profile: p.profile.String(), ProfileOrigin: p.origin,
		Directories:  []Directory{},
		Projects:     []Project{},
		SSOTs:        []SSOT{},
		MailRoots:    []MailRoot{},
		Limits:       Limits{BodyChars: samp.MaxBody, PageMax: MaxPage, RefsMax: MaxRefs, FrameBytes: p.opt.FrameBytes},
		LinkPatterns: mail.LinkPatterns(),
		ReadOnly:     p.settings.ReadOnly,
		Unread:       left.Unread,
		NeedsReply:   left.NeedsReply,
		Warnings:     append([]Warning{}, p.notes...),
	}
	if err := samp.CheckAlias(p.alias.Value); err != nil {
		s.Warnings = append(s.Warnings, Warning{Rule: "L2", Message: safe(err.Error())})
	}
	for i, o := range p.stores {
		stats := o.live.Stats()
		if i == 0 && p.auto {
			s.Profile = stats.Profile.String()
			if stats.Proven {
				s.ProfileOrigin = "the newest record in the directory"
			}
		}
		s.Directories = append(s.Directories, directory(o, stats))
		s.Indexing = s.Indexing || stats.Indexing
		s.Warnings = append(s.Warnings, problems(stats)...)
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

func directory(o opened, stats store.Stats) Directory {
	d := Directory{
		Path: safe(stats.Path), Origin: o.origin, OK: stats.Exists, Exists: stats.Exists, Writable: stats.Writable,
		Store: stats.ID, Logs: stats.Logs, Messages: stats.Messages, Malformed: stats.Malformed, Suspicious: stats.Suspicious,
	}
	if stats.Err != nil {
		d.Error = safe(stats.Err.Error())
		// A directory that is not there yet is made by the first message.
		d.Exists = stats.Exists || !errors.Is(stats.Err, fs.ErrNotExist)
	}
	return d
}

func problems(stats store.Stats) []Warning {
	var list []Warning
	for _, pr := range stats.Problems {
		list = append(list, Warning{Rule: pr.Rule, Message: safe(pr.File + ": " + pr.Reason)})
	}
	if stats.Malformed > 0 {
		list = append(list, Warning{Rule: "R3", Message: count(stats.Malformed, "line is", "lines are") + " no record; signalbox validate lists them"})
	}
	if stats.Suspicious > 0 {
		list = append(list, Warning{Rule: "L4", Message: count(stats.Suspicious, "record claims", "records claim") + " a sender who never wrote it; see the suspicious filter"})
	}
	return list
}
