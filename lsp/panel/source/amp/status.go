package amp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

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
			list = append(list, panel.Warning{Rule: "SIG-7", Message: show.Line(alarmWords(&v.alarms[i]))})
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

// alarmWords returns a warning that somebody's key changed, and what to do.
func alarmWords(a *mailbox.Alarm) string {
	return a.Address + " has another key than before, and mail signed with it is not trusted; ask them by another way, then \"signalbox amp keys accept " +
		a.Address + "\" shows both keys and takes the new one"
}
