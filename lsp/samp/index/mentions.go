package index

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/query"
)

// MentionBytes is how many bytes of the logs one call of [Live.Mentions] reads: enough for a
// store with a million messages.
const MentionBytes = 512 << 20

// Mention is a message with a word in its body, and the place of the word in its line.
type Mention struct {
	Message
	// Before is the line up to the word, and Text the word as written in the log. Both are
	// nil if more than [maxBefore] bytes precede the word.
	Before, Text []byte
}

const (
	maxBefore = 64 << 10
	// maxSpelled is more than a word takes in JSON.
	maxSpelled = 8 * mention.MaxToken
)

// MentionCursor is the place after which a search for mentions continues. The zero value is
// the beginning.
type MentionCursor SearchPlace

// mentionParts returns the members of a record in which a word does not count as a mention.
func mentionParts() []string { return []string{"id", "from", "to", "thread"} }

// Mentions finds the messages with a word in their body, newest first. It is [Live.Search]
// for an exact word, except that it returns an error if it cannot read a log: otherwise a
// mention there would silently be missing. next is nil if there are no more. A call reads
// about [MentionBytes] at most, so it may find nothing and still return a next.
func (l *Live) Mentions(ctx context.Context, word *mention.Needle, from MentionCursor, limit int) (found []Mention, next *MentionCursor, err error) {
	return l.mentions(ctx, word, from, limit, MentionBytes)
}

func (l *Live) mentions(ctx context.Context, word *mention.Needle, from MentionCursor, limit int, budget int64) (found []Mention, next *MentionCursor, err error) {
	var after *SearchPlace
	if from != (MentionCursor{}) {
		after = (*SearchPlace)(&from)
	}
	page, err := l.search(ctx, &query.Query{}, word, after, limit, budget)
	if err != nil {
		return nil, nil, err
	}
	for i := range page.Messages {
		m := Mention{Message: page.Messages[i]}
		raw, err := l.LineOf(&m.Message, maxBefore+maxSpelled)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the log was removed meanwhile
		}
		if err != nil {
			return nil, nil, err
		}
		if start, end, ok := word.In(raw, mentionParts()...); ok && start <= maxBefore {
			m.Before, m.Text = bytes.Clone(raw[:start]), bytes.Clone(raw[start:end])
		}
		found = append(found, m)
	}
	if page.More {
		next = (*MentionCursor)(&page.Next)
	}
	return found, next, nil
}
