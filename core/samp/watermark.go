package samp

import (
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Watermark is what a reader has seen (§6, rule N2): everything before TS, and
// of that second and later what IDs lists.
type Watermark struct {
	// TS is in Unix seconds.
	TS int64
	// IDs are as stored. An id alone names a message of the second TS; "from:id" names
	// a message of that sender and of any second.
	IDs []string
}

// ParseWatermark reads a .seen file: {"ts": integer, "ids": [string …]}, with
// unknown members ignored and a missing one read as zero or empty. Anything
// else is a *[canon.Fault] of rule N2; the reader then has no watermark and shows all.
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

// Capped returns the watermark with TS no later than now, so that a mark which a
// fast clock pushed into the future heals itself (rule N6).
func (w Watermark) Capped(now int64) Watermark {
	w.TS = min(w.TS, now)
	return w
}

// Seen answers for one watermark whether messages lie behind it.
type Seen struct {
	// ts is the watermark's time, and before that time or now, whichever is earlier.
	ts, before int64
	ids        map[string]struct{}
}

// Seen prepares the watermark for many questions.
func (w Watermark) Seen() Seen { return w.SeenAt(w.TS) }

// SeenAt is [Watermark.Seen] of a reader whose clock shows now, in Unix seconds: a mark that
// lies ahead hides nothing that comes from now on, and still names what it names.
func (w Watermark) SeenAt(now int64) Seen {
	s := Seen{ts: w.TS, before: min(w.TS, now), ids: make(map[string]struct{}, len(w.IDs))}
	for _, id := range w.IDs {
		s.ids[id] = struct{}{}
	}
	return s
}

// Listed reports whether the mark names the message by its id. An id without a
// sender counts in the mark's own second only, as §6 step 6 has it: else a
// stranger's record with a stolen id could hide a message that comes later.
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

// Before reports whether the message is older than the mark, so that the
// spec's filter hides it whether or not it was ever shown.
func (s Seen) Before(ts int64) bool { return ts < s.before }

// Advance returns the mark after the messages of shown were output, out of all
// that are addressed to the reader (§6 step 9). Late mail does not turn it
// back, which would show again all that is newer. now caps it, so that a sender
// whose clock runs ahead cannot hide what honest senders write next (rule N6):
// what was shown from beyond now is remembered by sender and id.
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

// Names returns how a watermark of this TS lists a message: by its id as in §6, and with
// its sender, which is how the published tool does it since 2026-08. The id is left out
// where it alone would name no message or too many.
func (w Watermark) Names(m *Found) []string {
	named := m.From + ":" + m.Key
	if m.TS == w.TS && Identify(&m.Record) != FormWrong {
		return []string{m.Key, named}
	}
	return []string{named}
}
