package atsf

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// MaxLine is the length in bytes of the longest line of messages.jsonl that is read as a
// message. A longer line is shown as a gap of its size.
const MaxLine = jsonl.MaxLine

// ErrRewritten is the error for a cursor whose line is no longer in the log: a program has
// rewritten the log, and the reader must start again at its end.
var ErrRewritten = jsonl.ErrRewritten

// ErrCursor is the error for a text that is not a cursor.
var ErrCursor = errors.New("no cursor")

// searchNear is how far from its old offset a moved line is searched for. A log up to
// searchAll is searched completely.
const (
	searchNear = 1 << 20
	searchAll  = 8 << 20
)

// cursor identifies a line by its offset and its key.
type cursor struct {
	offset int64
	key    uint64
	byID   bool
}

func cursorOf(l *jsonl.Line) cursor {
	c := cursor{offset: l.Offset}
	c.key, c.byID = keyOf(l)
	return c
}

// String returns "offset-kind key", such as "1f40-i0123456789abcdef".
func (c cursor) String() string {
	kind := "r"
	if c.byID {
		kind = "i"
	}
	return fmt.Sprintf("%x-%s%016x", c.offset, kind, c.key)
}

func parseCursor(s string) (c cursor, err error) {
	place, key, ok := strings.Cut(s, "-")
	if !ok || len(key) != 17 || key[0] != 'i' && key[0] != 'r' {
		return c, fmt.Errorf("threads: %.40q: %w", s, ErrCursor)
	}
	c.byID = key[0] == 'i'
	offset, err1 := strconv.ParseUint(place, 16, 63)
	c.key, err = strconv.ParseUint(key[1:], 16, 64)
	c.offset = int64(offset)
	if err1 != nil || err != nil || c.String() != s {
		return cursor{}, fmt.Errorf("threads: %.40q: %w", s, ErrCursor)
	}
	return c, nil
}

// find returns the line of a cursor, in a log whose complete lines end at end. A line with an
// id is also found if it moved a little, as when an earlier tool call became longer.
func (c cursor) find(ctx context.Context, r io.ReaderAt, end int64) (jsonl.Line, error) {
	if c.offset < end {
		start, err := jsonl.LastBreak(ctx, r, c.offset, 1)
		if err != nil {
			return jsonl.Line{}, err
		}
		if start == c.offset {
			f := jsonl.Forward{R: r, At: start, End: end}
			l, err := f.Next(ctx)
			if err != nil {
				return jsonl.Line{}, err
			}
			if cursorOf(&l) == c {
				return l, nil
			}
		}
	}
	if !c.byID {
		return jsonl.Line{}, fmt.Errorf("threads: %w", ErrRewritten)
	}
	from, to := int64(0), end
	if end > searchAll {
		to = min(end, c.offset+searchNear)
		var err error
		if from, err = jsonl.LastBreak(ctx, r, min(end, max(0, c.offset-searchNear)), jsonl.Chunk); err != nil {
			return jsonl.Line{}, err
		}
	}
	f := jsonl.Forward{R: r, At: from, End: end}
	for f.At < to {
		l, err := f.Next(ctx)
		if err != nil {
			return jsonl.Line{}, err
		}
		if key, byID := keyOf(&l); byID && key == c.key {
			return l, nil
		}
	}
	return jsonl.Line{}, fmt.Errorf("threads: %w", ErrRewritten)
}

// lineID returns the id of a message without decoding the whole line. If there are two ids,
// the last one counts, as in core/atsf.
func lineID(raw []byte) (id string, ok bool) {
	err := canon.Object(raw, func(key []byte, v canon.Value) error {
		if string(key) == "id" && v.Kind == canon.String {
			id, _ = canon.Unquote(v.Raw)
		}
		return nil
	})
	return id, err == nil && id != ""
}

// keyBytes is how much of a line without an id is hashed for its key.
const keyBytes = jsonl.HeadSize

// keyOf returns a line's key: its id, so that the key survives a rewrite with another status
// (rule Z6), or a hash of its beginning if it has no id.
func keyOf(l *jsonl.Line) (key uint64, byID bool) {
	h := fnv.New64a()
	raw := l.Raw
	if l.Long {
		raw = l.Head
	} else if id, ok := lineID(raw); ok {
		io.WriteString(h, id)
		return h.Sum64(), true
	}
	h.Write(raw[:min(len(raw), keyBytes)])
	return h.Sum64(), false
}
