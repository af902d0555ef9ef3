package threads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrRewritten is what a cursor gives whose line no longer stands in the log: a
// program has written the log anew, and the reader starts over at its end.
var ErrRewritten = errors.New("the log was rewritten")

// ErrCursor is what a cursor gives that none was given out as.
var ErrCursor = errors.New("no cursor")

// How far from its place a line is looked for that moved.
const (
	searchNear = 1 << 20
	searchAll  = 8 << 20
)

// cursor names a line by its place and its key.
type cursor struct {
	offset int64
	key    uint64
	byID   bool
}

func (l *line) cursor() cursor {
	c := cursor{offset: l.offset}
	c.key, c.byID = l.key()
	return c
}

// String gives "offset-kind key", such as "1f40-i0123456789abcdef".
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

// find gives the line that a cursor names, in a log whose finished lines end at
// end. A line with an id is found again if it moved a little, as when a tool
// call further up became longer.
func (c cursor) find(ctx context.Context, r io.ReaderAt, end int64) (line, error) {
	if c.offset < end {
		start, err := lastBreak(ctx, r, c.offset, 1)
		if err != nil {
			return line{}, err
		}
		if start == c.offset {
			f := forward{r: r, at: start, end: end}
			l, err := f.next(ctx)
			if err != nil {
				return line{}, err
			}
			if l.cursor() == c {
				return l, nil
			}
		}
	}
	if !c.byID {
		return line{}, fmt.Errorf("threads: %w", ErrRewritten)
	}
	from, to := int64(0), end
	if end > searchAll {
		to = min(end, c.offset+searchNear)
		var err error
		if from, err = lastBreak(ctx, r, min(end, max(0, c.offset-searchNear)), firstChunk); err != nil {
			return line{}, err
		}
	}
	f := forward{r: r, at: from, end: end}
	for f.at < to {
		l, err := f.next(ctx)
		if err != nil {
			return line{}, err
		}
		if key, byID := l.key(); byID && key == c.key {
			return l, nil
		}
	}
	return line{}, fmt.Errorf("threads: %w", ErrRewritten)
}
