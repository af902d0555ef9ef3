package amp

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

type mailView struct {
	*mailboxes
	w     *bufio.Writer
	paint cli.Paint
	f     *ampsource.Found
	msg   *amp.Message
	t     *ampsource.Judged
	files []ampsource.Attached
}

func (v *mailView) field(name, value string) { v.styledField(name, value, "") }

func (v *mailView) styledField(name, value, style string) {
	if value == "" {
		return
	}
	v.paint.Field(v.w, 11, name, v.paint.In(style, cli.WholeLine(value)))
}

func (v *mailView) text() {
	m := v.f.Message
	v.w.WriteString(v.paint.In(cli.Yellow, "message "+cli.WholeLine(cmp.Or(m.ID, m.Key))))
	if v.t.Err == nil {
		v.w.WriteString(" [" + m.Status + "]")
	}
	v.w.WriteByte('\n')
	v.field("From", m.From)
	v.field("To", m.To)
	v.field("Subject", m.Subject)
	v.field("Date", longTime(v.msg.Time, m.Time))
	v.field("Priority", m.Priority)
	v.field("Type", m.Type)
	if e := expiry(m, v.Now); e != "" {
		v.field("Expires", longTime(v.msg.Expires, m.Expires)+" ("+e+")")
	}
	v.replies()
	word, style := shown(v.t)
	v.styledField("Trust", word+": "+v.t.Why(), style)
	v.field("Key", v.t.Key)
	if len(v.t.Flags) > 0 {
		v.field("Hint", "suspicious words: "+strings.Join(v.t.Flags, ", "))
	}
	for i := range v.msg.Faults {
		v.field("Fault", v.msg.Faults[i].Rule+": "+v.msg.Faults[i].Reason)
	}
	where := m.Key
	if !v.Own.Has(m.Mailbox) {
		where += " (the mailbox of " + m.Mailbox.Name + ", not yours)"
	}
	v.field("File", where)
	if v.t.Err != nil {
		return
	}
	v.w.WriteByte('\n')
	cli.WriteText(v.w, v.msg.Payload.Text, "    ")
	if v.msg.Payload.Text == "" {
		v.w.WriteString("    (no text)\n")
	}
	v.context()
	v.attachments()
}

func (v *mailView) replies() {
	to := v.f.Placed.InReplyTo
	if v.f.Placed.Missing {
		to += " (not here)"
	}
	v.field("Reply to", to)
	for _, r := range v.Answers(v.f) {
		v.field("Answer", r.ID+" from "+r.From)
	}
}

func (v *mailView) context() {
	if len(v.msg.Payload.Context) == 0 {
		return
	}
	var b bytes.Buffer
	if json.Indent(&b, v.msg.Payload.Context, "", "  ") != nil {
		b.Write(v.msg.Payload.Context)
	}
	v.w.WriteString("\n" + v.paint.In(cli.Dim, "Context:") + "\n")
	cli.WriteText(v.w, b.String(), "    ")
}

func (v *mailView) attachments() {
	if len(v.files) == 0 {
		return
	}
	v.w.WriteString("\n" + v.paint.In(cli.Dim, "Attachments:") + "\n")
	for i := range v.files {
		f := &v.files[i]
		where := "here"
		switch {
		case f.Err != nil:
			where = "cannot be used: " + f.Err.Error()
		case f.File == "":
			where = "not on this machine"
		}
		scan := ""
		if f.ScanStatus != "" {
			scan = "scan " + cli.Line(f.ScanStatus) + ", "
		}
		fmt.Fprintf(v.w, "%3d  %s  %s, %s, %s%s\n", i+1, cli.WholeLine(f.Filename), cli.Line(f.ContentType), bytesOf(f.Size), scan, cli.Line(where))
	}
}

func (v *mailView) object() {
	out := printed.ReadLetter{
		Letter: v.printed(v.f.Message, v.t), Thread: v.f.Thread, Flags: v.t.Flags, Text: v.msg.Payload.Text,
		Context: v.msg.Payload.Context, Faults: cli.Faults(v.msg.Faults, v.msg.Raw),
	}
	for i := range v.files {
		f := &v.files[i]
		a := printed.Attached{
			ID: f.ID, Filename: f.Filename, Name: f.Name, Type: f.ContentType, Size: f.Size, Digest: f.Digest, Scan: f.ScanStatus, File: f.File,
		}
		if f.Err != nil {
			a.Problem = f.Err.Error()
		}
		out.Attachments = append(out.Attachments, a)
	}
	_ = cli.Print(v.w, out) // Flush returns the error
}

func longTime(t amp.Time, millis int64) string {
	if t.OK {
		millis = t.Millis
	}
	if millis == 0 {
		return t.Text
	}
	return cli.Second(millis)
}

// ampColumns is the greatest width of lines in lists.
const ampColumns = 80

// shown returns the word for a trust state, in capitals if it is a warning, and its colour.
func shown(t *ampsource.Judged) (word, style string) {
	switch {
	case t.Level() != panel.TrustWarn && t.State == amp.TrustVerified:
		return t.Word(), ""
	case t.Level() != panel.TrustWarn:
		return t.Word(), cli.Yellow
	case t.State == amp.TrustUntrusted:
		return "NOT TRUSTED", cli.Red
	}
	return "NOT TRUSTED: " + t.Word(), cli.Red
}

func expiry(m *ampsource.Message, now int64) string {
	if m.Expires == 0 {
		return ""
	}
	left := duration(m.Expires - now)
	switch {
	case left >= 48*time.Hour:
		return "expires in " + cli.Age(left+12*time.Hour) // the nearest day
	case left >= 0:
		return "expires in " + cli.Age(left)
	}
	return "expired " + cli.Age(-left) + " ago"
}

// duration converts milliseconds to a duration of at most a hundred years.
func duration(millis int64) time.Duration {
	const most = int64(100 * 366 * 24 * time.Hour / time.Millisecond)
	return time.Duration(min(max(millis, -most), most)) * time.Millisecond
}

func clockOf(millis int64) string {
	if millis == 0 {
		return "-"
	}
	return cli.Minute(millis)
}

func bytesOf(n int64) string {
	switch {
	case n < 1<<10:
		return cli.Plural(int(n), "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

func (p *mailboxes) printed(m *ampsource.Message, t *ampsource.Judged) printed.Letter {
	return printed.Letter{
		ID: m.ID, File: m.Key, Mailbox: m.Mailbox.Name, Box: m.Box, Own: p.Own.Has(m.Mailbox),
		From: m.From, To: m.To, Subject: m.Subject, Priority: m.Priority, Type: m.Type,
		InReplyTo: m.InReplyTo, Time: m.Time, Received: m.Received, Expires: m.Expires,
		Expired: m.Expires != 0 && m.Expires < p.Now, Status: m.Status,
		State: t.Word(), Reason: t.Why(), Key: t.Key, Step: t.Form(),
	}
}
