package amp

import (
	"bufio"
	"crypto/sha256"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// dryRun shows what would be signed and sent.
type dryRun struct {
	*post
	*mailbox.Prepared
	w     *bufio.Writer
	paint cli.Paint
}

func (d *dryRun) row(name, format string, args ...any) {
	d.paint.Field(d.w, 10, name, cli.WholeLine(fmt.Sprintf(format, args...)))
}

// text shows it to a person, with the signed bytes on lines of their own.
func (d *dryRun) text() {
	own := d.own.Mailbox
	d.row("From", "%s, key %s", d.Draft.From, own.Key.Fingerprint())
	if dirs := d.claimants(d.Draft.To); d.To != nil {
		d.row("To", "%s, into %s", d.Draft.To, d.To.Path)
	} else if len(dirs) > 1 {
		d.row("To", "%s, which %d mailboxes on this machine claim: %s", d.Draft.To, len(dirs), joined(dirs))
	} else {
		d.row("To", "%s, not on this machine", d.Draft.To)
	}
	d.row("Subject", "%s", d.Draft.Subject)
	d.row("Id", "%s", d.Draft.ID)
	if d.Draft.InReplyTo != "" {
		d.row("Reply to", "%s", d.Draft.InReplyTo)
	}
	if d.Draft.Expires != 0 {
		d.row("Expires", "%s", until(d.Draft.Expires))
	}
	for i := range d.Draft.Attachments {
		f := &d.Draft.Attachments[i]
		d.row("Attached", "%s, %s, %s, %s", f.Filename, f.ContentType, bytesOf(f.Size), f.Digest)
	}
	d.bytes("Signed", d.Letter.Signed())
	d.bytes("Payload", d.Letter.Payload())
	d.row("Stamp", "%s", d.Stamp)
}

// bytes shows bytes that are signed. The last line end is not among them.
func (d *dryRun) bytes(name string, data []byte) {
	text := string(data)
	shown, note := render.Text(text), ""
	if shown != text {
		note = "; not all characters are shown as they are (--json has them)"
	}
	d.row(name, "%s, sha256:%x%s", cli.Plural(len(data), "byte"), sha256.Sum256(data), note)
	d.w.WriteString(shown + "\n")
}

// object writes it as JSON, which keeps every byte.
func (d *dryRun) object() {
	out := printed.DryLetter{
		DryRun: true, ID: d.Draft.ID, From: d.Draft.From, Key: d.own.Mailbox.Key.Fingerprint(), To: d.Draft.To,
		Subject: d.Draft.Subject, InReplyTo: d.Draft.InReplyTo, Thread: d.Draft.ThreadID, Expires: until(d.Draft.Expires),
		Signed: string(d.Letter.Signed()), SignedSHA256: fmt.Sprintf("%x", sha256.Sum256(d.Letter.Signed())),
		Payload: string(d.Letter.Payload()), PayloadSHA256: fmt.Sprintf("%x", sha256.Sum256(d.Letter.Payload())),
		Stamp: d.Stamp.String(),
	}
	if d.To != nil {
		out.Mailbox = d.To.Path
	}
	for i := range d.Draft.Attachments {
		f := &d.Draft.Attachments[i]
		out.Attachments = append(out.Attachments, printed.DryFile{ID: f.ID, Filename: f.Filename, Type: f.ContentType, Size: f.Size, Digest: f.Digest})
	}
	_ = cli.Print(d.w, out) // flushing tells
}
