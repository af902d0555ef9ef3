package atsf

import (
	"context"
	"errors"
	"io"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// maxTallied is the length in bytes of the longest line that is counted as a message. It is
// above [MaxLine], because a line that is too long to show may still be a message for the tool
// that wrote it. Longer lines are not held in memory.
const maxTallied = 64 << 20

// counter counts the messages of a log. Every append counts all of them and does not rely on
// thread.json: another tool may have counted differently (Z5), or rewritten a line with more
// tool calls (Z6).
type counter struct {
	atsf.Tally
	// end is the offset after the last counted line.
	end int64
}

// read counts the complete lines from c.end in a log of the given size.
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
