package source

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// chooseProfile sets the form of new ids and its origin. It returns a warning about an
// invalid choice that it skipped (I1).
func (s *source) chooseProfile(in *panel.Setup, now *state) (notes []panel.Warning) {
	now.profile, now.auto, now.origin = samp.V1, true, "default"
	for _, c := range []environ.Choice{
		{Value: s.host.Options.Profile, Origin: "--profile"},
		{Value: in.Env.Getenv("SIGNALBOX_PROFILE"), Origin: "SIGNALBOX_PROFILE"},
		{Value: string(in.Settings.Profile), Origin: "setting"},
	} {
		if c.Value == "" {
			continue
		}
		profile, ok := samp.ParseProfile(c.Value)
		switch {
		case c.Value == "auto":
			now.origin = c.Origin
		case ok:
			now.profile, now.auto, now.origin = profile, false, c.Origin
		default:
			line, _ := render.Line(c.Value, 40)
			notes = []panel.Warning{{Rule: "I1", Message: "profile \"" + line + "\" (" + c.Origin + ") is not one of auto, v1, v1-compact"}}
			continue
		}
		break
	}
	return notes
}

// locate returns the message directories to open, and the first of them as a place (L3). A
// flag or variable sets one directory; the setting may contain several.
func (s *source) locate(in *panel.Setup) (choices []environ.Choice, first who.Place) {
	configured := ""
	if len(in.Settings.Directories) > 0 {
		configured = in.Settings.Directories[0]
	}
	first = who.Directory(in.Env, s.host.Options.Dir, configured)
	choices = []environ.Choice{first.Choice}
	if first.Origin != "setting signalbox.directories" {
		return choices, first
	}
	for _, dir := range in.Settings.Directories[1:] {
		path := in.Env.Expand(dir)
		if dir != "" && !slices.ContainsFunc(choices, func(o environ.Choice) bool { return o.Value == path }) {
			choices = append(choices, environ.Choice{Value: path, Origin: first.Origin})
		}
	}
	return choices, first
}

// otherDir is the message directory at the second of the two default places. text is the
// warning about the mail there, and signature the directory's when that mail was counted.
type otherDir struct {
	place     who.Place
	mu        sync.Mutex // guards the fields below
	signature sampstore.Signature
	text      string
}

// warning returns a warning about unread mail in the directory, if there is any. It counts the
// mail again if the directory changed.
func (e *otherDir) warning(ctx context.Context, me, stateDir string, now time.Time) []panel.Warning {
	if e.place.Other == "" {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if sig, err := signatureOf(e.place.Other); err == nil && sig != e.signature {
		if text, err := e.place.Elsewhere(ctx, me, stateDir, now); err == nil {
			e.signature, e.text = sig, text
		}
	}
	if e.text == "" {
		return nil
	}
	return []panel.Warning{{Rule: "L3", Message: show.Line(e.text)}}
}

func signatureOf(dir string) (sampstore.Signature, error) {
	d, err := sampstore.Open(dir)
	if err != nil {
		return sampstore.Signature{}, err
	}
	defer d.Close()
	return d.Signature()
}

// Status adds the alias, the form of new ids, and the directories.
func (v *view) Status(s *panel.Status) {
	bad := samp.CheckAlias(v.alias.Value)
	s.Alias, s.AliasOrigin, s.AliasValid = show.Line(v.alias.Value), v.alias.Origin, bad == nil
	s.Profile, s.ProfileOrigin = v.profile.String(), v.origin
	s.Limits.BodyChars = samp.MaxBody
	s.Warnings = append(append(s.Warnings, v.notes...), v.setupWarnings()...)
	if bad != nil && !(v.source.host.Options.Browser && v.alias.Value == "") {
		s.Warnings = append(s.Warnings, panel.Warning{Rule: "L2", Message: show.Line(bad.Error())})
	}
	for i, o := range v.stores {
		stats := o.live.Stats()
		if i == 0 && v.auto {
			s.Profile = stats.Profile.String()
			if stats.Proven {
				s.ProfileOrigin = "the newest record in the directory"
			}
		}
		s.Directories = append(s.Directories, directory(&o, &stats))
		s.Indexing = s.Indexing || stats.Indexing
		s.Warnings = append(s.Warnings, problems(&stats)...)
	}
}

func directory(o *opened, stats *index.Stats) panel.Directory {
	d := panel.Directory{
		Path: show.Line(stats.Path), Origin: o.origin, OK: stats.Exists, Exists: stats.Exists, Writable: stats.Writable,
		Store: stats.ID, Logs: stats.Logs, Messages: stats.Messages, Malformed: stats.Malformed, Suspicious: stats.Suspicious,
	}
	if stats.Err != nil {
		d.Error = show.Line(stats.Err.Error())
		// Sending the first message creates a directory that does not exist yet.
		d.Exists = stats.Exists || !errors.Is(stats.Err, fs.ErrNotExist)
	}
	return d
}

func (v *view) Problems() (list []panel.Warning) {
	list = v.setupWarnings()
	for _, s := range v.stores {
		stats := s.live.Stats()
		list = append(list, problems(&stats)...)
	}
	return list
}

// setupWarnings returns the warnings about the user's alias and the place of their mail.
func (v *view) setupWarnings() (list []panel.Warning) {
	if v.unnamed != nil {
		list = append(list, panel.Warning{Rule: "L2", Message: show.Line(v.unnamed.Error())})
	}
	return append(list, v.second.warning(context.Background(), v.alias.Value, v.stateDir, v.source.host.Options.Now())...)
}

// problems returns the warnings about the logs of a directory.
func problems(stats *index.Stats) (list []panel.Warning) {
	for _, pr := range stats.Problems {
		list = append(list, panel.Warning{Rule: pr.Rule, Message: show.Line(pr.File + ": " + pr.Reason)})
	}
	if stats.Malformed > 0 {
		list = append(list, panel.Warning{Rule: "R3", Message: show.Count(stats.Malformed, "line is", "lines are") + " no record; signalbox validate lists them"})
	}
	if stats.Suspicious > 0 {
		list = append(list, panel.Warning{Rule: "L4", Message: show.Count(stats.Suspicious, "message", "messages") + " may be forged; the filter Suspicious shows who claims to be whom"})
	}
	return list
}
