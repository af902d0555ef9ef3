package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Find returns the message with an id, or the thread with that id if there is no message, or
// nil. Ids are not signed, so several messages may have the same one. It answers only
// [panel.ByID].
func (v *view) Find(_ context.Context, by panel.Lookup, token string) *panel.Target {
	if by != panel.ByID || !isID(token) {
		return nil
	}
	hits := v.byID(token)
	if len(hits) == 0 {
		return v.findThread(token)
	}
	found := &panel.Target{Status: panel.LinkFound, Kind: panel.LinkMessage, Count: len(hits), Places: func() (list []panel.Place) {
		for _, h := range hits[:min(len(hits), panel.MaxPlaces)] {
			shown := v.own.Shown(h.Placed())
			list = append(list, place.InFile(v.Path, shown.Key, shown.ID))
		}
		return list
	}}
	if len(hits) > 1 {
		found.Status, found.Preview = panel.LinkAmbiguous, func(int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "%s is the id of %d messages:\n\n", markup.Code(show.Short(token)), len(hits))
			for _, h := range hits[:min(len(hits), show.HoverMost)] {
				b.WriteString("- " + v.headline(h.Thread, h.At) + "\n")
			}
			return b.String()
		}
		return found
	}
	t, at := hits[0].Thread, hits[0].At
	m := v.own.Shown(&t.Messages[at])
	thread, message := mail.ThreadRef(mail.AMP, v.ID, t.ID), messageRef(v.ID, m.Key)
	found.Time = show.Time(m.When())
	found.Thread, found.Message, found.Can = &thread, &message, []string{panel.CanReply}
	if v.unreadAt(&t.Messages[at]) {
		found.Can = append(found.Can, panel.CanMarkRead)
	}
	found.Title, _ = render.Line(m.From+" → "+m.To+": "+m.Subject, 80)
	found.Preview = func(most int) string { return v.preview(t, at, most) }
	return found
}

// Routes returns who wrote to whom in a thread, or with alone only in the message that the ref
// names.
func (v *view) Routes(_ context.Context, r panel.Ref, alone bool) (list []panel.Route, err error) {
	t, at, err := v.threadOf(r)
	if err != nil {
		return nil, err
	}
	list = routes(&v.own, t)
	if alone {
		list = list[max(at, 0) : at+1]
	}
	return list, nil
}

func (v *view) preview(t *ampstore.Thread, at, most int) string {
	msg, judged := v.judge(v.own.Shown(&t.Messages[at]))
	trust := judged.shown()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s · %s\n\n", v.headline(t, at), trust.Words(), markup.Escape(trust.Detail))
	b.WriteString(markup.Markdown(msg.Payload.Text, markup.Options{MaxBytes: show.HoverBody, TopHeading: 4}))
	if others := v.lines(t, at, most-1); others != "" {
		b.WriteString("\n\n---\n\n" + others)
	}
	return b.String()
}

// findThread returns the thread with an id, or nil. Such a thread has the id of
// its first message, which is not here.
func (v *view) findThread(id string) *panel.Target {
	t := v.Snapshot.Thread(id)
	if t == nil || len(t.Messages) == 0 {
		return nil
	}
	ref, first := mail.ThreadRef(mail.AMP, v.ID, t.ID), v.own.Shown(&t.Messages[0])
	return &panel.Target{
		Status: panel.LinkFound, Kind: panel.LinkThread, Thread: &ref, Title: title(t), Time: show.Time(t.Last),
		Preview: func(most int) string {
			return "**" + markup.Escape(title(t)) + "** · thread " + markup.Code(show.Short(t.ID)) + ", whose first message is not here\n\n" + v.lines(t, -1, most)
		},
		Places: func() []panel.Place { return []panel.Place{place.InFile(v.Path, first.Key, first.ID)} },
	}
}

// isID reports whether a token may name signed mail: a message by its id, or a
// thread whose id the store made from its file.
func isID(token string) bool {
	_, ok := amp.ParseID(token)
	return ok || strings.HasPrefix(token, "file-")
}

