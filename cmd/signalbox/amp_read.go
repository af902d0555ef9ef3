package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"

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
