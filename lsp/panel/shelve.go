package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// ShelveParams are the params of signalbox/thread/shelve. A message's ref stands for
// its thread. Exactly one of Archived and SnoozeUntil is set.
//
// What is put away is the user's own state: in a message directory, in a project and
// in the mailboxes of others nothing is written. Signed mail that the user received
// is archived in their own mailbox, where other programs see it too.
type ShelveParams struct {
	Refs     []Ref `json:"refs"`
	Archived *bool `json:"archived,omitempty"`
	// SnoozeUntil is when the threads come back, in Unix milliseconds; 0 brings them
	// back at once. New mail to the user does so too.
	SnoozeUntil *int64 `json:"snoozeUntil,omitempty"`
}

// longestSnooze is how far ahead a thread can be snoozed, in milliseconds.
const longestSnooze = 10 * 366 * 24 * 3600 * 1000

// check refuses what cannot be meant.
func (q *ShelveParams) check(now int64) error {
	switch {
	case (q.Archived == nil) == (q.SnoozeUntil == nil):
		return &Error{Kind: Malformed, Message: "one of archived and snoozeUntil is to be given", Detail: "archived"}
	case q.SnoozeUntil == nil || *q.SnoozeUntil == 0:
		return nil
	case *q.SnoozeUntil <= now:
		return &Error{Kind: Malformed, Message: "the time to snooze until is over", Detail: "snoozeUntil"}
	case *q.SnoozeUntil > now+longestSnooze:
		return &Error{Kind: Malformed, Message: "the time to snooze until is more than ten years ahead", Detail: "snoozeUntil"}
	}
	return nil
}

// shelving is a request under way: what is to be put away and what to be taken back.
type shelving struct {
	q       *ShelveParams
	now     int64
	signed  mailNow
	views   []view
	put     map[shelf.Key]shelf.Entry
	back    []shelf.Key
	archive []Ref // of signed mail, to be archived in the mailbox
	restore []Ref
}

// Shelve archives or snoozes threads of every format, or takes them back.
func (p *Panels) Shelve(ctx context.Context, q ShelveParams) (Counts, error) {
	if p.readOnly() {
		return Counts{}, &Error{Kind: Untrusted, Message: "read-only: the workspace is not trusted, so nothing is put away"}
	}
	if err := p.settled(ctx); err != nil {
		return Counts{}, err
	}
	s := shelving{q: &q, now: p.now(), signed: p.mailNow(ctx), put: map[shelf.Key]shelf.Entry{}}
	s.views = p.views(ctx, s.signed.shelf)
	if err := q.check(s.now); err != nil {
		return Counts{}, err
	}
	for _, r := range q.Refs {
		if err := p.shelveOne(&s, r); err != nil {
			return Counts{}, err
		}
	}
	if err := p.putAway(ctx, s.put, s.back); err != nil {
		return Counts{}, err
	}
	for _, m := range []struct {
		refs   []Ref
		status string
	}{{s.archive, amp.Archived}, {s.restore, amp.Read}} {
		if len(m.refs) == 0 {
			continue
		}
		if err := p.ampMark(ctx, m.refs, func(at *mailbox.Message) (string, bool) {
			return m.status, (at.Status == amp.Archived) != (m.status == amp.Archived)
		}); err != nil {
			return Counts{}, err
		}
	}
	if len(q.Refs) > 0 {
		p.shelfChanged() // other views of this client
	}
	return p.counts(ctx), nil
}

// putAway writes what was put away and taken back.
func (p *Panels) putAway(ctx context.Context, put map[shelf.Key]shelf.Entry, back []shelf.Key) error {
	p.mu.RLock()
	on := p.shelf
	p.mu.RUnlock()
	if on == nil || len(put)+len(back) == 0 {
		return nil
	}
	if err := on.Put(ctx, put, append(back, p.ended(ctx)...)); err != nil {
		return shelfFailure(err)
	}
	return nil
}

// ended returns the entries of threads that new mail has brought back, so that the
// file does not keep them for ever.
func (p *Panels) ended(ctx context.Context) (keys []shelf.Key) {
	now := p.shelfNow()
	for _, v := range p.views(ctx, now) {
		for key, e := range now.Entries {
			if key.Ref.Protocol != v.Protocol {
				continue
			}
			if own, mail, err := v.ShelfKey(key.Ref); err == nil && own == key && mail > e.Mail {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func (p *Panels) shelveOne(s *shelving, r Ref) error {
	for _, v := range s.views {
		if v.Protocol != r.Protocol {
			continue
		}
		key, received, err := v.ShelfKey(r)
		if err == nil {
			s.shelve(key, received)
		}
		return err
	}
	if r.Protocol == mail.AMP {
		return s.shelveMail(r)
	}
	return p.unserved(r)
}

// shelveMail is for signed mail, which has an archive of its own.
func (s *shelving) shelveMail(r Ref) error {
	t, _, err := s.signed.conversationOf(r)
	if err != nil {
		return err
	}
	ref, received := mail.ThreadRef(mail.AMP, s.signed.ID, t.ID), s.signed.mailIn(t)
	key := shelf.Key{Ref: ref, Owner: s.signed.boxName()}
	switch {
	case received == 0:
		s.shelve(key, 0)
	case s.q.Archived != nil && *s.q.Archived:
		s.archive, s.back = append(s.archive, ref), append(s.back, key)
	default:
		s.shelve(key, received)
		if s.signed.archived(t) {
			s.restore = append(s.restore, ref)
		}
	}
	return nil
}

// shelve notes what is asked for a thread that holds so many messages to the user.
func (s *shelving) shelve(key shelf.Key, mail int) {
	switch q := s.q; {
	case q.Archived != nil && *q.Archived:
		s.put[key] = shelf.Entry{Archived: s.now, Mail: mail}
	case q.SnoozeUntil != nil && *q.SnoozeUntil != 0:
		s.put[key] = shelf.Entry{Until: *q.SnoozeUntil, Mail: mail}
	default:
		s.back = append(s.back, key)
	}
}

// seen takes threads that came back out of the shelf, once the user has looked at
// them. It gives the refs that are left to be marked read: the threads of formats that
// are read only here have no other marks.
func (p *Panels) seen(ctx context.Context, refs []Ref) ([]Ref, error) {
	now, signed := p.shelfNow(), p.mailNow(ctx)
	if len(now.Entries) == 0 {
		return refs, nil
	}
	views := p.views(ctx, now)
	var back []shelf.Key
	var left []Ref
	for _, r := range refs {
		key := shelf.Key{Ref: r}
		own := slices.IndexFunc(views, func(v view) bool { return v.Protocol == r.Protocol })
		if own >= 0 {
			if k, _, err := views[own].ShelfKey(r); err == nil && k.Ref == r {
				key = k
			}
		}
		if r.Protocol == mail.AMP {
			key.Owner = signed.boxName()
		}
		e := now.Entries[key]
		due := e.Until != 0 && e.Until <= now.Now
		if due {
			back = append(back, key)
		}
		marks := own < 0
		if !marks {
			_, marks = views[own].View.(Marker)
		}
		if marks || !due {
			left = append(left, r)
		}
	}
	return left, p.putAway(ctx, nil, back)
}
