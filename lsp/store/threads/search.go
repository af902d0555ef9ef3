package threads

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
	"github.com/signalbox-dev/signalbox/lsp/store/mention"
)

// Sought is a line of a log that a search decoded. Message is valid during the
// call that gives it.
type Sought struct {
	Offset  int64
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

// MentionBytes is how much of the logs one call of [Snapshot.Mentions] reads. One of
// [Snapshot.FindMessage] reads about findBytes, of the findThreads that are the newest.
const (
	MentionBytes = 256 << 20
	findBytes    = 64 << 20
	findThreads  = 1000
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

// Mention is a line of a thread that has a word, and where in it the word stands.
type Mention struct {
	Item *Item
	// Number counts lines from 1; it is 0 in a log that is too long for it.
	Number  int64
	Message atsf.Message // without Raw
	// Cursor names the line in a [Query].
	Cursor string
	// Before is the line up to the word, and Text the word as the log has it. A word
	// that stands farther behind than [maxBefore] has neither.
	Before, Text []byte
}

const maxBefore = 64 << 10

// MentionCursor is where a search goes on: before a line of a thread. The zero value
// begins it.
type MentionCursor struct {
	Updated int64  `json:"u,omitempty"`
	Name    string `json:"n,omitempty"`
	Folder  string `json:"f,omitempty"`
	Offset  int64  `json:"o,omitempty"` // 0: the thread was searched to its beginning
}

// compare orders the threads of a snapshot: below 0 if item comes before the
// cursor's.
func (c *MentionCursor) compare(item *Item) int {
	return cmp.Or(cmp.Compare(c.Updated, item.Updated), strings.Compare(c.Name, item.Name), strings.Compare(c.Folder, item.Folder))
}

// Mentions finds the messages that have a word in anything except their own id. The
// thread that was updated last comes first, and in it the newest message. next is nil
// where there are no more; a call reads no more than about [MentionBytes], so that it
// may find nothing and still have a next. Threads that cannot be read are passed over.
func (s *Snapshot) Mentions(ctx context.Context, word *mention.Needle, from MentionCursor, limit int) (found []Mention, next *MentionCursor, err error) {
	left := int64(MentionBytes)
	for _, item := range s.Items {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		order := from.compare(item)
		if from.Folder != "" && (order < 0 || order == 0 && from.Offset == 0) {
			continue
		}
		here := MentionCursor{item.Updated, item.Name, item.Folder, 0}
		if order == 0 {
			here.Offset = from.Offset
		}
		more, at, err := s.mentions(ctx, item, word, here.Offset, limit-len(found), &left)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		found = append(found, more...)
		if here.Offset = at; len(found) >= limit || left <= 0 {
			return found, &here, nil
		}
	}
	return found, nil, nil
}

// mentions searches one thread backwards from an offset, or from its end, and reads no more
// than is left. at is how far it came.
func (s *Snapshot) mentions(ctx context.Context, item *Item, word *mention.Needle, before int64, limit int, left *int64) (found []Mention, at int64, err error) {
	log, end, err := s.log(ctx, item)
	if err != nil {
		return nil, 0, err
	}
	defer log.Close()
	if before > 0 {
		end = min(end, before)
	}
	var places []int64
	lines := jsonl.Backward{R: log, At: end}
	for at = end; at > 0 && len(found) < limit && *left > 0; {
		l, err := lines.Prev(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		at = l.Offset
		*left -= l.Size + 1
		if m, ok := mentionIn(&l, word); ok {
			m.Item = item
			found, places = append(found, m), append(places, l.Offset)
		}
	}
	slices.Reverse(places)
	numbers, err := lineNumbers(ctx, log, places)
	for i, n := range numbers {
		found[len(found)-1-i].Number = n
	}
	return found, at, err
}

// mentionIn makes a mention of a line that has a word.
func mentionIn(l *jsonl.Line, word *mention.Needle) (m Mention, ok bool) {
	if l.Long {
		return m, false
	}
	start, end, ok := word.In(l.Raw, "id")
	if !ok {
		return m, false
	}
	var err error
	if m.Message, err = atsf.ParseMessage(l.Raw); err != nil {
		return m, false
	}
	m.Message.Raw = nil
	m.Cursor = cursorOf(l).String()
	if start <= maxBefore {
		m.Before, m.Text = bytes.Clone(l.Raw[:start]), bytes.Clone(l.Raw[start:end])
	}
	return m, true
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
