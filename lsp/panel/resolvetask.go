package panel

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// findTaskTarget finds a task, or one of its messages, by its id.
func (p *Panels) findTaskTarget(token string) *Target {
	now := p.now()
	for _, s := range p.ssotsNow() {
		if t := s.Task(token); t != nil {
			ref := taskRef(s, t.ID)
			return &Target{
				Status: LinkFound, Kind: LinkThread, Thread: &ref, Title: taskTitle(t),
				Preview: func(most int) string { return taskPreview(taskRow{s, t}, now, most) },
				Places:  func() []Place { return taskPlaces(s, t, 0) },
			}
		}
		if t, at := s.Message(token); t != nil {
			m := &t.History.Messages[at]
			ref, message := taskRef(s, t.ID), taskMessageRef(s, t.ID, m.ID)
			found := &Target{Status: LinkFound, Kind: LinkMessage, Thread: &ref, Message: &message, Can: taskCan(t, m, now)}
			found.Title, _ = render.Line(m.From+" → "+m.To+": "+messageWords(m), 80)
			found.Preview = func(int) string {
				return taskHeadline(m) + "\n\n" + taskFacts(taskRow{s, t}, now) + "\n\n" +
					markup.Markdown(payloadBody(&m.Payload).text.String(), markup.Options{MaxBytes: previewBody, TopHeading: 4})
			}
			found.Places = func() []Place { return taskPlaces(s, t, at) }
			return found
		}
		if found := findMalformed(s, token); found != nil {
			return found
		}
	}
	return nil
}

// taskPlaces is where a message of a task lies, if it has a file.
func taskPlaces(s *ssot.Snapshot, t *ssot.Task, at int) []Place {
	if at >= len(t.Files) {
		return nil
	}
	return []Place{filePlace(s.Path, t.Files[at], t.History.Messages[at].ID)}
}

// taskFacts says where a task stands.
func taskFacts(r taskRow, now int64) string {
	i := taskItem(r.in, r.task, now)
	words := "**Task** " + markup.Code(i.ID) + " · " + markup.Escape(i.State)
	if i.NextWho != "" {
		words += " · " + i.NextWho + " has to " + i.NextDo
	}
	if len(i.Suspended) > 0 {
		words += " · suspended: " + strings.Join(i.Suspended, ", ")
	}
	return words
}

// taskPreview shows a task and what happened last in it.
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
	return "**" + markup.Escape(m.From) + " → " + markup.Escape(m.To) + "** · " + When(clampTime(m.Time.Millis))
}
