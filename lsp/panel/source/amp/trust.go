package amp

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// judged is the trust in a message, its state, the key and form that the signature fits,
// and the flags of suspicious words.
type judged struct {
	panel.Trust
	state     panel.AmpState
	key, step string
	flags     []string
}

// judge reads a message and returns it with the trust in it.
func (v *view) judge(m *mailbox.Message) (amp.Message, judged) {
	v.learn()
	if m.Err != nil {
		return amp.Message{}, judgedAs(amp.Trust{}, m.Err)
	}
	msg, t, err := v.Snapshot.Trust(m, v.root.pins, v.now)
	return msg, judgedAs(t, err)
}

// trust returns the trust in a message, which is only read if the trust may have changed.
func (v *view) trust(m *mailbox.Message) judged {
	v.learn()
	if m.Err != nil {
		return judgedAs(amp.Trust{}, m.Err)
	}
	return judgedAs(v.TrustOf(m, v.root.pins, v.now))
}

// judgedAs returns a trust as the panel shows it. err is why the message cannot be read.
func judgedAs(t amp.Trust, err error) judged {
	if err != nil {
		detail := err.Error()
		if fault, ok := errors.AsType[*canon.Fault](err); ok {
			detail = fault.Rule + ": " + fault.Reason
		}
		return judged{state: amp.TrustUntrusted, Trust: panel.Trust{Level: panel.TrustWarn, Label: "cannot be read", Detail: show.Line(detail)}}
	}
	j := judged{state: t.State, key: t.Key, flags: t.Flags}
	if t.Step != amp.NotVerified {
		j.step = t.Step.String()
	}
	j.Trust = panel.Trust{Level: Level(t.State), Label: string(t.State), Detail: show.Line(t.Reason)}
	return j
}

// Level returns how far a message in a state can be trusted.
func Level(state amp.State) panel.TrustLevel {
	switch state {
	case amp.TrustVerified:
		return panel.TrustOK
	case amp.TrustExternal, amp.TrustExpired, amp.TrustRepeated:
		return panel.TrustNote
	}
	return panel.TrustWarn
}

// Trust returns the trust in the text of a message, as [diagnose.Stores] says. It pins
// no key.
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
	if v.unpinned != nil {
		list = append(list, panel.Warning{Rule: "SIG-7", Message: show.Line("nobody new is believed, and no key is remembered: " + v.unpinned.Error())})
	}
	if v.forgets != nil {
		list = append(list, panel.Warning{Rule: "SIG-9", Message: show.Line("mail that is deleted and delivered again is not noticed: " + v.forgets.Error())})
	}
	for _, pr := range v.Snapshot.Problems {
		list = append(list, panel.Problem(pr.Path, pr.Rule, pr.Reason, pr.Advice))
	}
	return panel.Some(list, panel.Warning{Rule: "STO-1", Message: "and more: run signalbox doctor"})
}
