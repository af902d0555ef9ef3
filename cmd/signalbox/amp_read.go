package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/spf13/cobra"
)

// readFlags say what reading does beside showing.
type readFlags struct {
	save      string
	keep, yes bool
}

func (a *mails) readCommand() *cobra.Command {
	var flags readFlags
	cmd := &cobra.Command{
		Use:   "read ID",
		Short: "Show a message: headers, how far it can be trusted and why, text, context, files",
		Long: `Show a message whole, and mark it read if it is in your own inbox. Nothing in it is
run or fetched, and what a terminal would act on is shown as ⟨U+202E⟩.

--save-attachments copies its files into a folder, under names that are safe, once
their size and digest are what the message says; a file that is there is never
replaced. If the message is not trusted, or a scan found something, that has to be
confirmed.`,
		Example: `  signalbox amp read 30328b7b
  signalbox amp read 30328b7b --save-attachments files`,
		Args: ampArgs("read ID", 1, 1),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd, "save-attachments"); err != nil {
				return err
			}
			return a.read(cmd.Context(), args[0], flags)
		}),
		ValidArgsFunction: a.completeIDs,
	}
	f := cmd.Flags()
	f.StringVar(&flags.save, "save-attachments", "", "copy the files that came with it into this `directory`")
	f.BoolVar(&flags.keep, "keep-unread", false, "do not mark it read")
	f.BoolVarP(&flags.yes, "yes", "y", false, "save files of a message that is not trusted without asking")
	_ = cmd.MarkFlagDirname("save-attachments")
	return cmd
}

func (a *mails) read(ctx context.Context, ref string, flags readFlags) error {
	p, err := a.post(ctx)
	if err != nil {
		return err
	}
	f, err := p.find(ref)
	if err != nil {
		return err
	}
	msg, t := p.judge(f.Message)
	files, err := p.attached(f, &msg)
	if err != nil {
		return err
	}
	w := a.writer()
	v := mailView{post: p, w: w, paint: a.paint(), f: f, msg: &msg, t: &t, files: files}
	if a.json {
		v.object()
	} else {
		v.text()
	}
	if err := w.Flush(); err != nil {
		// Who did not see the message has not read it.
		return err
	}
	if !flags.keep {
		if err := a.markRead(ctx, p, f); err != nil {
			a.warn("not marked as read: %v", err)
		}
	}
	if t.err != nil {
		return silent(exitFailed)
	}
	if flags.save != "" {
		return a.saveAttachments(ctx, &v, flags)
	}
	return nil
}

// attached says where the files of a message lie.
func (p *post) attached(f *found, msg *amp.Message) ([]mailbox.Attached, error) {
	if len(msg.Payload.Attachments) == 0 {
		return nil, nil
	}
	box, err := mailbox.Open(p.Path, f.Mailbox.Dir)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	return box.Attachments(msg), nil
}

// markRead marks the user's own copies of a message as read. What is archived
// stays so.
func (a *mails) markRead(ctx context.Context, p *post, f *found) error {
	for _, m := range f.own(p, mailbox.Inbox) {
		if m.Status != amp.Unread || m.Err != nil {
			continue
		}
		if err := a.setStatus(ctx, p, []*mailbox.Message{m}, amp.Read); err != nil {
			return err
		}
	}
	return nil
}

// saveAttachments copies the files of a message out of its mailbox.
func (a *mails) saveAttachments(ctx context.Context, v *mailView, flags readFlags) error {
	if len(v.files) == 0 {
		return errors.New("amp: the message has no attachments")
	}
	dir := a.absolute(flags.save)
	s := a.sheet()
	ask := false
	for i := range v.files {
		if doubt := v.doubt(&v.files[i]); doubt != "" {
			ask = true
			s.row("attachment "+strconv.Itoa(i+1), "%s: %s", v.files[i].Filename, doubt)
		}
	}
	if ask {
		if err := s.w.Flush(); err != nil {
			return err
		}
		if err := a.confirm(flags.yes); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	box, err := mailbox.Open(v.Path, v.f.Mailbox.Dir)
	if err != nil {
		return err
	}
	defer box.Close()
	failed := false
	for i := range v.files {
		f := &v.files[i]
		err := f.Err
		path := filepath.Join(dir, f.Name)
		switch {
		case err != nil:
		case f.Name == "" || f.File == "":
			err = errors.New("it is not on this machine")
		default:
			err = box.SaveAttachment(ctx, v.msg, f.ID, path)
		}
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			failed = true
			a.warn("attachment %d (%s) was not saved: %v", i+1, f.Filename, err)
			continue
		}
		a.warn("saved %s (%s, as the message says)", path, bytesOf(f.Size))
	}
	if failed {
		return silent(exitFailed)
	}
	return nil
}

// mailView writes one message.
type mailView struct {
	*post
	w     *bufio.Writer
	paint paint
	f     *found
	msg   *amp.Message
	t     *trusted
	files []mailbox.Attached
}

