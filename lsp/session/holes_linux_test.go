package session

import (
	"os"
	"testing"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/session"
)

// TestHoles reads a transcript that takes some kilobytes on the disk and is 40 GB long: with
// a hole at its end, and with one inside. What is around a hole is read as if there was none.
func TestHoles(t *testing.T) {
	b := newFixture(t)
	b.write(meta(1, b.path("p"))+chat(4), rollout(1))
	whole := len(b.page(t, 1))
	b.ok(os.Truncate(b.path(rollout(1)), 20<<30))
	if got := len(b.page(t, 1)); got != whole {
		t.Errorf("%d messages, not %d, with a hole at the end", got, whole)
	}
	b.add("\n"+chat(3), rollout(1))
	b.ok(os.Truncate(b.path(rollout(1)), 40<<30))
	if got := len(b.page(t, 1)); got != whole+4 { // one of them says that a line is too long
		t.Errorf("%d messages, not %d, with a hole inside", got, whole+4)
	}
}

// page returns the messages of a session from page to page, and searches it.
func (b *fixture) page(t *testing.T, n int) (list []session.Message) {
	t.Helper()
	s := b.scan("p")
	for q := (Query{Limit: 100}); ; {
		page, err := s.Page(t.Context(), key(n), q)
		b.ok(err)
		list = append(page.Messages, list...)
		if q.Before = page.Before; q.Before == "" {
			break
		}
	}
	for _, words := range [][]needle.Needle{{needle.New("0")}, {needle.New("word"), needle.New("nowhere")}} {
		_, _, err := s.Search(t.Context(), s.Item(key(n)), 0, 1<<40, words, func(*session.Message) bool { return true })
		b.ok(err)
	}
	return list
}