// byID returns the messages with an id, each once. If exactly one of the first
// judgedMost is trusted, it returns only that one, since anybody can write a message
// with another message's id.
func (v *view) byID(id string) (hits []ampstore.Located) {
	for _, m := range v.ByID(id) {
		if t, at := v.Message(m.Key); t != nil && !slices.Contains(hits, ampstore.Located{Thread: t, At: at}) {
			hits = append(hits, ampstore.Located{Thread: t, At: at})
		}
	}
	var trusted []ampstore.Located
	for _, h := range hits[:min(len(hits), judgedMost)] {
		if j := v.trust(v.own.Shown(h.Placed())); j.Level() != panel.TrustWarn {
			trusted = append(trusted, h)
		}
	}
	if len(trusted) == 1 {
		return trusted
	}
	return hits
}

func (v *view) headline(t *ampstore.Thread, at int) string {
	m := v.own.Shown(&t.Messages[at])
	words := "**" + markup.Escape(show.Short(m.From)) + " → " + markup.Escape(show.Short(m.To)) + "** · " + panel.When(show.Time(m.When()))
	if m.Priority != amp.Normal && m.Priority != "" {
		words += " · " + markup.Escape(show.Short(m.Priority))
	}
	return words + " · " + markup.Escape(show.Short(m.Subject))
}

// lines returns the last messages of a thread, one line each, at most limit. It leaves out the
// message at index except.
func (v *view) lines(t *ampstore.Thread, except, limit int) string {
	var list []string
	for i := range t.Messages {
		if i == except {
			continue
		}
		line, _ := render.Line(v.own.Shown(&t.Messages[i]).Excerpt, 160)
		list = append(list, "- "+v.headline(t, i)+": "+markup.Escape(line))
	}
	return strings.Join(list[max(0, len(list)-max(limit, 0)):], "\n")
}

// Knows reports whether a token is the id of a message or of a thread.
func (v *view) Knows(_ context.Context, token string) bool {
	return isID(token) && (len(v.ByID(token)) > 0 || v.Snapshot.Thread(token) != nil)
}

// messageMark starts the id of a ref to a message. The key of the message's file
// follows it.
const messageMark = "m/"

func messageRef(store, key string) panel.Ref {
	return panel.Ref{Protocol: mail.AMP, Store: store, ID: messageMark + key}
}

// threadOf returns the thread that a ref names, or that holds the message that the ref names.
// at is the message's index in the thread, or -1 if the ref names the thread.
func (v *view) threadOf(r panel.Ref) (t *ampstore.Thread, at int, err error) {
	if r.Store != v.ID {
		return nil, -1, &panel.Error{Kind: panel.NotFound, Message: "the ref's directory is not open"}
	}
	if key, ok := strings.CutPrefix(r.ID, messageMark); ok {
		t, at = v.Message(key)
	} else if id, ok := r.Thread(); ok {
		t, at = v.Snapshot.Thread(id), -1
	} else if digest, ok := r.ThreadDigest(); ok {
		i := slices.IndexFunc(v.Threads, func(t *ampstore.Thread) bool { return len(t.ID) > mail.MaxName && mail.Digest(t.ID) == digest })
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

// Name returns the id of a thread. Subjects are not names.
func (v *view) Name(r panel.Ref) (string, error) {
	t, _, err := v.threadOf(r)
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
	if errors.Is(err, ampstore.ErrChanged) || errors.Is(err, ampstore.ErrNoMailbox) {
		return &panel.Error{Kind: panel.Malformed, Message: what + ": " + show.Line(err.Error()), Err: err}
	}
	if file, ok := errors.AsType[*ampstore.FileError](err); ok && file.Rule != "" {
		return &panel.Error{Kind: panel.Malformed, Message: what + ": " + show.Line(err.Error()), Detail: file.Rule, Err: err}
	}
	return &panel.Error{Kind: panel.StoreUnavailable, Message: what + ": " + show.Line(err.Error()), Retryable: true, Err: err}
}
