package source

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Find returns the task or the message with an id, or nil. It answers only
// [panel.ByID].
func (v *view) Find(_ context.Context, by panel.Lookup, token string) *panel.Target {
	if by != panel.ByID {
		return nil
	}
	for _, s := range v.shown {
		if t := s.Task(token); t != nil {
			ref := taskRef(s, t.ID)
			return &panel.Target{
				Status: panel.LinkFound, Kind: panel.LinkThread, Thread: &ref, Title: taskTitle(t), Time: taskItem(s, t, v.now).LastTime,
				Preview: func(most int) string { return taskPreview(taskRow{s, t}, v.now, most) },
				Places:  func() []panel.Place { return taskPlaces(s, t, 0) },
			}
		}
		if t, at := s.Message(token); t != nil {
			m := &t.History.Messages[at]
			ref, message := taskRef(s, t.ID), taskMessageRef(s, t.ID, m.ID)
			found := &panel.Target{Status: panel.LinkFound, Kind: panel.LinkMessage, Thread: &ref, Message: &message, Time: show.Time(m.Time.Millis), Can: taskCan(t, m, v.now)}
			found.Title, _ = render.Line(m.From+" → "+m.To+": "+messageWords(m), 80)
			found.Preview = func(int) string {
				return taskHeadline(m) + "\n\n" + taskFacts(taskRow{s, t}, v.now) + "\n\n" +
					markup.Markdown(payloadBody(&m.Payload).text.String(), markup.Options{MaxBytes: show.HoverBody, TopHeading: 4})
			}
			found.Places = func() []panel.Place { return taskPlaces(s, t, at) }
			return found
		}
		if found := findMalformed(s, token); found != nil {
			return found
		}
	}
	return nil
}

// taskPlaces returns the place of a task's message, or nil if it has no file.
func taskPlaces(s *agnstore.Snapshot, t *agnstore.Task, at int) []panel.Place {
	if at >= len(t.Files) {
		return nil
	}
	return []panel.Place{place.InFile(s.Path, t.Files[at], t.History.Messages[at].ID)}
}

// taskFacts returns a line of Markdown with a task's id and state.
func taskFacts(r taskRow, now int64) string {
	i := taskItem(r.in, r.task, now)
	words := "**Task** " + markup.Code(i.ID) + " · " + markup.Escape(i.State)
	if next := i.Turn(); next != "" {
		words += " · " + next
	}
	if len(i.Suspended) > 0 {
		words += " · suspended: " + strings.Join(i.Suspended, ", ")
	}
	return words
}

// taskPreview returns Markdown with a task and its last messages. most is the largest
// number of messages.
func taskPreview(r taskRow, now int64, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n", taskFacts(r, now), markup.Escape(taskTitle(r.task)))
	messages := r.task.History.Messages
	for i := range messages[max(0, len(messages)-most):] {
		m := &messages[max(0, len(messages)-most)+i]
		line, _ := render.Line(messageWords(m), 160)
		b.WriteString("- " + taskHeadline(m) + ": " + markup.Escape(line) + "\n")
	}
	return b.String()
}

func taskHeadline(m *agn.Message) string {
	return "**" + markup.Escape(m.From) + " → " + markup.Escape(m.To) + "** · " + show.When(show.Time(m.Time.Millis))
}

// taskCan returns what the admin can do with a message: the Can constants.
func taskCan(t *agnstore.Task, m *agn.Message, now int64) []string {
	can := []string{}
	if m.Payload.Escalation != nil && openOf(t, now)[m.ID] {
		can = append(can, panel.CanRespond)
	}
	if m.To == agn.Admin && m.RequiresAck && ackedAt(t, m) == 0 {
		can = append(can, panel.CanAck)
	}
	return can
}

// Knows reports whether a token is the id of a task or of a message that counts.
func (v *view) Knows(_ context.Context, token string) bool {
	return slices.ContainsFunc(v.shown, func(s *agnstore.Snapshot) bool {
		t, _ := s.Message(token)
		return t != nil || s.Task(token) != nil
	})
}

// Complete adds the ids of tasks, and the roles where there are tasks.
func (v *view) Complete(_ context.Context, c *panel.Completing) {
	add := func(t *agnstore.Task) {
		c.Add(panel.Completion{Text: t.ID, Title: taskTitle(t), Kind: panel.CompletionThread, Protocol: string(mail.AGN), Detail: "task", Time: show.Time(t.Last)})
	}
	switch {
	case c.Kind == panel.CompleteRecipient && len(v.shown) > 0:
		for _, role := range []string{agn.Coordinator, agn.Executor, agn.Reviewer, agn.Admin} {
			c.Add(panel.Completion{Text: role, Kind: panel.CompletionRecipient, Protocol: string(mail.AGN), Detail: "role of AMP/1.0 tasks"})
		}
	case c.Kind == panel.CompleteThread:
		for _, s := range v.shown {
			for _, t := range s.Tasks[:min(len(s.Tasks), 10*c.Limit)] {
				add(t)
			}
		}
	case c.Kind == panel.CompleteID && strings.HasPrefix(c.Prefix, "T-"):
		for _, s := range v.shown {
			for _, t := range s.Tasks {
				if strings.HasPrefix(t.ID, c.Prefix) && !c.Full() {
					add(t)
				}
			}
		}
	}
}

// Symbols returns the newest tasks of each directory that match.
func (v *view) Symbols(match func(names ...string) bool, limit int) (list []panel.Symbol) {
	for _, s := range v.shown {
		n := 0
		for _, t := range s.Tasks {
			if title := taskTitle(t); n < limit && len(t.Files) > 0 && match(t.ID, title) {
				n++
				list = append(list, panel.Symbol{
					Name: t.ID + " " + title, Detail: "AMP/1.0 task, " + show.Count(len(t.History.Messages), "message", "messages"), Protocol: mail.AGN,
					Thread: taskRef(s, t.ID), Time: show.Time(t.Last), Place: panel.Place{Path: place.Join(s.Path, t.Files[len(t.Files)-1])},
				})
			}
		}
	}
	return list
}

// Outline returns the name and time of the message in a file, and whether the text is
// an AMP/1.0 message.
func (s *source) Outline(text string) (name string, time int64, ok bool) {
	if !strings.Contains(text, `"protocol_version"`) {
		return "", 0, false
	}
	m, err := agn.ParseMessage([]byte(text))
	if err != nil || !strings.HasPrefix(m.Version, "AMP/") || m.ID == "" {
		return "", 0, false
	}
	return m.From + " → " + m.To + ": " + messageWords(&m), show.Time(m.Time.Millis), true
}
