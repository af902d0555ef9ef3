package amp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/amp"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/spf13/cobra"
)

type readFlags struct {
	save      string
	keep, yes bool
}

func (a *Commands) readCommand() *cobra.Command {
	var flags readFlags
	cmd := &cobra.Command{
		Use:   "read ID",
		Short: "Show a message: headers, how far it can be trusted and why, text, context, files",
		Long: `Show a whole message, and mark it as read if it is in your own inbox. Nothing in it is
run or fetched, and what a terminal would act on is shown as ⟨U+202E⟩.

--save-attachments copies its files into a folder, under names that are safe, once
their size and digest are what the message says: of two of one name the second is
saved as name-2.ext. A file that is there is never replaced. If the message is not trusted, or a scan found something, that has to be
confirmed.`,
		Example: `  signalbox amp read 30328b7b
  signalbox amp read 30328b7b --save-attachments files`,
		Args: cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return a.read(cmd.Context(), args[0], flags)
		}),
		ValidArgsFunction: cli.Completing(1, a.offerIDs),
	}
	f := cmd.Flags()
	f.StringVar(&flags.save, "save-attachments", "", "copy the files that came with it into this `directory`")
	f.BoolVar(&flags.keep, "keep-unread", false, "do not mark it as read")
	f.BoolVarP(&flags.yes, "yes", "y", false, "save files of a message that is not trusted without asking")
	_ = cmd.MarkFlagDirname("save-attachments")
	return cmd
}

func (a *Commands) read(ctx context.Context, ref string, flags readFlags) error {
	p, err := a.reads(ctx)
	if err != nil {
		return err
	}
	f, err := p.find(ref)
	if err != nil {
		return err
	}
	a.warnProblems(p, p.inOther(f.Mailbox))
	defer a.remember(ctx, p)
	msg, t := p.Judge(f.Message)
	files, err := p.Attachments(f.Message, &msg)
	if err != nil {
		return err
	}
	w := a.Writer()
	v := mailView{mailboxes: p, w: w, paint: a.Paint(), f: f, msg: &msg, t: &t, files: files}
	if a.JSON {
		v.object()
	} else {
		v.text()
	}
	if err := w.Flush(); err != nil {
		// Nobody saw the message, so it is not marked as read.
		return err
	}
	switch {
	case flags.keep:
	case a.Unseen && flags.save == "":
		return cli.ErrUnseen
	case a.Unseen:
		a.Warn("%v", cli.ErrUnseen)
	default:
		if err := p.markRead(ctx, f); err != nil {
			a.Warn("not marked as read: %v", err)
		}
	}
	if t.Err != nil {
		return cli.Silent(cli.ExitFailed)
	}
	if flags.save != "" {
		return a.saveAttachments(ctx, &v, flags)
	}
	return nil
}

// markRead marks the user's own copies of a message as read. Archived copies stay
// archived.
func (p *mailboxes) markRead(ctx context.Context, f *ampsource.Found) error {
	list := slices.DeleteFunc(p.mine(f, ampsource.Inbox), func(m *ampsource.Message) bool { return m.Status != amp.Unread || m.Err != nil })
	return p.SetStatus(ctx, list, amp.Read, time.UnixMilli(p.Now))
}

func (a *Commands) saveAttachments(ctx context.Context, v *mailView, flags readFlags) error {
	if len(v.files) == 0 {
		return errors.New("amp: the message has no attachments")
	}
	dir := a.Absolute(flags.save)
	s := a.Sheet()
	ask := false
	for i := range v.files {
		if doubt := ampsource.Doubt(&v.files[i], v.t.Level() == panel.TrustWarn, ": "+v.t.Word()); doubt != "" {
			ask = true
			s.Row("attachment "+strconv.Itoa(i+1), "%s: %s", v.files[i].Filename, doubt)
		}
	}
	if ask {
		if err := s.W.Flush(); err != nil {
			return err
		}
		if err := a.Confirm(flags.yes); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	failed := false
	names := savedNames(v.files)
	for i := range v.files {
		f := &v.files[i]
		err := f.Err
		path := filepath.Join(dir, names[i])
		switch {
		case err != nil:
		case f.Name == "" || f.File == "":
			err = errors.New("it is not on this machine")
		default:
			err = v.SaveAttachment(ctx, v.f.Message, v.msg, f.ID, path)
		}
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			failed = true
			a.Warn("attachment %d (%s) was not saved: %v", i+1, f.Filename, err)
			continue
		}
		a.Warn("saved %s (%s, as the message says)", path, bytesOf(f.Size))
	}
	if failed {
		return cli.Silent(cli.ExitFailed)
	}
	return nil
}

// savedNames returns the names to save attachments under: their own, or name-2.ext and so on if an
// earlier attachment has the name. Names are compared without case, because some disks ignore it.
func savedNames(files []ampsource.Attached) []string {
	taken, seen := make(map[string]bool), make(map[string]bool)
	for i := range files {
		taken[strings.ToLower(files[i].Name)] = true
	}
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Name
		own := strings.ToLower(names[i])
		if names[i] == "" || !seen[own] {
			seen[own] = true
			continue
		}
		for n := 2; taken[strings.ToLower(names[i])]; n++ {
			names[i] = numbered(files[i].Name, n)
		}
		taken[strings.ToLower(names[i])] = true
	}
	return names
}

// numbered inserts a number before the extension of a safe name, and cuts the name to
// [amp.MaxFilename].
func numbered(name string, n int) string {
	ext, tail := filepath.Ext(name), "-"+strconv.Itoa(n)
	if len(ext) > maxExtension {
		ext = ""
	}
	stem := strings.TrimSuffix(name, ext)
	return stem[:min(len(stem), amp.MaxFilename-len(tail)-len(ext))] + tail + ext
}

const maxExtension = 32
