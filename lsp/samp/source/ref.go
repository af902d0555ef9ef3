package source

import (
	"context"
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

func threadRef(dir, name string) panel.Ref { return mail.ThreadRef(mail.SAMP, dir, name) }

func messageRef(dir string, m *index.Message) panel.Ref {
	return mail.MessageRef(mail.SAMP, dir, m.From, m.Key)
}

const suspectMark = "s/"

// suspectRef returns a ref that identifies a suspicious record by its file and line, since
// its id proves nothing.
func suspectRef(dir string, m *index.Message) panel.Ref {
	return mail.Ref{Protocol: mail.SAMP, Store: dir, ID: suspectMark + m.File + ":" + strconv.Itoa(m.Line)}
}

// keyOf returns the key of a message's ref.
func keyOf(r panel.Ref) (sampstore.Key, bool) {
	from, id, ok := r.Message()
	return sampstore.Key{From: from, ID: id}, ok
}

// threadName returns the thread's name in a ref, and whether the ref is a thread's and the
// name is known.
func threadName(live *index.Live, r panel.Ref) (string, bool) {
	if digest, ok := r.ThreadDigest(); ok {
		return live.LongName(digest)
	}
	return r.Thread()
}

// threadOf returns the directory and the name of the thread of a ref, which may be a thread's
// or a message's.
func (v *view) threadOf(r panel.Ref) (in opened, name string, err error) {
	if in, err = v.find(r); err != nil {
		return in, "", err
	}
	if name, ok := threadName(in.live, r); ok {
		return in, name, nil
	}
	key, ok := keyOf(r)
	if !ok {
		return in, "", index.ErrNotFound
	}
	m, err := in.live.Get(key)
	return in, m.Thread, err
}

// failure returns a store's error as a [*panel.Error] with a kind. It returns context errors
// unchanged.
func failure(err error, what string) error {
	line := func() string { s, _ := render.Line(err.Error(), 500); return s }
	if known, ok := errors.AsType[*panel.Error](err); ok {
		return known
	}
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		kind := panel.Malformed
		switch {
		case fault.Rule == "L2" && fault.Field == "from":
			kind = panel.AliasInvalid
		case fault.Rule == "R4":
			kind = panel.TooLarge
		}
		return &panel.Error{Kind: kind, Message: what + ": " + line(), Detail: fault.Rule, Err: err}
	}
	switch {
	case errors.Is(err, index.ErrNotFound):
		return &panel.Error{Kind: panel.NotFound, Message: what + ": not found", Err: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &panel.Error{Kind: panel.StoreUnavailable, Message: what + ": " + line(), Retryable: true, Err: err}
}
