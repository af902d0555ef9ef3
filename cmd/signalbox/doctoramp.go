package main

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"

	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// mailFacts says which mailboxes of signed mail there are, who the user is among
// them and why, and what is wrong with them. Where nobody asked for any it says
// nothing. It writes nothing.
func (o *options) mailFacts(ctx context.Context, s *syncing) error {
	f := s.findings
	a := &mails{options: o}
	where := a.ampRoot()
	snap, err := mailbox.Scan(ctx, where.Value)
	if err != nil {
		return err
	}
	if !snap.Exists && snap.Err == nil {
		if o.env.Getenv("AMP_DIR") != "" {
			f.fact("signed mail", "none in "+snap.Path, where.Origin)
			f.add(store.Problem{Rule: "STO-1", Reason: fmt.Sprintf("the directory of mailboxes %q does not exist yet", snap.Path), Advice: "\"signalbox amp init --name NAME\" makes it"})
		}
		return nil
	}
	boxes := "1 mailbox"
	if n := len(snap.Mailboxes); n != 1 {
		boxes = fmt.Sprint(n, " mailboxes")
	}
	f.fact("signed mail", fmt.Sprintf("%s, %s in %s", boxes, plural(snap.Messages, "message"), snap.Path), where.Origin)
	if snap.Err != nil {
		f.add(store.Problem{Rule: "STO-1", File: snap.Path, Reason: snap.Err.Error()})
		return nil
	}
	own := a.own(snap)
	if own.Mailbox != nil {
		f.fact("you sign as", mailboxName(own.Mailbox), own.Origin)
	}
	if own.Why != "" && len(snap.Mailboxes) > 0 {
		f.add(store.Problem{Rule: "SIG-1", Reason: own.Why})
	}
	for _, m := range snap.Mailboxes {
		mailboxModes(m, f)
		leftovers(m, f)
	}
	for _, p := range snap.Problems[:min(len(snap.Problems), problemsMost)] {
		f.add(store.Problem{Rule: p.Rule, File: p.Path, Reason: p.Reason, Advice: p.Advice})
	}
	if more := len(snap.Problems) - problemsMost; more > 0 {
		f.add(store.Problem{Rule: "STO-1", File: snap.Path, Reason: "there are " + plural(more, "further remark")})
	}
	s.mailboxes(ctx, snap, own.Mailbox)
	return a.keyFacts(ctx, snap, f)
}

// problemsMost is how many remarks on a directory of mailboxes doctor lists.
const problemsMost = 20

// mailboxName says whose a mailbox is.
func mailboxName(m *mailbox.Mailbox) string {
	text := m.Name
	if len(m.Addresses) > 0 {
		text = m.Addresses[0].String()
	}
	if print := m.Key.Fingerprint(); print != "" {
		text += ", key " + print
	}
	return text
}

// mailboxModes looks for what others on the machine can read.
func mailboxModes(m *mailbox.Mailbox, f *findings) {
	if runtime.GOOS == "windows" {
		return
	}
	root, err := disk.OpenRoot(m.Path)
	if err != nil {
		return // the scan said so
	}
	defer root.Close()
	for _, c := range []struct{ name, what, advice string }{
		{"keys/private.pem", "the private key", "chmod 600, and make a new identity if somebody may have read it"},
		{".", "the mailbox", "chmod 700"},
	} {
		info, err := root.Lstat(c.name)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		f.add(store.Problem{
			Rule: "STO-1", File: path.Join(m.Path, c.name),
			Reason: fmt.Sprintf("%s can be read by others: its mode is %04o", c.what, info.Mode().Perm()), Advice: c.advice,
		})
	}
}

// leftovers tells of what a killed process left in a mailbox's folder .signalbox.
// The next one that writes to the mailbox ends it, or takes it back.
func leftovers(m *mailbox.Mailbox, f *findings) {
	root, err := disk.OpenRoot(m.Path)
	if err != nil {
		return
	}
	defer root.Close()
	const folder = ".signalbox"
	entries, err := fs.ReadDir(root.FS(), folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Name() == "lock" {
			continue
		}
		f.add(store.Problem{
			Rule: "STO-1", File: path.Join(m.Path, folder, e.Name()), Reason: "a writer did not end: it was killed, or is at work now",
			Advice: "what it began is ended or taken back by the next command that writes to this mailbox, such as amp send or amp read",
		})
		return
	}
}

// keyFacts tells of keys that are not those that were first seen.
func (a *mails) keyFacts(ctx context.Context, snap *mailbox.Snapshot, f *findings) error {
	pins, err := a.pins()
	if err != nil {
		f.add(store.Problem{Rule: "SIG-7", Reason: err.Error(), Advice: "move the file away to begin anew: the keys are then remembered as they are now"})
		return nil
	}
	alarms, err := pins.Notice(ctx, snap.Mailboxes, a.now(), false)
	if err != nil {
		return err
	}
	for i := range alarms {
		f.add(store.Problem{Rule: "SIG-7", File: alarms[i].Where, Reason: alarmText(&alarms[i])})
	}
	return nil
}
