package source

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// taskAt is one message of a task.
type taskAt struct {
	in   *agnstore.Snapshot
	task *agnstore.Task
	at   int
}

func (t *taskAt) message() *agn.Message { return &t.task.History.Messages[t.at] }

func (t *taskAt) place() panel.SearchPlace {
	return panel.SearchPlace{Time: t.message().Time.Millis, Key: t.message().ID}
}

// newest orders the places of messages.
func newest(a, b panel.SearchPlace) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(b.Key, a.Key))
}

// References returns the messages that name a token in their members or hold it in
// their text, newest first.
func (v *view) References(ctx context.Context, q *panel.ReferenceQuery) (list panel.ReferenceList, err error) {
	var after panel.SearchPlace
	if q.Place != "" && json.Unmarshal([]byte(q.Place), &after) != nil {
		return list, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	var messages []taskAt
	for _, in := range v.shown {
		for _, t := range in.Tasks {
			for at := range t.History.Messages {
				if m := (taskAt{in, t, at}); q.Place == "" || newest(after, m.place()) < 0 {
					messages = append(messages, m)
				}
			}
		}
	}
	slices.SortStableFunc(messages, func(a, b taskAt) int { return newest(a.place(), b.place()) })
	for i := range messages {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		m := messages[i].message()
		if !refersTo(m, q.Token) && len(q.Word.InText(payloadBody(&m.Payload).text.String(), 1)) == 0 {
			continue
		}
		list.References = append(list.References, messages[i].reference(q.Token))
		if len(list.References) >= q.Limit {
			place, err := json.Marshal(messages[i].place())
			list.Next = string(place)
			return list, err
		}
	}
	return list, nil
}

// refersTo reports whether a member of a message names the token.
func refersTo(m *agn.Message, token string) bool {
	if slices.Contains(m.ContextRef, token) {
		return true
	}
	if r := m.Payload.Request; r != nil && (r.DispatchRef == token || r.ResultRef == token) {
		return true
	}
	if d := m.Payload.Dispatch; d != nil && d.Branch == token {
		return true
	}
	return m.Payload.Escalation != nil && slices.Contains(m.Payload.Escalation.Affected, token)
}

// reference returns the message as a reference, at the place of the token in its file.
func (t *taskAt) reference(token string) panel.Reference {
	m := t.message()
	title, _ := render.Line(messageWords(m), 160)
	return panel.Reference{
		Place:   place.InFile(t.in.Path, t.task.Files[t.at], token, "msg_id", "task_id"),
		Message: taskMessageRef(t.in, t.task.ID, m.ID), Thread: taskRef(t.in, t.task.ID), Title: title, From: show.Line(m.From), Time: show.Time(m.Time.Millis),
	}
}
