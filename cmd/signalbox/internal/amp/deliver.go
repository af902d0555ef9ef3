package amp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/canon"
	signed "github.com/signalbox-dev/signalbox/lsp/panel/source/amp"
)

// refused returns the error for a broken rule. A rule that a flag breaks is the
// caller's fault.
func refused(err error) error {
	bad, ok := errors.AsType[*canon.Fault](err)
	if !ok {
		return err
	}
	err = fmt.Errorf("amp: %s (%s)", bad.Reason, bad.Rule)
	switch bad.Rule {
	case "ENV-3", "ENV-4", "ENV-5", "PAY-1", "PAY-2":
		return cli.Usage(err)
	}
	return err
}

// unprepared returns the error for a message that could not be made. If several
// mailboxes claim the address, that is the reason files cannot be sent to it.
func (l *letterFlags) unprepared(p *post, letter *signed.Letter, err error) error {
	if bad, ok := errors.AsType[*canon.Fault](err); ok && bad.Rule == "ATT-6" && l.out == "" {
		to := letter.To
		if letter.Reply != nil {
			to = p.ReplyTo(letter.Reply)
		}
		if dirs := p.Called(to); len(dirs) > 1 {
			return claimed(to, dirs, "")
		}
	}
	return refused(err)
}

// claimed returns the error for an address that several mailboxes claim, with what
// else can be done.
func claimed(to string, dirs []string, more string) error {
	return fmt.Errorf("amp: %d mailboxes on this machine claim %s, and nothing was sent: %s. Which is right is not known; once one of them alone has the address it is delivered there%s",
		len(dirs), strings.ToLower(to), joined(dirs), more)
}

// caution warns, before a message is signed, about what may go wrong at its receiver.
func (l *letterFlags) caution(p *post, prepared *signed.Prepared) {
	for i := range prepared.Portability {
		l.Warn("others may not be able to verify it: %s (%s)", prepared.Portability[i].Reason, prepared.Portability[i].Rule)
	}
	if m := p.SaidBefore(prepared); m != nil {
		l.Warn("you sent the same words as %s, and %s signs equal words equally: the receiver is told that this was sent before, and cannot tell it from %[1]s delivered again; another subject or text is another message",
			cli.Line(m.ID), p.Own.Mailbox.Key.Algorithm())
	}
}

// deliver signs a message and delivers it.
func (l *letterFlags) deliver(ctx context.Context, p *post, prepared *signed.Prepared) error {
	sent, err := p.Send(ctx, prepared)
	if errors.Is(err, signed.ErrNoMailbox) {
		if dirs := p.Called(prepared.Draft.To); len(dirs) > 1 {
			return claimed(prepared.Draft.To, dirs, ", and --out FILE writes the signed message for you to carry")
		}
		return fmt.Errorf("amp: no mailbox of %s is on this machine, and nothing was sent: --out FILE writes the signed message for you to carry%s", prepared.Draft.To, p.meant(prepared.Draft.To))
	}
	if err != nil {
		return refused(err)
	}
	return l.Result(printed.SentLetter{ID: sent.ID, To: prepared.Draft.To, Sent: sent.SentKey, Inbox: sent.InboxKey}, "%s sent to %s", sent.ID, cli.Line(prepared.Draft.To))
}

// export signs a message for the user to carry.
func (l *letterFlags) export(p *post, prepared *signed.Prepared) error {
	data, err := p.Sign(prepared)
	if err != nil {
		return refused(err)
	}
	if l.out == "-" {
		w := l.Writer()
		w.Write(data)
		return w.Flush()
	}
	f, err := os.OpenFile(l.Absolute(l.out), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return l.Result(printed.Exported{ID: prepared.Draft.ID, To: prepared.Draft.To, File: f.Name()}, "%s signed, for %s, in %s; nothing was delivered", prepared.Draft.ID, cli.Line(prepared.Draft.To), cli.WholeLine(f.Name()))
}
