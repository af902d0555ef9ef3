package amp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// filesRead is the largest number of files that one call reads. The index has the whole
// text of most messages and the beginning of the others.
const filesRead = 2000

// excerptWhole is the length below which an excerpt is the whole text. A longer excerpt
// may be a part of it.
const excerptWhole = 390

// mentionPlace identifies the message at which a search for mentions stopped.
type mentionPlace struct {
	Time int64  `json:"t"`
	Key  string `json:"i"`
}

// compare returns a negative number if p comes before o in a search, which is newest
// first.
func (p mentionPlace) compare(o mentionPlace) int {
	return cmp.Or(cmp.Compare(o.Time, p.Time), strings.Compare(o.Key, p.Key))
}

// mentioning is a message in its thread that may mention a token.
type mentioning struct {
	thread *mailbox.Thread
	*mailbox.Message
}

func (m *mentioning) place() mentionPlace { return mentionPlace{m.When(), m.Key} }

// References returns the messages that reply to the token or hold it in their text,
// newest first.
func (v *view) References(ctx context.Context, q *panel.ReferenceQuery) (found panel.ReferenceList, err error) {
	list, err := v.after(q.Place)
	if err != nil {
		return found, err
	}
	read := 0
	for i := range list {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		m := &list[i]
		// An excerpt that was cut does not show whether the rest holds the token.
		whole := len(m.Excerpt) < excerptWhole
		if whole && !sameID(m.InReplyTo, q.Token) && len(q.Word.InText(m.Subject+"\n"+m.Excerpt, 1)) == 0 {
			continue
		}
		data, err := tree.ReadFile(v.Path, m.Key, amp.MaxStored)
		if read++; err == nil {
			found.References = append(found.References, v.references(m, data, q)...)
		}
		if len(found.References) >= q.Limit || read >= filesRead {
			place, err := json.Marshal(m.place())
			found.Next = string(place)
			return found, err
		}
	}
	return found, nil
}

// after returns all messages after a place, newest first, or all if the place is empty.
func (v *view) after(place string) (list []mentioning, err error) {
	var from mentionPlace
	if place != "" && json.Unmarshal([]byte(place), &from) != nil {
		return nil, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	for _, t := range v.Threads {
		for i := range t.Messages {
			if m := (mentioning{t, v.own.Shown(&t.Messages[i])}); place == "" || from.compare(m.place()) < 0 {
				list = append(list, m)
			}
		}
	}
	slices.SortFunc(list, func(a, b mentioning) int { return a.place().compare(b.place()) })
	return list, nil
}

// references returns the message as a reference if its file mentions the token.
func (v *view) references(m *mentioning, data []byte, q *panel.ReferenceQuery) []panel.Reference {
	_, _, ok := q.Word.In(data, "id", "thread_id")
	if !ok && !sameID(m.InReplyTo, q.Token) {
		return nil
	}
	title, _ := render.Line(m.Subject, 160)
	return []panel.Reference{{
		Place:   place.InText(place.Join(v.Path, m.Key), data, q.Token, "id", "thread_id"),
		Message: messageRef(v.ID, m.Key), Thread: mail.ThreadRef(mail.AMP, v.ID, m.thread.ID),
		Title: title, From: show.Line(m.From), Time: show.Time(m.When()),
	}}
}

// sameID reports whether two ids are the same. It does not distinguish "-" from "_", as
// in msg- and msg_. An empty id is the same as no other.
func sameID(a, b string) bool {
	return a != "" && strings.ReplaceAll(a, "-", "_") == strings.ReplaceAll(b, "-", "_")
}
