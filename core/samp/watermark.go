package samp

import (
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Watermark records what a reader has seen (§6, rule N2): everything before TS, and the messages
// in IDs from that second or later.
type Watermark struct {
	// TS is in Unix seconds.
	TS int64
	// IDs are as stored. An id alone means a message of the second TS; "from:id" means a message
	// of that sender and of any second.
	IDs []string
}

// ParseWatermark reads a .seen file: {"ts": integer, "ids": [string …]}. It ignores unknown
// members and reads a missing one as zero or empty. For anything else it returns a *[canon.Fault]
// of rule N2; the reader then has no watermark and shows all messages.
func ParseWatermark(data []byte) (Watermark, error) {
	var w Watermark
	err := canon.Object(data, func(key []byte, v canon.Value) error {
		switch string(key) {
		case "ts":
			ts, ok := v.Int64()
			if !ok {
				return &canon.Fault{Rule: "N2", Field: "ts", Offset: v.Offset, Reason: `the watermark's "ts" is not an integer`}
			}
			w.TS = ts
		case "ids":
			return w.readIDs(v)
		}
		return nil
	})
	if err == nil {
		return w, nil
	}
	if s, ok := errors.AsType[*canon.SyntaxError](err); ok {
		err = &canon.Fault{Rule: "N2", Offset: s.Offset, Reason: "the watermark is not a JSON object: " + s.Reason}
	}
	return Watermark{}, err
}

func (w *Watermark) readIDs(v canon.Value) error {
	fault := &canon.Fault{Rule: "N2", Field: "ids", Offset: v.Offset, Reason: `the watermark's "ids" is not an array of strings`}
	if v.Kind != canon.Array {
		return fault
	}
	return canon.Elements(v.Raw, func(e canon.Value) error {
		if e.Kind != canon.String {
			return fault
		}
		id, _ := canon.Unquote(e.Raw)
		w.IDs = append(w.IDs, id)
		return nil
	})
}

// Append adds the watermark in the spec's form, without a line end.
func (w Watermark) Append(dst []byte) []byte {
	dst = append(dst, `{"ts": `...)
	dst = strconv.AppendInt(dst, w.TS, 10)
	dst = append(dst, `, "ids": [`...)
	for i, id := range w.IDs {
		if i > 0 {
			dst = append(dst, ',', ' ')
		}
		dst = canon.AppendString(dst, id)
	}
	return append(dst, ']', '}')
}

// Capped returns the watermark with TS no later than now. This repairs a watermark that a fast
// clock pushed into the future (rule N6).
func (w Watermark) Capped(now int64) Watermark {
	w.TS = min(w.TS, now)
	return w
}

// Seen tests messages against one watermark.
type Seen struct {
	// ts is the watermark's time. before is the earlier of that time and now.
	ts, before int64
	ids        map[string]struct{}
}

// Seen prepares the watermark for many tests.
func (w Watermark) Seen() Seen { return w.SeenAt(w.TS) }

// SeenAt is [Watermark.Seen] for a reader whose clock shows now, in Unix seconds: a watermark in
// the future hides no message dated from now on, except those that it lists.
func (w Watermark) SeenAt(now int64) Seen {
	s := Seen{ts: w.TS, before: min(w.TS, now), ids: make(map[string]struct{}, len(w.IDs))}
	for _, id := range w.IDs {
		s.ids[id] = struct{}{}
	}
	return s
}

// Listed reports whether the watermark lists the message by its id. An id without a sender counts
// only in the watermark's own second, as in §6 step 6: otherwise a stranger's record with a
// stolen id could hide a later message.
func (s Seen) Listed(m *Found) bool {
	if len(s.ids) == 0 {
		return false
	}
	if _, ok := s.ids[m.Key]; ok && m.TS == s.ts {
		return true
	}
	_, ok := s.ids[m.From+":"+m.Key]
	return ok
}

// Before reports whether a time is before the watermark, so that the spec's filter hides the
// message even if it was never shown.
func (s Seen) Before(ts int64) bool { return ts < s.before }

// Advance returns the watermark after the messages in shown were output (§6 step 9). all lists
// all messages addressed to the reader. now caps the watermark, so that a sender whose clock is
// ahead cannot hide what honest senders write next (rule N6): shown messages dated after now are
// remembered by sender and id. Late mail does not move the watermark back, which would show newer
// messages again.
func (w Watermark) Advance(all, shown []Found, now int64) Watermark {
	if len(shown) == 0 {
		return w
	}
	next := Watermark{TS: w.TS}
	for i := range shown {
		next.TS = max(next.TS, shown[i].TS)
	}
	next.TS = min(next.TS, now)
	have := make(map[string]struct{})
	add := func(ids ...string) {
		for _, id := range ids {
			if _, twice := have[id]; !twice {
				have[id] = struct{}{}
				next.IDs = append(next.IDs, id)
			}
		}
	}
	old := w.Seen()
	if next.TS == w.TS {
		add(w.IDs...)
	} else {
		for i := range all {
			if m := &all[i]; m.TS >= next.TS && old.Listed(m) {
				add(next.Names(m)...)
			}
		}
	}
	for i := range shown {
		if m := &shown[i]; m.TS >= next.TS {
			add(next.Names(m)...)
		}
	}
	return next
}

// Names returns the entries by which a watermark of this TS lists a message: its id as in §6, and
// the id with its sender, as the published tool has done since 2026-08. It leaves out the id
// alone if that would match no message or too many.
func (w Watermark) Names(m *Found) []string {
	named := m.From + ":" + m.Key
	if m.TS == w.TS && Identify(&m.Record) != FormWrong {
		return []string{m.Key, named}
	}
	return []string{named}
}
