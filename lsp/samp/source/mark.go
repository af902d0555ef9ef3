package source

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// toMark holds the messages and threads of one directory to mark.
type toMark struct {
	keys    []sampstore.Key
	threads []string
}

// add adds the message or thread of a ref. It does not read messages, so that an unreadable
// message can be marked. A message that is gone is skipped later, so that the others are
// marked. A suspicious record is an error of kind Unsupported.
func (m *toMark) add(live *index.Live, r panel.Ref) error {
	if name, ok := threadName(live, r); ok {
		m.threads = append(m.threads, name)
		return nil
	}
	if key, ok := keyOf(r); ok {
		m.keys = append(m.keys, key)
		return nil
	}
	if strings.HasPrefix(r.ID, suspectMark) {
		return &panel.Error{Kind: panel.Unsupported, Message: "a suspicious record cannot be marked"}
	}
	return index.ErrNotFound
}

func (v *view) SetRead(ctx context.Context, refs []panel.Ref, read, watermark bool) error {
	in := make(map[*index.Live]*toMark)
	for _, r := range refs {
		s, err := v.find(r)
		if err != nil {
			return err
		}
		if in[s.live] == nil {
			in[s.live] = &toMark{}
		}
		if err := in[s.live].add(s.live, r); err != nil {
			return failure(err, "mark read")
		}
	}
	for _, s := range v.stores {
		m := in[s.live]
		if m == nil {
			continue
		}
		err := s.live.SetRead(m.keys, m.threads, read)
		if err == nil && watermark && read {
			err = s.live.MoveWatermark(ctx, v.source.host.Options.Now())
		}
		if err != nil {
			return failure(err, "mark read")
		}
	}
	return nil
}

func (v *view) Unread(r panel.Ref) (refs []panel.Ref) {
	in, name, err := v.threadOf(r)
	if err != nil {
		return nil
	}
	for _, key := range in.live.Unread(name) {
		refs = append(refs, mail.MessageRef(mail.SAMP, r.Store, key.From, key.ID))
	}
	return refs
}

func (v *view) Newest(ctx context.Context, from string) (panel.Ref, error) {
	s := v.first()
	if s.live == nil {
		return panel.Ref{}, failure(index.ErrNotFound, "reply")
	}
	if err := s.live.Settle(ctx); err != nil {
		return panel.Ref{}, failure(err, "reply")
	}
	newest, tied := s.live.Newest(from, v.source.host.Options.Now().Unix())
	switch {
	case len(tied) > 0:
		var who []string
		for i := range tied {
			who = append(who, show.Line(tied[i].From))
		}
		return panel.Ref{}, &panel.Error{Kind: panel.Ambiguous, Message: "several senders wrote in the newest second: " + strings.Join(who, ", "), Detail: "P2"}
	case newest == nil:
		return panel.Ref{}, &panel.Error{Kind: panel.NotFound, Message: "no message to reply to"}
	}
	return messageRef(s.live.Stats().ID, newest), nil
}

func (v *view) MessageDirectory(path string) check.MessageDirectory {
	for _, s := range v.stores {
		stats := s.live.Stats()
		if dir := filepath.Dir(path); stats.Exists && !stats.Indexing && (dir == s.path || dir == stats.Path) {
			return s.live
		}
	}
	return nil
}
