package mailbox

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Whole reports whether the excerpt is all of the text, so that a search need not
// read the file.
func (m *Message) Whole() bool { return m.Err == nil && len(m.Excerpt) <= maxExcerpt-utf8.UTFMax }

// Sought is a message with its thread.
type Sought struct {
	Thread *Thread
	At     int
}

// Placed is the message in its thread.
func (s Sought) Placed() *Placed { return &s.Thread.Messages[s.At] }

// ByTime gives every message once, the newest first, then by Key, the last first,
// as a search lists them.
func (s *Snapshot) ByTime() []Sought {
	list := make([]Sought, 0, s.Messages)
	for _, t := range s.Threads {
		for i := range t.Messages {
			list = append(list, Sought{t, i})
		}
	}
	slices.SortFunc(list, func(a, b Sought) int {
		x, y := a.Placed(), b.Placed()
		if c := cmp.Compare(y.When(), x.When()); c != 0 {
			return c
		}
		return strings.Compare(y.Key, x.Key)
	})
	return list
}
