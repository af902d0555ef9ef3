package atsf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// Sought is a line of a log that a search decoded. Message is valid during the
// call that gives it.
type Sought struct {
	Offset int64
	// Number counts lines from 1, from where the search began; sessions have none.
	Number  int64
	Cursor  string
	Message atsf.Message
	// Part is the message's number, from 0, among those that begin in the line, and From who
	// sent it where that is neither the person nor the thread's agent. Only sessions have them.
	Part int
	From string
}

// Search looks through the lines of a thread from an offset on, which begins a
// line, and returns the messages in those that may says yes to, which gets the raw
// JSON. It ends when it has read budget bytes; next is then where to go on, and
// otherwise -1. Lines that are no message, or longer than [MaxLine], are passed
// over: a page shows them as gaps. It fails as [Snapshot.Page] does.
func (s *Snapshot) Search(ctx context.Context, item *Item, from, budget int64, may func(raw []byte) bool, give func(*Sought)) (next, read int64, err error) {
	log, end, err := s.log(ctx, item)
	if err != nil {
		return -1, 0, err
	}
	defer log.Close()
	lines := jsonl.Forward{R: log, At: from, End: end}
	for number := int64(1); ; number++ {
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
				give(&Sought{Offset: l.Offset, Number: number, Cursor: cursorOf(&l).String(), Message: m})
			}
		}
		if read >= budget {
			return lines.At, read, nil
		}
	}
}

// log opens the log of a thread, and returns the end of its last finished line.
func (s *Snapshot) log(ctx context.Context, item *Item) (log *os.File, end int64, err error) {
	if refused(item.Fault) {
		return nil, 0, fmt.Errorf("threads: %q: %w", item.Name, item.Fault)
	}
	d, err := s.open(item, item.Folder)
	if err != nil {
		return nil, 0, err
	}
	defer d.Close()
	root, err := d.thread(item.Name)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	log, info, err := openFile(root, atsf.MessagesName)
	if err != nil {
		return nil, 0, err
	}
	if end, err = jsonl.End(ctx, log, info.Size()); err != nil {
		return nil, 0, errors.Join(err, log.Close())
	}
	return log, end, nil
}

// maxCounted is how much of a log is counted through for line numbers.
const maxCounted = 256 << 20

// lineNumbers returns the numbers of the lines that begin at offsets, in ascending
// order. There are none in a log that is too long for it.
func lineNumbers(ctx context.Context, r io.ReaderAt, offsets []int64) (numbers []int64, err error) {
	if len(offsets) == 0 || offsets[len(offsets)-1] > maxCounted {
		return nil, nil
	}
	at, number := int64(0), int64(1)
	for _, offset := range offsets {
		n, err := jsonl.Breaks(ctx, r, at, offset)
		if err != nil {
			return nil, err
		}
		at, number = offset, number+n
		numbers = append(numbers, number)
	}
	return numbers, nil
}

// What one call of [Snapshot.FindMessage] reads, about, of the threads that are the newest.
const (
	findBytes   = 64 << 20
	findThreads = 1000
)

// FindMessage returns the threads that hold a message with an id, the newest first: a fork
// begins with its parent's messages. The error is the one of ctx.
func (s *Snapshot) FindMessage(ctx context.Context, id string) (found []*Item, err error) {
	left := int64(findBytes)
	for _, item := range s.Items[:min(len(s.Items), findThreads)] {
		if id == "" || left <= 0 || ctx.Err() != nil {
			break
		}
		log, end, err := s.log(ctx, item)
		if err != nil {
			continue // it has no messages, or they are gone with their worktree
		}
		left -= end
		if _, err := findID(ctx, log, end, id); err == nil {
			found = append(found, item)
		}
		log.Close()
	}
	return found, ctx.Err()
}

// Branch returns the threads that were begun on a branch, or stand in a checkout of
// it, in the order of the snapshot, at most limit of them.
func (s *Snapshot) Branch(name string, limit int) (list []*Item) {
	if name == "" {
		return nil
	}
	checkouts := make(map[string]bool)
	for i := range s.Folders {
		if s.Folders[i].Branch == name {
			checkouts[s.Folders[i].ID] = true
		}
	}
	for _, item := range s.Items {
		if item.Thread.Context.GitBranch != name && !checkouts[item.Folder] {
			continue
		}
		if len(list) == limit {
			break
		}
		list = append(list, item)
	}
	return list
}
