package session

import (
	"bytes"
	"context"

	"github.com/signalbox-dev/signalbox/core/session"
)

// maxTraced is how many bytes at the end of a transcript are searched for a message from
// another session.
const maxTraced = 16 << 20

// Lost sets, on messages that a session sent to others of its program, why they did not
// arrive, if that is known: the programs report them as sent. A message is lost if it is in
// the queue of a session that has ended, and no possible receiver got it. Each transcript is
// read once.
func (s *Snapshot) Lost(ctx context.Context, from *Item, list []session.Message, ended func(*Item) bool) {
	if from.Format.Trace == nil {
		return
	}
	var receivers []*Item
	sent := make(map[*Item][]*session.Message)
	for i := range list {
		if m := &list[i]; m.Sent != "" && m.Lost == "" {
			for _, it := range s.Receivers(from, m) {
				if sent[it] == nil {
					receivers = append(receivers, it)
				}
				sent[it] = append(sent[it], m)
			}
		}
	}
	progress := make(map[*session.Message]session.Trace)
	for _, it := range receivers {
		if ended(it) {
			it.trace(ctx, sent[it], progress)
			continue
		}
		for _, m := range sent[it] {
			progress[m] = session.Arrived // it arrived, or will arrive
		}
	}
	for m, trace := range progress {
		if trace == session.Queued {
			m.Lose(m.To + " ended before it read this")
		}
	}
}

// Receivers returns the sessions that may have received a session's message, newest first:
// those of its program that have the receiver's name and had begun.
func (s *Snapshot) Receivers(from *Item, m *session.Message) (list []*Item) {
	for _, it := range s.Items {
		own := s.Item(it.Key()) // the list's copy may have another name
		if own == nil || it.Key() == from.Key() || it.Format.Client != from.Format.Client {
			continue
		}
		if m.To != "" && own.Alias == m.To && (!m.Time.OK || it.Begun <= m.Time.Millis) {
			list = append(list, it)
		}
	}
	return list
}

// trace finds out how far another session's messages came, from the end of a session's
// transcript. It ignores errors.
func (it *Item) trace(ctx context.Context, list []*session.Message, progress map[*session.Message]session.Trace) {
	f, size, err := it.open()
	if err != nil {
		return
	}
	defer f.Close()
	r := &reader{ctx: ctx, item: it, f: f, size: size}
	data, err := r.read(max(0, size-maxTraced), size)
	if err != nil {
		return
	}
	for line := range bytes.Lines(data) {
		for _, m := range list {
			progress[m] = max(progress[m], it.Format.Trace(line, m))
		}
	}
}
