package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// refused words a broken rule. One that a flag alone breaks is the caller's.
func refused(err error) error {
	bad, ok := errors.AsType[*amp.Fault](err)
	if !ok {
		return err
	}
	err = fmt.Errorf("amp: %s (%s)", bad.Reason, bad.Rule)
	switch bad.Rule {
	case "ENV-3", "ENV-4", "ENV-5", "PAY-1", "PAY-2":
		return usage(err)
	}
	return err
}

// deliver signs and sends.
func (l *letterFlags) deliver(ctx context.Context, box *mailbox.Box, prepared *mailbox.Prepared) error {
	sent, err := box.Send(ctx, prepared, l.now())
	if errors.Is(err, mailbox.ErrNoMailbox) {
		return fmt.Errorf("amp: no mailbox of %s is on this machine, and nothing was sent: --out FILE writes the signed message for you to carry", prepared.Draft.To)
	}
	if errors.Is(err, mailbox.ErrChanged) {
		return fmt.Errorf("amp: nothing was sent: this is not what the dry run showed; give the same text, files and flags, or no --stamp")
	}
	if err != nil {
		return refused(err)
	}
	w := l.writer()
	if l.json {
		out := object{w: w}
		out.text("id", sent.ID).text("to", prepared.Draft.To).text("sent", sent.SentKey).text("inbox", sent.InboxKey).end()
	} else {
		fmt.Fprintf(w, "%s sent to %s\n", sent.ID, line(prepared.Draft.To))
	}
	return w.Flush()
}

// export signs a message for somebody else to carry.
func (l *letterFlags) export(ctx context.Context, box *mailbox.Box, prepared *mailbox.Prepared) error {
	data, err := box.Sign(ctx, prepared)
	if err != nil {
		return refused(err)
	}
	if l.out == "-" {
		w := l.writer()
		w.Write(data)
		return w.Flush()
	}
	f, err := os.OpenFile(l.absolute(l.out), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	w := l.writer()
	if l.json {
		out := object{w: w}
		out.text("id", prepared.Draft.ID).text("to", prepared.Draft.To).text("file", f.Name()).end()
	} else {
		fmt.Fprintf(w, "%s signed, for %s, in %s; nothing was delivered\n", prepared.Draft.ID, line(prepared.Draft.To), threadName(f.Name()))
	}
	return w.Flush()
}

// show is the dry run.
func (l *letterFlags) show(p *post, prepared *mailbox.Prepared) error {
	v := dryRun{post: p, w: l.writer(), paint: l.paint(), Prepared: prepared}
	if l.json {
		v.object()
	} else {
		v.text()
	}
	if err := v.w.Flush(); err != nil {
		return err
	}
	if prepared.To == nil {
		l.warn("no mailbox of %s is on this machine: --out FILE writes the signed message for you to carry", prepared.Draft.To)
	}
	l.warn("nothing was sent; the same command with --stamp and no --dry-run sends exactly this")
	return nil
}

// until is when a message expires, or empty.
func until(millis int64) string {
	if millis == 0 {
		return ""
	}
	return time.UnixMilli(millis).UTC().Format(time.RFC3339)
}
