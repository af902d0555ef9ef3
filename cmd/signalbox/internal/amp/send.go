package amp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/spf13/cobra"
)

type letterFlags struct {
	*Commands
	subject, priority, kind string
	context, expires, out   string
	lines, files            []string
}

const letterHelp = `
-m is the text, each one a line of it; "-m -" is stdin, and "-m @FILE" a file.
--context is a JSON object, or @FILE with one. --attach names a file to send
along, and may be repeated. --expires is how long the message is good for, such
as 12h, 7d or 2w; without it it stays good.

--out writes the signed message to a new FILE ("-" is stdout) for you to look at or to
carry elsewhere, and delivers nothing.`

func (a *Commands) sendCommand() *cobra.Command {
	l := &letterFlags{Commands: a}
	cmd := &cobra.Command{
		Use:   "send TO --subject S -m TEXT",
		Short: "Sign a message with your key and deliver it to an agent on this machine",
		Long: `Sign a message with your key, put it into the recipient's inbox on this machine and
a copy into your sent mail, all or nothing, and print its id. TO is an address
such as bob@acme.crabmail.ai, or the name of a mailbox here. Nothing is sent over
the network.
` + letterHelp,
		Example: `  signalbox amp send bob --subject "The build" -m "Done." --attach build.log
  signalbox amp send bob --subject Review --type request -m @review.md
  git diff | signalbox amp send bob --subject "My changes" -m -`,
		Args: cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if l.subject == "" {
				return cli.Usage(errors.New("--subject is missing"))
			}
			return l.run(cmd, args[0], "")
		}),
		ValidArgsFunction: cli.Completing(1, a.offerMailboxes),
	}
	l.register(cmd, "request")
	return cmd
}

func (a *Commands) replyCommand() *cobra.Command {
	l := &letterFlags{Commands: a}
	cmd := &cobra.Command{
		Use:   "reply ID -m TEXT",
		Short: "Answer a message, in its thread",
		Long: `Answer a message, in its thread: to its sender, or, if you wrote it yourself, to whom
it went. Else it is as "signalbox amp send".
` + letterHelp,
		Example: `  signalbox amp reply 30328b7b -m "Yes, this afternoon."`,
		Args:    cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return l.run(cmd, "", args[0])
		}),
		ValidArgsFunction: cli.Completing(1, a.offerIDs),
	}
	l.register(cmd, "response")
	return cmd
}

func (l *letterFlags) register(cmd *cobra.Command, kind string) {
	f := cmd.Flags()
	f.StringVarP(&l.subject, "subject", "s", "", "the `subject`, at most 256 characters (of a reply: \"Re: …\")")
	cli.MessageFlag(f, &l.lines, "the text, or @FILE")
	f.StringVar(&l.priority, "priority", "", "urgent, high, normal or low (default: normal)")
	f.StringVar(&l.kind, "type", "", "what it is: "+strings.Join(amp.Types(), ", ")+", or namespace:name (default: "+kind+")")
	f.StringVar(&l.context, "context", "", "a `JSON` object beside the text, or @FILE")
	f.StringArrayVarP(&l.files, "attach", "a", nil, "a `file` to send along; may be repeated")
	f.StringVar(&l.expires, "expires", "", "how `long` it is good for: 30m, 12h, 7d, 2w")
	f.StringVar(&l.out, "out", "", "write the signed message to a new `file` (- is stdout) and deliver nothing")
	cli.Complete(cmd, "priority", amp.Priorities()...)
	cli.Complete(cmd, "type", amp.Types()...)
}

// run makes and sends a message by the flags: to an address, or in answer to a message.
func (l *letterFlags) run(cmd *cobra.Command, to, answers string) error {
	if !cmd.Flags().Changed("message") {
		return cli.Usage(errors.New("-m is missing: the text, - for stdin, or @FILE"))
	}
	letter, err := l.letter()
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	p, err := l.mailboxes(ctx)
	if err != nil {
		return err
	}
	if err := p.needOwn(); err != nil {
		return err
	}
	if answers != "" {
		if letter.Reply, err = l.answered(p, answers); err != nil {
			return err
		}
	} else if letter.To, err = p.recipient(to); err != nil {
		return err
	}
	prepared, err := p.Prepare(ctx, letter)
	if err != nil {
		return l.unprepared(p, &letter, err)
	}
	l.caution(p, prepared)
	if l.out != "" {
		return l.export(p, prepared)
	}
	return l.deliver(ctx, p, prepared)
}

func (l *letterFlags) letter() (letter ampsource.Letter, err error) {
	letter = ampsource.Letter{Subject: l.subject, Priority: l.priority, Type: l.kind}
	for _, file := range l.files {
		if file == "" {
			return letter, cli.Usage(errors.New("--attach is empty"))
		}
		letter.Files = append(letter.Files, l.Absolute(file))
	}
	if l.expires != "" {
		if letter.Expires, err = span("expires", l.expires); err != nil {
			return letter, err
		}
	}
	if letter.Text, err = l.given(l.lines, maxLetterText); err != nil {
		return letter, fmt.Errorf("-m: %w", err)
	}
	context, err := l.given([]string{l.context}, maxLetterContext)
	if err != nil {
		return letter, fmt.Errorf("--context: %w", err)
	}
	if l.context != "" {
		letter.Context = []byte(context)
	}
	return letter, nil
}

