package index

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/query"
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
	// maxSpelled is more than a word takes in JSON.
	maxSpelled = 8 * mention.MaxToken
)

// MentionCursor is the place behind which a search for mentions goes on. The zero value
// begins it.
type MentionCursor SearchPlace

// mentionParts returns the members of a record in which a word is not a mention.
func mentionParts() []string { return []string{"id", "from", "to", "thread"} }

// Mentions finds the messages whose body has a word, the newest first. It is
// [Live.Search] for an exact word, except that a log that cannot be read is an error:
// silence would say that nobody mentions the word. next is nil where there are no more.
// A call reads about [MentionBytes] at most, so it may find nothing and still have a
// next.
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
			continue // the log went meanwhile
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
