package amp

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// messageMark starts the id of a ref to a message. The key of the message's file
// follows it.
const messageMark = "m/"

func messageRef(store, key string) panel.Ref {
	return panel.Ref{Protocol: mail.AMP, Store: store, ID: messageMark + key}
}

// conversationOf returns the thread that a ref names or whose message it names. at is
// the message's index in the thread, or -1 if the ref names the thread.
func (v *view) conversationOf(r panel.Ref) (t *mailbox.Thread, at int, err error) {
	if r.Store != v.ID {
		return nil, -1, &panel.Error{Kind: panel.NotFound, Message: "the ref's directory is not open"}
	}
	if key, ok := strings.CutPrefix(r.ID, messageMark); ok {
		t, at = v.Message(key)
	} else if id, ok := r.Thread(); ok {
		t, at = v.Snapshot.Thread(id), -1
	} else if digest, ok := r.ThreadDigest(); ok {
		i := slices.IndexFunc(v.Threads, func(t *mailbox.Thread) bool { return len(t.ID) > mail.MaxName && mail.Digest(t.ID) == digest })
		if i >= 0 {
			t, at = v.Threads[i], -1
		}
	}
	if t == nil {
		return nil, -1, &panel.Error{Kind: panel.NotFound, Message: "the message is not there any more"}
	}
	return t, at, nil
}

func (v *view) Cursor(r panel.Ref) (string, bool) { return strings.CutPrefix(r.ID, messageMark) }

// Name returns the id of a thread. Its messages have subjects, which are no names.
func (v *view) Name(r panel.Ref) (string, error) {
	t, _, err := v.conversationOf(r)
	if err != nil {
		return "", err
	}
	return t.ID, nil
}

// failure returns an error of the store as an [*panel.Error] with a kind for clients. A
// cancelled or timed-out context's error is returned as it is. what names the action
// that failed.
func failure(err error, what string) error {
	if known, ok := errors.AsType[*panel.Error](err); ok {
		return known
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		return &panel.Error{Kind: panel.Malformed, Message: what + ": " + show.Line(fault.Reason), Detail: fault.Rule, Err: err}
	}
	if errors.Is(err, mailbox.ErrChanged) || errors.Is(err, mailbox.ErrNoMailbox) {
		return &panel.Error{Kind: panel.Malformed, Message: what + ": " + show.Line(err.Error()), Err: err}
	}
	if file, ok := errors.AsType[*mailbox.FileError](err); ok && file.Rule != "" {
		return &panel.Error{Kind: panel.Malformed, Message: what + ": " + show.Line(err.Error()), Detail: file.Rule, Err: err}
	}
	return &panel.Error{Kind: panel.StoreUnavailable, Message: what + ": " + show.Line(err.Error()), Retryable: true, Err: err}
}
