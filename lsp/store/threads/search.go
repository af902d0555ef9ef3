package threads

import (
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/jsonl"
)

// Sought is a line of a log that a search decoded. Message is valid during the
// call that gives it.
type Sought struct {
	Offset  int64
	Cursor  string
	Message atsf.Message
}

// Search looks through the lines of a thread from an offset on, which begins a
// line, and gives the messages in those that may says yes to, which gets the raw
// JSON. It ends when it has read budget bytes; next is then where to go on, and
// otherwise -1. Lines that are no message, or longer than [MaxLine], are passed
// over: a page shows them as gaps. It fails as [Snapshot.Page] does.
func (s *Snapshot) Search(ctx context.Context, item *Item, from, budget int64, may func(raw []byte) bool, give func(*Sought)) (next, read int64, err error) {
	if refused(item.Fault) {
		return -1, 0, fmt.Errorf("threads: %q: %w", item.Name, item.Fault)
	}
	d, err := s.open(item.Folder, item.Gone)
	if err != nil {
		return -1, 0, err
	}
	defer d.Close()
	root, err := d.thread(item.Name)
	if err != nil {
		return -1, 0, err
	}
	defer root.Close()
	log, _, err := openFile(root, atsf.MessagesName)
	if err != nil {
		return -1, 0, err
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return -1, 0, fmt.Errorf("threads: %w", err)
	}
	end, err := jsonl.End(ctx, log, info.Size())
	if err != nil {
		return -1, 0, err
	}
	lines := jsonl.Forward{R: log, At: from, End: end}
	for {
		l, err := lines.Next(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			return -1, read, nil
		}
		if err != nil {
			return -1, read, err
		}
		read += l.Size + 1
		if !l.Long && !l.Blank() && may(l.Raw) {
			if m, err := atsf.ParseMessage(l.Raw); err == nil {
				give(&Sought{Offset: l.Offset, Cursor: cursorOf(&l).String(), Message: m})
			}
		}
		if read >= budget {
			return lines.At, read, nil
		}
	}
}
