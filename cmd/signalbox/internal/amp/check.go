package amp

import (
	"context"
	"errors"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/spf13/cobra"
)

func (a *Commands) checkCommand() *cobra.Command {
	var notes bool
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Hold messages against every rule of the format",
		Long: `Check messages, one in each FILE, and print "FILE: ok", or a line
"FILE: <rule id>: message" for each rule that is broken. Exit code 1 if there is one;
"-" is stdin. Signatures are "signalbox amp verify"'s.

A message over the limit of 512 KiB, or deeper than 64 levels, is refused without
being read any further.

Notes break no rule and are shown by --notes: what real senders do and a reader
copes with, such as null for what is left out.`,
		Example: `  signalbox amp check message.json
  signalbox amp check --notes messages/inbox/*/*.json`,
		Args: cli.Args(1, -1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args, notes)
		}),
	}
	cmd.Flags().BoolVar(&notes, "notes", false, "show notes, too")
	return cmd
}

func (a *Commands) check(ctx context.Context, names []string, notes bool) error {
	out := a.Checked(notes)
	err := a.eachFile(ctx, names, func(f *messageFile) error {
		a.checked(out, f)
		return nil
	})
	if err != nil {
		return err
	}
	return out.End()
}

func (a *Commands) checked(out *cli.Checked, f *messageFile) {
	found := f.msg.Findings
	if bad, ok := errors.AsType[*canon.Fault](f.err); ok {
		found.Faults = []canon.Fault{*bad}
	} else if f.err != nil {
		out.Failed = true
		a.Warn("%s: %v", f.name, f.err)
		return
	}
	if a.JSON {
		out.Failed = out.Failed || len(found.Faults) > 0
		_ = cli.Print(out.W, printed.CheckedLetter{ // Flush returns the error
			File: f.name, OK: len(found.Faults) == 0, ID: f.msg.ID, Faults: cli.Faults(found.Faults, f.data), Notes: cli.Faults(found.Notes, f.data),
		})
		return
	}
	out.File(cli.FileName(f.name), found, func(string) bool { return false })
}

type messageFile struct {
	name string
	data []byte
	msg  amp.Message
	err  error // why there is no message: a *canon.Fault or a file error
}

// eachFile reads the given files, one after the other. "-" is stdin and may be given once.
func (a *Commands) eachFile(ctx context.Context, names []string, each func(f *messageFile) error) error {
	if at := slices.Index(names, "-"); at >= 0 && slices.Contains(names[at+1:], "-") {
		return cli.Usage(errors.New("stdin was given twice"))
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := &messageFile{name: name}
		if f.data, f.err = a.readStored(name); f.err == nil {
			f.msg, f.err = amp.ParseMessage(f.data)
		}
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

const maxRead = 8 << 20

func (a *Commands) readStored(name string) ([]byte, error) {
	data, err := a.ReadInput(name, maxRead)
	if k, ok := errors.AsType[*disk.KindError](err); ok && k.Kind.IsDir() {
		return nil, errors.New("it is a directory, and messages are files: name those in it")
	} else if err != nil {
		return nil, cli.FileCause(err)
	}
	return data, nil
}
