package amp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// messageFile is one file that a user named, with the message in it.
type messageFile struct {
	// name is the file as the user named it.
	name string
	data []byte
	msg  amp.Message
	// err says why there is no message: a *canon.Fault or a file error.
	err error
}

// eachFile reads the files that a user named, one after the other. "-" is stdin and
// may be named once.
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

// readStored reads a message. Of a message that is too long it reads just enough to
// tell.
func (a *Commands) readStored(name string) ([]byte, error) {
	in := a.In
	if name != "-" {
		f, err := disk.OpenNamed(a.Absolute(name))
		if k, ok := errors.AsType[*disk.KindError](err); ok && k.Kind.IsDir() {
			return nil, errors.New("it is a directory, and messages are files: name those in it")
		}
		if err != nil {
			return nil, cli.FileCause(err)
		}
		defer f.Close()
		in = f
	}
	switch info, err := in.Stat(); {
	case err != nil:
		return nil, cli.FileCause(err)
	case info.Mode().IsRegular() && info.Size() > amp.MaxStored:
		return nil, ampTooLong(fmt.Sprintf("is %d bytes long", info.Size()))
	}
	data, err := io.ReadAll(io.LimitReader(in, amp.MaxStored+1))
	switch {
	case err != nil:
		return nil, cli.FileCause(err)
	case len(data) > amp.MaxStored:
		return nil, ampTooLong(fmt.Sprintf("is longer than %d bytes", amp.MaxStored))
	}
	return data, nil
}

func ampTooLong(how string) error {
	return &canon.Fault{Rule: "PAY-8", Offset: amp.MaxMessage, Reason: fmt.Sprintf("the message %s, and %d is the limit", how, amp.MaxMessage)}
}