// How many bytes of a text and of a context are read. Both are above the format's
// limits, so that its own errors are reported.
const (
	maxLetterText    = 1 << 20
	maxLetterContext = 4 << 20
)

// given returns the lines of a flag, or for "@FILE" the text of the file. Trailing line
// ends of a file or stdin are removed, because echo and editors add them.
func (l *letterFlags) given(lines []string, most int64) (string, error) {
	name, file := strings.CutPrefix(lines[0], "@")
	if len(lines) > 1 || !file {
		return l.Text(lines)
	}
	data, err := l.ReadInput(l.Absolute(name), most) // "@-" is a file of that name, not stdin
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it is longer than %d bytes", most)
	}
	return cli.TrimLineEnds(string(data)), err
}

func (p *mailboxes) recipient(to string) (string, error) {
	if strings.Contains(to, "@") {
		return to, nil
	}
	m := p.Mailbox(to)
	if dirs := p.Called(to); m == nil && len(dirs) > 1 {
		return "", cli.Usage(fmt.Errorf("amp: give a full address such as agent@tenant.provider: %d mailboxes here are called %q: %s", len(dirs), to, joined(dirs)))
	}
	if m == nil || len(m.Addresses) == 0 {
		return "", cli.Usage(fmt.Errorf("amp: give a full address such as agent@tenant.provider, or one of the mailboxes here%s. None is called %q%s", p.names(), to, p.suggestion(to)))
	}
	return m.Addresses[0].String(), nil
}

func (l *letterFlags) answered(p *mailboxes, ref string) (*amp.Message, error) {
	f, err := p.find(ref)
	if err != nil {
		return nil, err
	}
	if !p.Own.Addressed(f.From) && !p.Own.Addressed(f.To) {
		return nil, fmt.Errorf("amp: %q is neither from you nor to you, but from %s to %s", ref, f.From, f.To)
	}
	msg, t := p.Judge(f.Message)
	if t.Err != nil {
		return nil, fmt.Errorf("amp: %q cannot be read: %w", ref, t.Err)
	}
	if t.Level() == panel.TrustWarn {
		l.Warn("what you answer is not trusted: %s: %s", t.Word(), t.Why())
	}
	return &msg, nil
}

// refused returns the error for a broken rule. It is a usage error if a flag breaks the rule.
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

// unprepared returns the error for a message that could not be made. Files cannot be
// sent to an address that several mailboxes claim; then the error says that.
func (l *letterFlags) unprepared(p *mailboxes, letter *ampsource.Letter, err error) error {
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

// claimed returns the error for an address that several mailboxes claim. more is what
// else can be done.
func claimed(to string, dirs []string, more string) error {
	return fmt.Errorf("amp: %d mailboxes on this machine claim %s, and nothing was sent: %s. Which is right is not known; once one of them alone has the address it is delivered there%s",
		len(dirs), strings.ToLower(to), joined(dirs), more)
}

// caution warns, before a message is signed, about problems that its receiver may have.
func (l *letterFlags) caution(p *mailboxes, prepared *ampsource.Prepared) {
	for i := range prepared.Portability {
		l.Warn("others may not be able to verify it: %s (%s)", prepared.Portability[i].Reason, prepared.Portability[i].Rule)
	}
	if m := p.SentBefore(prepared); m != nil {
		l.Warn("you sent the same words as %s, and %s signs equal words equally: the receiver is told that this was sent before, and cannot tell it from %[1]s delivered again; another subject or text is another message",
			cli.Line(m.ID), p.Own.Mailbox.Key.Algorithm())
	}
}

func (l *letterFlags) deliver(ctx context.Context, p *mailboxes, prepared *ampsource.Prepared) error {
	sent, err := p.Send(ctx, prepared)
	if errors.Is(err, ampsource.ErrNoMailbox) {
		if dirs := p.Called(prepared.Draft.To); len(dirs) > 1 {
			return claimed(prepared.Draft.To, dirs, ", and --out FILE writes the signed message for you to carry")
		}
		return fmt.Errorf("amp: no mailbox of %s is on this machine, and nothing was sent: --out FILE writes the signed message for you to carry%s", prepared.Draft.To, p.suggestion(prepared.Draft.To))
	}
	if err != nil {
		return refused(err)
	}
	return l.Result(printed.SentLetter{ID: sent.ID, To: prepared.Draft.To, Sent: sent.SentKey, Inbox: sent.InboxKey}, "%s sent to %s", sent.ID, cli.Line(prepared.Draft.To))
}

func (l *letterFlags) export(p *mailboxes, prepared *ampsource.Prepared) error {
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
