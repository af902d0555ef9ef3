package mark

import (
	"context"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// longestSnooze is the longest time that a thread can be snoozed for, in milliseconds.
const longestSnooze = 10 * 366 * 24 * 3600 * 1000

// valid returns an error of kind Malformed unless exactly one of Archived,
// SnoozeUntil and NoReply is set and the time to snooze until is 0 or within longestSnooze from
// now.
func valid(q *panel.ShelveParams, now int64) error {
	set := 0
	for _, given := range []bool{q.Archived != nil, q.SnoozeUntil != nil, q.NoReply != nil} {
		set += panel.Rank(given)
	}
	switch {
	case set != 1:
		return &panel.Error{Kind: panel.Malformed, Message: "one of archived, snoozeUntil and noReply is to be given", Detail: "archived"}
	case q.SnoozeUntil == nil || *q.SnoozeUntil == 0:
		return nil
	case *q.SnoozeUntil <= now:
		return &panel.Error{Kind: panel.Malformed, Message: "the time to snooze until is over", Detail: "snoozeUntil"}
	case *q.SnoozeUntil > now+longestSnooze:
		return &panel.Error{Kind: panel.Malformed, Message: "the time to snooze until is more than ten years ahead", Detail: "snoozeUntil"}
	}
	return nil
}

// shelving is a request in progress: which threads to put away and which to bring back.
type shelving struct {
	q       *panel.ShelveParams
	now     int64
	away    *panel.Shelf
	views   view.Views
	put     map[shelf.Key]shelf.Entry
	back    []shelf.Key
	archive []panel.Ref // threads that their format archives
	restore []panel.Ref // threads that their format takes out of its archive
}

// Shelve archives or snoozes threads of any format, or brings them back. It returns the
// counts afterwards. It fails with kind Untrusted in a workspace that is not trusted.
func (m *Marks) Shelve(ctx context.Context, q panel.ShelveParams) (panel.Counts, error) {
	if err := m.Trusted("put away"); err != nil {
		return panel.Counts{}, err
	}
	if err := m.Settled(ctx); err != nil {
		return panel.Counts{}, err
	}
	away := m.Shelf()
	s := shelving{q: &q, now: away.Now, away: away, views: m.Views(ctx, away), put: map[shelf.Key]shelf.Entry{}}
	if err := valid(&q, s.now); err != nil {
		return panel.Counts{}, err
	}
	for _, r := range q.Refs {
		if err := m.shelveOne(&s, r); err != nil {
			return panel.Counts{}, err
		}
	}
	undo := s.undo()
	if err := m.putAway(ctx, s.put, s.back); err != nil {
		return panel.Counts{}, err
	}
	if err := archive(ctx, s.views, s.archive, true); err != nil {
		return panel.Counts{}, err
	}
	if err := archive(ctx, s.views, s.restore, false); err != nil {
		return panel.Counts{}, err
	}
	if len(q.Refs) == 0 {
		return m.Counts(ctx), nil
	}
	m.ShelfChanged() // other views of this client
	counts := m.Counts(ctx)
	counts.Undo = m.remember(undo)
	return counts, nil
}

// putAway writes to the shelf which threads were put away and which were brought back.
func (m *Marks) putAway(ctx context.Context, put map[shelf.Key]shelf.Entry, back []shelf.Key) error {
	if len(put)+len(back) == 0 {
		return nil
	}
	return m.PutAway(ctx, put, append(back, m.outdated(ctx)...))
}

// outdated returns the keys of threads that new mail has brought back, so that their entries can be
// removed from the file.
func (m *Marks) outdated(ctx context.Context) (keys []shelf.Key) {
	now := m.Shelf()
	for _, v := range m.Views(ctx, now) {
		for key, e := range now.Entries {
			if key.Ref.Protocol != v.Protocol {
				continue
			}
			if own, mail, err := v.ShelfKey(key.Ref); err == nil && own == key && e.HasNew(mail) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// shelveOne adds one thread to the request. If the format can archive mail to the user where other
// programs also see it, the thread is archived there and not on the shelf.
func (m *Marks) shelveOne(s *shelving, r panel.Ref) error {
	v := s.views.Of(r)
	if v == nil {
		return s.views.Unserved(r)
	}
	key, received, err := v.ShelfKey(r)
	if err != nil {
		return err
	}
	if a, ok := v.(panel.Archiver); ok && received.Any() && s.q.NoReply == nil {
		if s.q.Archived != nil && *s.q.Archived {
			s.archive = append(s.archive, key.Ref)
			s.release(key)
			return nil
		}
		if a.Archived(key.Ref) {
			s.restore = append(s.restore, key.Ref)
		}
	}
	s.shelve(key, received)
	return nil
}

// shelve adds a thread, with its messages to the user, to the request for the shelf.
func (s *shelving) shelve(key shelf.Key, mail shelf.Mail) {
	before := s.away.Entries[key]
	switch q := s.q; {
	case q.NoReply != nil && before.State(mail, s.now).Hidden():
	case q.NoReply != nil && *q.NoReply:
		s.put[key] = shelf.Entry{NoReply: s.now}.WithMail(mail)
	case q.NoReply != nil:
		s.back = append(s.back, key)
	case q.Archived != nil && *q.Archived:
		e := shelf.Entry{Archived: s.now}.WithMail(mail)
		if before.Dismissed(mail) {
			e.NoReply = before.NoReply
		}
		s.put[key] = e
	case q.SnoozeUntil != nil && *q.SnoozeUntil != 0:
		e := shelf.Entry{Until: *q.SnoozeUntil}
		if _, agent := s.views.Of(key.Ref).(panel.AgentThreads); agent {
			e.NoReply = s.now // so that a later wait of the agent is not snoozed
		}
		s.put[key] = e.WithMail(mail)
	default:
		s.release(key)
	}
}

// release records that a thread is no longer archived or snoozed. A dismissed thread stays
// dismissed.
func (s *shelving) release(key shelf.Key) {
	if e := s.away.Entries[key]; e.NoReply != 0 {
		s.put[key] = shelf.Entry{NoReply: e.NoReply, Mail: e.Mail, Known: e.Known}
		return
	}
	s.back = append(s.back, key)
}

// looked records that the user has looked at threads: it takes threads that are back from being
// snoozed off the shelf, and stores when the user looked at agents' threads. It returns the refs
// that are still to be marked as read, without agents' threads and without threads that are back
// in a format without read marks.
func (m *Marks) looked(ctx context.Context, refs []panel.Ref) ([]panel.Ref, error) {
	now := m.Shelf()
	views := m.Views(ctx, now)
	put := make(map[shelf.Key]shelf.Entry)
	var back []shelf.Key
	var left []panel.Ref
	for _, r := range refs {
		key, v := shelf.Key{Ref: r}, views.Of(r)
		if v != nil {
			if k, _, err := v.ShelfKey(r); err == nil && k.Ref == r {
				key = k
			}
		}
		e := now.Entries[key]
		due := e.Until != 0 && e.Until <= now.Now
		if _, agent := v.(panel.AgentThreads); agent && !e.State(nil, now.Now).Hidden() {
			put[key] = shelf.Entry{NoReply: now.Now}
			continue
		}
		if due {
			back = append(back, key)
		}
		if _, marks := v.(panel.Marker); marks || v == nil || !due {
			left = append(left, r)
		}
	}
	if len(put) > 0 {
		back = append(back, forgotten(views, now)...)
	}
	return left, m.putAway(ctx, put, back)
}

// forgotten returns the agents' threads that the user looked at more than seenFor ago. Their state
// is no longer shown.
func forgotten(views view.Views, now *panel.Shelf) (keys []shelf.Key) {
	for key, e := range now.Entries {
		if e.Archived != 0 || e.Until != 0 || now.Now-e.NoReply < seenFor.Milliseconds() {
			continue
		}
		if _, agent := views.Of(key.Ref).(panel.AgentThreads); agent {
			keys = append(keys, key)
		}
	}
	return keys
}

// seenFor is how long the shelf stores that the user looked at an agent's thread.
const seenFor = 48 * time.Hour
