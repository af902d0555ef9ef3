package atsf

import (
	"context"
	"errors"
	"io"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// maxTallied is the length in bytes of the longest line that is counted as a
// message. It is above [MaxLine]: what is too long to be shown may be a message
// to the tool that wrote it. But a gigabyte is not held in memory for it.
const maxTallied = 64 << 20

// counter counts the messages of a log. Every append counts all of them: what
// thread.json says is not built upon, since another tool may have counted
// otherwise (Z5), or written a line again with more tool calls in it (Z6).
type counter struct {
	atsf.Tally
	// end is behind the last line that was counted.
	end int64
}

// read counts the finished lines from end on, in a log of a size.
func (c *counter) read(ctx context.Context, r io.ReaderAt, size int64) error {
	end, err := jsonl.End(ctx, r, size)
	if err != nil {
		return err
	}
	lines := jsonl.Forward{R: r, At: c.end, End: end}
	for {
		l, err := lines.Next(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			return nil
		}
		if err != nil {
			return err
		}
		line := l.Raw
		if l.Long && l.Size <= maxTallied {
			line = make([]byte, l.Size)
			if err := jsonl.ReadFull(r, line, l.Offset); err != nil {
				return err
			}
		}
		if l.Size > maxTallied {
			c.Bad++
		} else {
			c.Line(line)
		}
		c.end = l.After()
	}
}
