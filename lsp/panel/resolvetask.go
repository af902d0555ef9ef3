package panel

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
)

// resolveTask finds a task, or one of its messages, by its id.
func (p *Panels) resolveTask(link ResolvedLink, most int) (ResolvedLink, bool) {
	now := p.now()
	for _, s := range p.ssotsNow() {
		if t := s.Task(link.Token); t != nil {
			ref := taskRef(s, t.ID)
			link.Status, link.Kind, link.Thread = "found", "thread", &ref
			link.Title = taskTitle(t)
			link.Preview = within(taskPreview(taskRow{s, t}, now, most))
			return link, true
		}
		if t, at := s.Message(link.Token); t != nil {
			m := &t.History.Messages[at]
			ref, message := taskRef(s, t.ID), taskMessageRef(s, t.ID, m.ID)
			link.Status, link.Kind, link.Thread, link.Message = "found", "message", &ref, &message
			link.Title, _ = render.Line(m.From+" → "+m.To+": "+messageWords(m), 80)
			link.Preview = within(taskHeadline(m) + "\n\n" + taskFacts(taskRow{s, t}, now) + "\n\n" +
				markup.Markdown(payloadBody(&m.Payload).text.String(), markup.Options{MaxBytes: previewBody, TopHeading: 4}))
			return link, true
		}
		if found, ok := resolveMalformed(s, link); ok {
			return found, true
		}
	}
	return link, false
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
