package amp

import (
	"bufio"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"golang.org/x/text/width"
)

// ampColumns is how wide the lines of lists are at most.
const ampColumns = 80

// fit is one safe line of at most so many columns, of which wide characters take
// two.
func fit(s string, most int) string {
	for chars := most; ; {
		shown, _ := render.Line(s, chars)
		over := columnsOf(shown) - most
		if over <= 0 || chars <= 2 {
			return shown
		}
		chars = utf8.RuneCountInString(shown) - max(1, over/2)
	}
}

func columnsOf(s string) (n int) {
	for _, r := range s {
		n++
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}

// trusted is what is known of the trust in a message that is shown.
type trusted struct {
	amp.Trust
	// err is why the message cannot be read at all.
	err error
}

// judge reads a message and says how far it can be trusted.
func (p *post) judge(m *mailbox.Message) (amp.Message, trusted) {
	if m.Err != nil {
		return amp.Message{}, trusted{err: m.Err}
	}
	msg, t, err := p.Trust(m, p.pins, p.now)
	return msg, trusted{t, err}
}

// word is the trust in a word or two.
func (t *trusted) word() string {
	if t.err != nil {
		return "not readable"
	}
	return string(t.State)
}

// shown is the word as it stands out where a person has to know.
func (t *trusted) shown() string {
	switch {
	case !t.doubtful():
		return t.word()
	case t.State == amp.TrustUntrusted:
		return "NOT TRUSTED"
	}
	return "NOT TRUSTED: " + t.word()
}

// why is the reason for it.
func (t *trusted) why() string {
	if bad, ok := errors.AsType[*canon.Fault](t.err); ok {
		return bad.Reason + " (" + bad.Rule + ")"
	}
	if t.err != nil {
		return t.err.Error()
	}
	return t.Reason
}

// step is how the signature was found right, or empty.
func (t *trusted) step() string {
	if t.Step == amp.NotVerified {
		return ""
	}
	return t.Step.String()
}

// doubtful tells that a person has to know before they act on the message.
func (t *trusted) doubtful() bool {
	switch t.State {
	case amp.TrustVerified, amp.TrustExternal, amp.TrustExpired, amp.TrustRepeated:
		return t.err != nil
	}
	return true
}

// style is the colour of the word.
func (t *trusted) style() string {
	switch {
	case t.doubtful():
		return cli.Red
	case t.State == amp.TrustVerified:
		return ""
	}
	return cli.Yellow
}

// expiry words when a message expires, or is empty.
func expiry(m *mailbox.Message, now int64) string {
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

// lasts is a time in milliseconds that may be too long for a duration.
func lasts(millis int64) time.Duration {
	const most = int64(100 * 366 * 24 * time.Hour / time.Millisecond)
	return time.Duration(min(max(millis, -most), most)) * time.Millisecond
}

// clockOf is a time in the local zone, or "-" for none.
func clockOf(millis int64) string {
	if millis == 0 {
		return "-"
	}
	return cli.Minute(millis)
}

// bytesOf words a number of bytes.
func bytesOf(n int64) string {
	switch {
	case n < 1<<10:
		return cli.Plural(int(n), "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// ampObject begins the JSON object of a message with what its index and the trust
// in it say.
func (p *post) ampObject(w *bufio.Writer, m *mailbox.Message, t *trusted) *cli.Object {
	out := cli.NewObject(w)
	out.Text("id", m.ID).Text("file", m.Key).Text("mailbox", m.Mailbox.Name).Text("box", m.Box).Bool("own", p.own.Has(m.Mailbox))
	out.Text("from", m.From).Text("to", m.To).Text("subject", m.Subject).Text("priority", m.Priority).Text("type", m.Type)
	out.Text("inReplyTo", m.InReplyTo).Number("time", m.Time).Number("received", m.Received).Number("expires", m.Expires)
	out.Bool("expired", m.Expires != 0 && m.Expires < p.now).Text("status", m.Status)
	out.Text("state", t.word()).Text("reason", t.why()).Text("key", t.Key)
	out.Text("step", t.step())
	return out
}
