package amp

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// filesRead is the largest number of files that one call reads. The index has the whole
// text of most messages and the beginning of the others.
const filesRead = 2000

// References returns the messages that reply to the token or hold it in their text,
// newest first.
func (v *view) References(ctx context.Context, q *panel.ReferenceQuery) (found panel.ReferenceList, err error) {
	var after *panel.SearchPlace
	if q.Place != "" && json.Unmarshal([]byte(q.Place), &after) != nil {
		return found, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	read := 0
	for s := range v.byTime(after) {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		m := v.own.Shown(s.Placed())
		replies := m.InReplyTo != "" && amp.OneSpelling(m.InReplyTo) == amp.OneSpelling(q.Token)
		if m.Whole() && !replies && len(q.Word.InText(m.Subject+"\n"+m.Excerpt, 1)) == 0 {
			continue
		}
		data, err := tree.ReadFile(v.Path, m.Key, amp.MaxStored)
		if _, _, mentions := q.Word.In(data, "id", "thread_id"); err == nil && (mentions || replies) {
			title, _ := render.Line(m.Subject, 160)
			found.References = append(found.References, panel.Reference{
				Place:   place.InText(place.Join(v.Path, m.Key), data, q.Token, "id", "thread_id"),
				Message: messageRef(v.ID, m.Key), Thread: mail.ThreadRef(mail.AMP, v.ID, s.Thread.ID),
				Title: title, From: show.Line(m.From), Time: show.Time(m.When()),
			})
		}
		if read++; len(found.References) >= q.Limit || read >= filesRead {
			place, err := json.Marshal(placeOf(s))
			found.Next = string(place)
			return found, err
		}
	}
	return found, nil
}
