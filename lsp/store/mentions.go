package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/mention"
)

// MentionBytes is how much of the logs one call of [Live.Mentions] reads: all of a
// store with a million messages.
const MentionBytes = 512 << 20

// Mention is a message whose body has a word, and where in its line the word
// stands.
type Mention struct {
	Message
	// Before is the line up to the word, and Text the word as the log has it. A line
	// with more than [maxBefore] bytes before it has neither.
	Before, Text []byte
}

const (
	maxBefore = 64 << 10
	// lineSize is how much is read at once of a line that crosses a chunk.
	lineSize = 16 << 10
)

// MentionCursor is where a search goes on. The zero value begins it.
type MentionCursor struct {
	// Log, Segment and TS name the segment that the window of a search begins with,
	// in a store that is too large to be read at once.
	Log     string `json:"l,omitempty"`
	Segment int64  `json:"s,omitempty"`
	TS      int64  `json:"t,omitempty"`
	// After is the message that was given last, or nil.
	After *MentionPlace `json:"a,omitempty"`
}

// MentionPlace orders mentions, the newest first.
type MentionPlace struct {
	TS     int64  `json:"t"`
	Log    string `json:"l"`
	Offset int64  `json:"o"`
}

func (p *MentionPlace) compare(q *MentionPlace) int {
	return cmp.Or(cmp.Compare(q.TS, p.TS), strings.Compare(p.Log, q.Log), cmp.Compare(q.Offset, p.Offset))
}

// mentionParts are the members of a record in which a word is not a mention.
var mentionParts = []string{"id", "from", "to", "thread"}

// Mentions finds the messages whose body has a word, the newest first, by reading the
// logs: no index of words is kept. next is nil where there are no more. Records that
// are not shown in their thread are not found.
//
// A store that is larger than [MentionBytes] is read in windows of that size, the
// newest first by when their parts begin; a call may find nothing and still have a
// next.
func (l *Live) Mentions(ctx context.Context, word *mention.Needle, from MentionCursor, limit int) (found []Mention, next *MentionCursor, err error) {
	l.mu.RLock()
	dir, profile := l.dir, l.profile
	l.mu.RUnlock()
	if dir == nil {
		return nil, nil, nil
	}
	logs, _, err := dir.Logs() // as long as they are now
	if err != nil {
		return nil, nil, err
	}
	parts, rest, err := dir.window(ctx, logs, from, MentionBytes)
	if err != nil {
		return nil, nil, err
	}
	s := mentionSearch{live: l, dir: dir, profile: profile, word: word, after: from.After, limit: limit + 1}
	if err := s.run(ctx, logs, parts); err != nil {
		return nil, nil, err
	}
	found = s.found
	if len(found) > limit {
		found = found[:limit]
		last := placeOf(&found[limit-1])
		next = &MentionCursor{Log: from.Log, Segment: from.Segment, TS: from.TS, After: &last}
		return found, next, nil
	}
	return found, rest, nil
}

// placeOf orders a mention among others.
func placeOf(m *Mention) MentionPlace { return MentionPlace{m.TS, m.File, m.Offset} }

// window gives the segments that one call reads, about most bytes of them, and where the next one goes on.
func (d *Dir) window(ctx context.Context, logs []Log, from MentionCursor, most int64) (parts []segment, rest *MentionCursor, err error) {
	all := segments(logs)
	var total int64
	for _, s := range all {
		total += s.to - s.from
	}
	if total <= most && from.Log == "" {
		return all, nil, nil
	}
	type dated struct {
		segment
		ts int64
	}
	list := make([]dated, len(all))
	for i, s := range all {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		// What a segment begins with stays as the log grows, so that the order holds
		// from one call to the next.
		list[i] = dated{s, d.begins(logs[s.log], s.from)}
	}
	key := func(s *dated) MentionPlace { return MentionPlace{s.ts, logs[s.log].Name, s.from} }
	slices.SortFunc(list, func(a, b dated) int {
		x, y := key(&a), key(&b)
		return x.compare(&y)
	})
	start := MentionPlace{from.TS, from.Log, from.Segment}
	var size int64
	for i := range list {
		k := key(&list[i])
		if from.Log != "" && k.compare(&start) < 0 {
			continue
		}
		if size += list[i].to - list[i].from; size > most && len(parts) > 0 {
			return parts, &MentionCursor{Log: k.Log, Segment: k.Offset, TS: k.TS}, nil
		}
		parts = append(parts, list[i].segment)
	}
	return parts, nil, nil
}

// begins gives the time of the first record that begins in a segment, 0 where it
// cannot be told from its first bytes.
func (d *Dir) begins(log Log, at int64) int64 {
	f, err := d.openLog(log)
	if err != nil {
		return 0
	}
	defer f.Close()
	buf := make([]byte, 16<<10)
	n, _ := f.ReadAt(buf, at)
	buf = buf[:n]
	for at > 0 || len(buf) > 0 {
		line := buf
		i := bytes.IndexByte(buf, '\n')
		if i >= 0 {
			line, buf = buf[:i], buf[i+1:]
		}
		if rec, err := samp.Parse(line); err == nil {
			return rec.TS
		}
		if i < 0 {
			break
		}
	}
	return 0
}

