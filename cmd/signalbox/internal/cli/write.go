package cli

import (
	"context"
	"errors"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// Writing is what composing a message needs.
type Writing struct {
	// Dir is nil if the message directory does not exist yet. It is made when there is a
	// message to write.
	Dir     *store.Dir
	Me      string
	Profile samp.Profile
}

// Written is a message that was written.
type Written struct {
	samp.Record
	// Made is the directory that was made for it, "" if it was there.
	Made string
}

// Write composes a message and appends it to the log of the alias that is written as.
func (o *Options) Write(ctx context.Context, compose func(*Writing) (samp.Record, error)) (Written, error) {
	me, err := o.Alias()
	if err != nil {
		return Written{}, err
	}
	where := o.Locate()
	w := Writing{Me: me}
	w.Dir, err = store.Open(where.Value)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.Profile, _ = samp.ParseProfile(o.Profile)
	case err != nil:
		return Written{}, err
	default:
		defer w.Dir.Close()
		if err := w.Dir.CheckWriter(me); err != nil {
			if _, taken := errors.AsType[*canon.Fault](err); taken {
				return Written{}, Usage(err) // another alias can write here
			}
			return Written{}, err
		}
		if w.Profile, err = o.Form(ctx, w.Dir); err != nil {
			return Written{}, err
		}
	}
	r, err := compose(&w)
	if err != nil {
		return Written{}, err
	}
	done, d := Written{Record: r}, w.Dir
	if d == nil {
		if d, err = store.Create(where.Value); err != nil {
			return Written{}, err
		}
		defer d.Close()
		done.Made = d.Path()
	}
	_, err = d.Append(&done.Record)
	return done, err
}
