package session

import (
	"bytes"
	"context"

	"github.com/signalbox-dev/signalbox/core/session"
)

// maxSought is how many bytes at the end of a transcript are looked through for a message that
// another session sent.
const maxSought = 16 << 20

// Lost says on messages that a session sent to others of its program why they did not arrive,
// where that is known: the programs call them sent. A message is lost if a session that has
// ended has it in its queue, and no session was given it that it can have gone to. Each
// transcript is read once.
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
	far := make(map[*session.Message]session.Trace)
	for _, it := range receivers {
		if ended(it) {
			it.trace(ctx, sent[it], far)
			continue
		}
		for _, m := range sent[it] {
			far[m] = session.Arrived // or it will
		}
	}
	for m, trace := range far {
		if trace == session.Queued {
			m.Lose(m.To + " ended before it read this")
		}
	}
}

// Receivers returns the sessions that a message of a session can have gone to, the newest
// first: those of its program that go by the receiver's name and had begun.
func (s *Snapshot) Receivers(from *Item, m *session.Message) (list []*Item) {
	for _, it := range s.Items {
		own := s.Item(it.Key()) // the list's may have been given another name
		if own == nil || it.Key() == from.Key() || it.Format.Client != from.Format.Client {
			continue
		}
		if m.To != "" && own.Alias == m.To && (!m.Time.OK || it.Begun <= m.Time.Millis) {
			list = append(list, it)
		}
	}
	return list
}

// trace finds how far messages of another session came, by the end of a session's transcript.
// What cannot be read tells nothing.
func (it *Item) trace(ctx context.Context, list []*session.Message, far map[*session.Message]session.Trace) {
	f, size, err := it.open()
	if err != nil {
		return
	}
	defer f.Close()
	r := &reader{ctx: ctx, item: it, f: f, size: size}
	data, err := r.read(max(0, size-maxSought), size)
	if err != nil {
		return
	}
	for line := range bytes.Lines(data) {
		for _, m := range list {
			far[m] = max(far[m], it.Format.Trace(line, m))
		}
	}
}
