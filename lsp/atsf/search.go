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

// Hit is a line of a log that a search decoded. Message is valid only during the callback.
type Hit struct {
	Offset int64
	// Number counts lines from 1, starting where the search began. Sessions do not set it.
	Number  int64
	Cursor  string
	Message atsf.Message
	// Part is the message's number, from 0, among the messages that begin in the line. From is the
	// sender if it is neither the person nor the thread's agent. Only sessions set them.
	Part int
	From string
}

// Search decodes the lines of a thread from an offset on, which must begin a line, and calls
// give for each message whose raw JSON may accepts. It stops after reading budget bytes; next
// is then the offset to continue at, otherwise -1. Lines that are not messages or longer than
// [MaxLine] are skipped: a page shows them as gaps. The errors are those of [Snapshot.Page].
func (s *Snapshot) Search(ctx context.Context, item *Item, from, budget int64, may func(raw []byte) bool, give func(*Hit)) (next, read int64, err error) {
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
				give(&Hit{Offset: l.Offset, Number: number, Cursor: cursorOf(&l).String(), Message: m})
			}
		}
		if read >= budget {
			return lines.At, read, nil
		}
	}
}

// log opens the log of a thread, and returns the end of its last complete line.
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

// maxCounted is how many bytes of a log are read to count lines.
const maxCounted = 256 << 20

// lineNumbers returns the numbers of the lines that begin at the given ascending offsets. It
// returns none if the log is too long.
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

// One call of [Snapshot.FindMessage] reads about findBytes of the findThreads newest threads.
const (
	findBytes   = 64 << 20
	findThreads = 1000
)

// FindMessage returns the threads that hold a message with an id, newest first. There may be
// several, since a fork begins with its parent's messages. The error is ctx's.
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

// Branch returns at most limit threads that were begun on a branch or are in a checkout of it,
// in the order of the snapshot.
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
