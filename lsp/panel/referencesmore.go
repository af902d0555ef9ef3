package panel

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// lettersRead is the largest number of files of signed mail that one call reads. The
// index has the whole text of most messages and the beginning of the others.
const lettersRead = 2000

// behind reports whether a message comes after the cursor. The order is by time and id,
// newest first.
func (c *referenceCursor) behind(time int64, id string) bool {
	return c.ID == "" || cmp.Or(cmp.Compare(time, c.Time), strings.Compare(id, c.ID)) < 0
}

// letters searches signed mail for messages that reply to the token or hold it in their
// text.
func (s *referenceSearch) letters(ctx context.Context, from referenceCursor) (*referenceCursor, error) {
	n := s.p.mailNow(ctx)
	type letter struct {
		thread *mailbox.Thread
		m      *mailbox.Message
	}
	var list []letter
	for _, t := range n.Threads {
		for i := range t.Messages {
			if m := n.own.Shown(&t.Messages[i]); from.behind(m.When(), m.Key) {
				list = append(list, letter{t, m})
			}
		}
	}
	slices.SortFunc(list, func(a, b letter) int {
		return cmp.Or(cmp.Compare(b.m.When(), a.m.When()), strings.Compare(b.m.Key, a.m.Key))
	})
	read := 0
	for _, l := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m := l.m
		// An excerpt that was cut does not show whether the rest holds the token.
		whole := len(m.Excerpt) < excerptWhole
		if whole && !sameLetter(m.InReplyTo, s.token) && len(s.word.InText(m.Subject+"\n"+m.Excerpt, 1)) == 0 {
			continue
		}
		data, err := tree.ReadFile(n.Path, m.Key, amp.MaxStored)
		if read++; err == nil {
			s.letter(&n, l.thread, m, data)
		}
		if len(s.out) >= s.limit || read >= lettersRead {
			return &referenceCursor{Format: inLetters, Time: m.When(), ID: m.Key}, nil
		}
	}
	return nil, nil
}

// excerptWhole is the length below which an excerpt is the whole text. A longer excerpt
// may be a part of it.
const excerptWhole = 390

// letter adds a message if its file mentions the token.
func (s *referenceSearch) letter(n *mailNow, t *mailbox.Thread, m *mailbox.Message, data []byte) {
	_, _, ok := s.word.In(data, "id", "thread_id")
	if !ok && !sameLetter(m.InReplyTo, s.token) {
		return
	}
	title, _ := render.Line(m.Subject, 160)
	s.out = append(s.out, Reference{
		Place:   wordInFile(joined(n.Path, m.Key), data, s.token, "id", "thread_id"),
		Message: ampMessageRef(n.ID, m.Key), Thread: mail.ThreadRef(mail.AMP, n.ID, t.ID),
		Title: title, From: safe(m.From), Time: clampTime(m.When()),
	})
}

// sameLetter reports whether two ids of signed mail are the same. It does not
// distinguish "-" from "_", as in msg- and msg_. An empty id is the same as no other.
func sameLetter(a, b string) bool {
	return a != "" && strings.ReplaceAll(a, "-", "_") == strings.ReplaceAll(b, "-", "_")
}
