package source

import (
	"cmp"
	"errors"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Judged is the trust in a message.
type Judged struct {
	amp.Trust
	Err error // why the message cannot be read
}

// Word returns the trust in a word or two.
func (j *Judged) Word() string {
	if j.Err != nil {
		return "not readable"
	}
	return string(j.State)
}

// Why returns the reason for the trust.
func (j *Judged) Why() string {
	if bad, ok := errors.AsType[*canon.Fault](j.Err); ok {
		return bad.Reason + " (" + bad.Rule + ")"
	} else if j.Err != nil {
		return j.Err.Error()
	}
	return j.Reason
}

// Form returns the form in which the message was signed, or "".
func (j *Judged) Form() string {
	if j.Step == amp.NotVerified {
		return ""
	}
	return j.Step.String()
}

// Level returns how far the message can be trusted.
func (j *Judged) Level() panel.TrustLevel {
	switch j.State {
	case amp.TrustVerified:
		return panel.TrustOK
	case amp.TrustExternal, amp.TrustExpired, amp.TrustRepeated:
		return panel.TrustNote
	}
	return panel.TrustWarn
}

func (j *Judged) state() panel.AmpState { return cmp.Or(j.State, amp.TrustUntrusted) }

func (j *Judged) shown() panel.Trust {
	return panel.Trust{Level: j.Level(), Label: j.Word(), Detail: show.Line(j.Why())}
}

// judge returns a message and the trust in it.
func judge(s *ampstore.Snapshot, m *ampstore.Message, pins *ampstore.Pins, now int64) (msg amp.Message, j Judged) {
	if j.Err = m.Err; j.Err == nil {
		msg, j.Trust, j.Err = s.Trust(m, pins, now)
	}
	return msg, j
}

func (v *view) judge(m *ampstore.Message) (amp.Message, Judged) {
	v.learn()
	return judge(v.Snapshot, m, v.root.pins, v.now)
}

// trust returns the trust in a message. It reads the file only if the trust may have changed.
func (v *view) trust(m *ampstore.Message) (j Judged) {
	v.learn()
	if j.Err = m.Err; j.Err == nil {
		j.Trust, j.Err = v.TrustOf(m, v.root.pins, v.now)
	}
	return j
}

// Trust returns the trust in the text of a message; see [check.Stores]. It pins no key.
func (v *view) Trust(path string, m *amp.Message) (t amp.Trust, ok bool) {
	if len(v.Mailboxes) == 0 {
		return amp.Trust{}, false
	}
	key := ""
	if rel, err := filepath.Rel(v.root.path, path); path != "" && err == nil && filepath.IsLocal(rel) {
		key = filepath.ToSlash(rel)
	}
	return v.Judge(key, m, v.root.pins, v.now), true
}

// Status adds the directory and its mailboxes. The default directory is listed only if
// it exists and holds mailboxes.
func (v *view) Status(s *panel.Status) {
	if v.root == nil {
		return
	}
	s.Indexing = s.Indexing || !v.Ready
	if v.Exists && len(v.Mailboxes) > 0 || !strings.HasPrefix(v.origin, "default") {
		s.MailRoots = append(s.MailRoots, v.directory())
	}
	s.Warnings = append(s.Warnings, v.Problems()...)
}

// directory returns the directory and its mailboxes as the status lists them.
func (v *view) directory() panel.MailRoot {
	out := panel.MailRoot{
		Path: show.Line(v.root.path), Origin: v.origin, Store: tree.ID(v.root.path), Exists: v.Exists, Watching: panel.Watching(v.Watching),
		Messages: v.Messages, Boxes: []panel.MailBox{},
	}
	if v.Err != nil {
		out.Error = show.Line(v.Err.Error())
	}
	for _, b := range v.Mailboxes {
		box := panel.MailBox{
			Name: show.Line(b.Name), Own: v.own.Has(b), Signs: b.Signs, Fingerprint: b.Key.Fingerprint(), Messages: b.Messages, Unread: b.Unread,
		}
		if len(b.Addresses) > 0 {
			box.Address = b.Addresses[0].String()
		}
		out.Boxes = append(out.Boxes, box)
	}
	return out
}

// Problems returns warnings about the directory, its mailboxes and their keys (STO-1,
// SIG-7, SIG-9).
func (v *view) Problems() []panel.Warning {
	v.learn()
	var list []panel.Warning
	if v.Err != nil {
		list = append(list, panel.Warning{Rule: "STO-1", Message: show.Line(v.Path + ": " + v.Err.Error())})
	}
	for i := range v.alarms {
		if v.alarms[i].Pinned.Address != "" { // the store's own Problems report an address with two owners
			list = append(list, panel.Warning{Rule: "SIG-7", Message: show.Line(v.alarms[i].Text())})
		}
	}
	if v.pinErr != nil {
		list = append(list, panel.Warning{Rule: "SIG-7", Message: show.Line("nobody new is believed, and no key is remembered: " + v.pinErr.Error())})
	}
	if v.seenErr != nil {
		list = append(list, panel.Warning{Rule: "SIG-9", Message: show.Line("mail that is deleted and delivered again is not noticed: " + v.seenErr.Error())})
	}
	for _, pr := range v.Snapshot.Problems {
		list = append(list, panel.Problem(pr.Path, pr.Rule, pr.Reason, pr.Advice))
	}
	return panel.Some(list, panel.Warning{Rule: "STO-1", Message: "and more: run signalbox doctor"})
}
