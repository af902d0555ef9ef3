package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// mailFacts reports the mailboxes of signed mail, which of them is the user's and why, and
// their problems. It reports nothing if there are none, and changes nothing.
func (c *checkup) mailFacts(ctx context.Context) error {
	a := &ampsource.Access{Env: c.Env, Who: c.Who, Now: c.Now}
	where := a.Locate()
	mail, err := a.Open(ctx)
	if err != nil {
		return err
	}
	if !mail.Exists && mail.Err == nil {
		if c.Env.Getenv("AMP_DIR") != "" {
			c.Fact("signed mail", "none in "+mail.Path, where.Origin)
			c.Add(box.Problem{Rule: "STO-1", Reason: fmt.Sprintf("the directory of mailboxes %q does not exist yet", mail.Path), Advice: "\"signalbox amp init --name NAME\" makes it"})
		}
		return nil
	}
	boxes := "1 mailbox"
	if n := len(mail.Mailboxes); n != 1 {
		boxes = fmt.Sprint(n, " mailboxes")
	}
	c.Fact("signed mail", fmt.Sprintf("%s, %s in %s", boxes, cli.Plural(mail.Messages, "message"), mail.Path), where.Origin)
	if mail.Err != nil {
		c.Add(box.Problem{Rule: "STO-1", File: mail.Path, Reason: mail.Err.Error()})
		return nil
	}
	if own := &mail.Own; own.Mailbox != nil {
		c.Fact("you sign as", mailboxName(own.Mailbox), own.Origin)
	}
	if mail.Own.Why != "" && len(mail.Mailboxes) > 0 {
		c.Add(box.Problem{Rule: "SIG-1", Reason: mail.Own.Why})
	}
	for _, m := range mail.Mailboxes {
		c.mailboxFiles(m)
	}
	for _, p := range mail.Problems[:min(len(mail.Problems), maxProblems)] {
		c.Add(box.Problem{Rule: p.Rule, File: p.Path, Reason: p.Reason, Advice: p.Advice})
	}
	if more := len(mail.Problems) - maxProblems; more > 0 {
		c.Add(box.Problem{Rule: "STO-1", File: mail.Path, Reason: "there are " + cli.Plural(more, "further remark")})
	}
	c.mailboxes(ctx, mail.Path)
	c.keyFacts(ctx, mail)
	return nil
}

// maxProblems is how many problems of a directory of mailboxes doctor lists.
const maxProblems = 20

func mailboxName(m *ampsource.Mailbox) string {
	text := m.Name
	if len(m.Addresses) > 0 {
		text = m.Addresses[0].String()
	}
	if print := m.Key.Fingerprint(); print != "" {
		text += ", key " + print
	}
	return text
}

// mailboxFiles reports files of a mailbox that others on the machine can read, and files
// that a killed process left in its folder .signalbox. The next process that writes to the
// mailbox completes or undoes that write.
func (c *checkup) mailboxFiles(m *ampsource.Mailbox) {
	root, err := disk.OpenRoot(m.Path)
	if err != nil {
		return // the scan reported it
	}
	defer root.Close()
	for _, at := range []struct{ name, what, advice string }{
		{"keys/private.pem", "the private key", "chmod 600, and make a new identity if somebody may have read it"},
		{".", "the mailbox", "chmod 700"},
	} {
		info, err := root.Lstat(at.name)
		if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
			continue
		}
		c.Add(box.Problem{
			Rule: "STO-1", File: path.Join(m.Path, at.name),
			Reason: fmt.Sprintf("%s can be read by others: its mode is %04o", at.what, info.Mode().Perm()), Advice: at.advice,
		})
	}
	const folder = ".signalbox"
	entries, _ := fs.ReadDir(root.FS(), folder)
	for _, e := range entries {
		if e.Name() != "lock" {
			c.Add(box.Problem{
				Rule: "STO-1", File: path.Join(m.Path, folder, e.Name()), Reason: "a writer did not end: it was killed, or is at work now",
				Advice: "what it began is ended or taken back by the next command that writes to this mailbox, such as amp send or amp read",
			})
			return
		}
	}
}

func (c *checkup) keyFacts(ctx context.Context, mail *ampsource.Mail) {
	if err := mail.Learn(ctx, false); err != nil {
		c.Add(box.Problem{Rule: "SIG-7", Reason: err.Error(), Advice: "move the file away to begin anew: the keys are then remembered as they are now"})
	}
	for i := range mail.Alarms {
		c.Add(box.Problem{Rule: "SIG-7", File: mail.Alarms[i].Where, Reason: mail.Alarms[i].Text()})
	}
}