// mentionSearch is one call of Mentions.
type mentionSearch struct {
	live    *Live
	dir     *Dir
	profile samp.Profile
	word    *mention.Needle
	after   *MentionPlace
	limit   int

	mu    sync.Mutex
	found []Mention // the newest limit so far, in order; guarded by mu
}

// run looks through segments with as many workers as there are processors.
func (s *mentionSearch) run(ctx context.Context, logs []Log, parts []segment) error {
	failed := make([]error, len(parts))
	err := inParallel(ctx, len(parts), func() func(int) error {
		buf := make([]byte, chunkSize+s.word.Longest())
		lines := lineReader{buf: make([]byte, lineSize)}
		return func(i int) error {
			err := s.segment(ctx, buf, &lines, logs[parts[i].log], parts[i])
			if !errors.Is(err, fs.ErrNotExist) { // a log that went away has no mentions
				failed[i] = err
			}
			return nil
		}
	})
	return errors.Join(append(failed, err)...)
}

// segment looks for the word's bytes in a part of a log and reads the lines that have
// them. Lines are not told apart otherwise, which is most of the speed.
func (s *mentionSearch) segment(ctx context.Context, buf []byte, lines *lineReader, log Log, part segment) error {
	f, err := s.dir.openLog(log)
	if err != nil {
		return err
	}
	defer f.Close()
	seen := int64(0) // the end of the line that was read last
	for pos := part.from; pos < part.to && ctx.Err() == nil; pos += chunkSize {
		// The word may begin in this chunk and end in the next one.
		n, err := f.ReadAt(buf[:min(int64(len(buf)), part.to-pos+int64(s.word.Longest()))], pos)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		for at := s.word.Next(buf[:n], 0); at >= 0 && at < chunkSize && pos+int64(at) < part.to; at = s.word.Next(buf[:n], at) {
			if seen, err = s.line(ctx, f, lines, log, buf[:n], pos, at); err != nil {
				return err
			}
			if at = int(min(seen-pos, int64(n))); at == n {
				break
			}
		}
		if seen > pos+chunkSize {
			pos = seen - chunkSize // a line that is longer than a chunk was read whole
		}
	}
	return ctx.Err()
}

// line takes in the line around a place of what was read of the log at pos, and gives
// its end.
func (s *mentionSearch) line(ctx context.Context, f *os.File, lines *lineReader, log Log, buf []byte, pos int64, at int) (end int64, err error) {
	first := bytes.LastIndexByte(buf[:at], '\n') + 1
	if last := bytes.IndexByte(buf[at:], '\n'); last >= 0 && (first > 0 || pos == 0) {
		s.record(log, pos+int64(first), buf[first:at+last+1])
		return pos + int64(at+last) + 1, nil
	}
	start, err := lineStart(ctx, f, pos+int64(at), lines.buf)
	if err != nil {
		return 0, err
	}
	err = lines.read(ctx, f, start, start+1, visitor{line: func(offset int64, raw []byte, _ bool) {
		end = offset + int64(len(raw))
		s.record(log, offset, raw)
	}, passed: func(p passed) { end = p.end }})
	return max(end, pos+int64(at)+1), err
}

// lineStart gives where the line of a place begins.
func lineStart(ctx context.Context, f *os.File, at int64, buf []byte) (int64, error) {
	for at > 0 && ctx.Err() == nil {
		n := min(int64(len(buf)), at)
		if _, err := f.ReadAt(buf[:n], at-n); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		at -= n
	}
	return 0, ctx.Err()
}

// record takes a line in, if it is a message that mentions the word and one of the
// newest so far.
func (s *mentionSearch) record(log Log, offset int64, raw []byte) {
	start, end, ok := s.word.In(raw, mentionParts...)
	if !ok {
		return
	}
	rec, err := samp.Parse(raw)
	if err != nil {
		return
	}
	place := MentionPlace{rec.TS, log.Name, offset}
	if s.after != nil && place.compare(s.after) <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i, known := slices.BinarySearchFunc(s.found, place, func(m Mention, p MentionPlace) int {
		q := placeOf(&m)
		return q.compare(&p)
	})
	if known || i >= s.limit {
		return // two segments may hold a part of the line each
	}
	m, shown := s.live.shownAt(Key{rec.From, samp.EffectiveID(&rec, s.profile)}, log.Name, offset)
	if !shown {
		return
	}
	m.Record, m.Form = cloneRecord(&rec), samp.Identify(&rec)
	m.Key = samp.EffectiveID(&m.Record, s.profile)
	found := Mention{Message: m}
	if start <= maxBefore {
		found.Before, found.Text = bytes.Clone(raw[:start]), bytes.Clone(raw[start:end])
	}
	s.found = slices.Insert(s.found, i, found)
	s.found = s.found[:min(len(s.found), s.limit)]
}

// shownAt gives what the index knows of the record at a place, if it is the one that
// is shown for a key.
func (l *Live) shownAt(k Key, log string, offset int64) (Message, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for n := range l.idx.keyed(k) {
		if e := l.idx.entries.at(n); e.offset == offset && l.idx.logs[e.log].Name == log {
			return l.describe([]uint32{n}).list[0], true
		}
	}
	return Message{}, false
}
