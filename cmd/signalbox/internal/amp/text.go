package amp

import (
	"errors"
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	signed "github.com/signalbox-dev/signalbox/lsp/panel/source/amp"
)

// ampColumns is the greatest width of lines in lists.
const ampColumns = 80

// trusted is the trust in a message that is shown.
type trusted struct {
	amp.Trust
	// err says why the message cannot be read.
	err error
}

// judge reads a message and computes how far it can be trusted.
func (p *post) judge(m *signed.Message) (amp.Message, trusted) {
	msg, t, err := p.Judge(m)
	return msg, trusted{t, err}
}

// word returns the trust in a word or two.
func (t *trusted) word() string {
	if t.err != nil {
		return "not readable"
	}
	return string(t.State)
}

// shown returns the word, in capitals where a person has to notice it.
func (t *trusted) shown() string {
	switch {
	case !t.doubtful():
		return t.word()
	case t.State == amp.TrustUntrusted:
		return "NOT TRUSTED"
	}
	return "NOT TRUSTED: " + t.word()
}

// why returns the reason for the trust.
func (t *trusted) why() string {
	if bad, ok := errors.AsType[*canon.Fault](t.err); ok {
		return bad.Reason + " (" + bad.Rule + ")"
	}
	if t.err != nil {
		return t.err.Error()
	}
	return t.Reason
}

// step returns the step at which the signature was found right, or "".
func (t *trusted) step() string {
	if t.Step == amp.NotVerified {
		return ""
	}
	return t.Step.String()
}

// doubtful reports whether a person has to be warned before they act on the message.
func (t *trusted) doubtful() bool { return t.err != nil || signed.Level(t.State) == panel.TrustWarn }

// style returns the colour of the word.
func (t *trusted) style() string {
	switch {
	case t.doubtful():
		return cli.Red
	case t.State == amp.TrustVerified:
		return ""
	}
	return cli.Yellow
}

// expiry says when a message expires, or "" if it does not.
func expiry(m *signed.Message, now int64) string {
	if m.Expires == 0 {
		return ""
	}
	left := lasts(m.Expires - now)
	switch {
	case left >= 48*time.Hour:
		return "expires in " + cli.Age(left+12*time.Hour) // the nearest day
	case left >= 0:
		return "expires in " + cli.Age(left)
	}
	return "expired " + cli.Age(-left) + " ago"
}

// lasts converts milliseconds to a duration, cut at a hundred years.
func lasts(millis int64) time.Duration {
	const most = int64(100 * 366 * 24 * time.Hour / time.Millisecond)
	return time.Duration(min(max(millis, -most), most)) * time.Millisecond
}

// clockOf formats a time in the local zone, or returns "-" for none.
func clockOf(millis int64) string {
	if millis == 0 {
		return "-"
	}
	return cli.Minute(millis)
}

// bytesOf formats a number of bytes.
func bytesOf(n int64) string {
	switch {
	case n < 1<<10:
		return cli.Plural(int(n), "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// printed returns a message as it is printed, with its index entry and trust.
func (p *post) printed(m *signed.Message, t *trusted) printed.Letter {
	return printed.Letter{
		ID: m.ID, File: m.Key, Mailbox: m.Mailbox.Name, Box: m.Box, Own: p.Own.Has(m.Mailbox),
		From: m.From, To: m.To, Subject: m.Subject, Priority: m.Priority, Type: m.Type,
		InReplyTo: m.InReplyTo, Time: m.Time, Received: m.Received, Expires: m.Expires,
		Expired: m.Expires != 0 && m.Expires < p.Now, Status: m.Status,
		State: t.word(), Reason: t.why(), Key: t.Key, Step: t.step(),
	}
}