// doubt is why a person has to agree before a file is saved, or empty.
func (v *mailView) doubt(f *mailbox.Attached) string {
	switch {
	case f.ScanStatus == amp.Suspicious:
		return "the sender's provider found it suspicious"
	case f.ScanStatus == amp.Pending || f.ScanStatus == amp.Rejected:
		return "its scan is " + f.ScanStatus + " (ATT-6)"
	case v.t.doubtful():
		return "the message that it came with is not trusted: " + v.t.word()
	}
	return ""
}

func (v *mailView) field(name, value string) { v.styledField(name, value, "") }

func (v *mailView) styledField(name, value, style string) {
	if value == "" {
		return
	}
	value = threadName(value)
	if style != "" {
		value = v.paint.in(style, value)
	}
	v.w.WriteString(v.paint.in(dim, pad(name+":", 11)) + value + "\n")
}

func (v *mailView) text() {
	m := v.f.Message
	v.w.WriteString(v.paint.in(yellow, "message "+threadName(cmp.Or(m.ID, m.Key))))
	if v.t.err == nil {
		v.w.WriteString(" [" + m.Status + "]")
	}
	v.w.WriteByte('\n')
	v.field("From", m.From)
	v.field("To", m.To)
	v.field("Subject", m.Subject)
	v.field("Date", longTime(v.msg.Time, m.Time))
	v.field("Priority", m.Priority)
	v.field("Type", m.Type)
	if e := expiry(m, v.now); e != "" {
		v.field("Expires", longTime(v.msg.Expires, m.Expires)+" ("+e+")")
	}
	v.replies()
	v.styledField("Trust", v.t.shown()+": "+v.t.why(), v.t.style())
	v.field("Key", v.t.Key)
	if len(v.t.Flags) > 0 {
		v.field("Hint", "suspicious words: "+strings.Join(v.t.Flags, ", "))
	}
	for i := range v.msg.Faults {
		v.field("Fault", v.msg.Faults[i].Rule+": "+v.msg.Faults[i].Reason)
	}
	where := m.Key
	if !v.mine(m.Mailbox) {
		where += " (the mailbox of " + m.Mailbox.Name + ", not yours)"
	}
	v.field("File", where)
	if v.t.err != nil {
		return
	}
	v.w.WriteByte('\n')
	writeText(v.w, v.msg.Payload.Text, "    ")
	if v.msg.Payload.Text == "" {
		v.w.WriteString("    (no text)\n")
	}
	v.context()
	v.attachments()
}

// replies says where in its conversation the message stands.
func (v *mailView) replies() {
	at := &v.f.thread.Messages[v.f.at]
	switch {
	case at.InReplyTo == "":
	case at.Missing:
		v.field("Reply to", at.InReplyTo+" (not here)")
	default:
		v.field("Reply to", at.InReplyTo)
	}
	for i := range v.f.thread.Messages {
		if r := &v.f.thread.Messages[i]; r.Parent == v.f.at {
			v.field("Answer", r.ID+" from "+r.From)
		}
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
	v.w.WriteString("\n" + v.paint.in(dim, "Context:") + "\n")
	writeText(v.w, b.String(), "    ")
}

func (v *mailView) attachments() {
	if len(v.files) == 0 {
		return
	}
	v.w.WriteString("\n" + v.paint.in(dim, "Attachments:") + "\n")
	for i := range v.files {
		f := &v.files[i]
		where := "here"
		switch {
		case f.Err != nil:
			where = "cannot be used: " + f.Err.Error()
		case f.File == "":
			where = "not on this machine"
		}
		fmt.Fprintf(v.w, "%3d  %s  %s, %s, scan %s, %s\n", i+1, threadName(f.Filename), line(f.ContentType), bytesOf(f.Size), line(f.ScanStatus), line(where))
	}
}

func (v *mailView) object() {
	out := v.ampObject(v.w, v.f.Message, v.t)
	out.text("thread", v.f.thread.ID).list("flags", v.t.Flags).text("text", v.msg.Payload.Text)
	if len(v.msg.Payload.Context) > 0 {
		out.raw("context", v.msg.Payload.Context)
	}
	out.name("attachments")
	v.w.WriteByte('[')
	for i := range v.files {
		if i > 0 {
			v.w.WriteByte(',')
		}
		f := &v.files[i]
		o := object{w: v.w}
		o.text("id", f.ID).text("filename", f.Filename).text("name", f.Name).text("type", f.ContentType).number("size", f.Size)
		o.text("digest", f.Digest).text("scan", f.ScanStatus).text("file", f.File)
		if f.Err != nil {
			o.text("problem", f.Err.Error())
		}
		v.w.WriteByte('}')
	}
	v.w.WriteByte(']')
	out.name("faults")
	writeAmpFaults(v.w, v.msg.Faults, v.msg.Raw)
	out.end()
}

// longTime is a time in the local zone, or what the message says instead.
func longTime(t amp.Time, millis int64) string {
	if t.OK {
		millis = t.Millis
	}
	if millis == 0 {
		return t.Text
	}
	return time.UnixMilli(millis).Format("2006-01-02 15:04:05 -0700")
}
