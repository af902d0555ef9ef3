package home

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

type step struct{ command, does string }

// shownSteps is how many commands are suggested.
const shownSteps = 3

func (s *screen) next() {
	s.head("Next", "")
	t := s.Table(s.w, cli.Column{}, cli.Column{}, cli.Column{Least: 10})
	for _, step := range s.steps()[:shownSteps] {
		t.Row(cli.Cell{Text: " "}, cli.Cell{Text: step.command}, cli.Cell{Text: step.does, Style: cli.Dim})
	}
	t.Write()
	if s.partial {
		s.w.WriteString("\n" + s.Paint().In(cli.Dim, cli.Fit("Older mail was not read yet; \"signalbox needs\" waits for all of it.", s.Columns())) + "\n")
	}
}

// steps returns at least three commands, most urgent first.
func (s *screen) steps() (list []step) {
	for i := range s.needs.Items {
		if step, ok := s.answer(&s.needs.Items[i]); ok {
			list = append(list, step)
			break
		}
	}
	list = append(list, s.reading()...)
	if s.needs.Total > 0 {
		list = append(list, step{"signalbox needs", fmt.Sprintf("list all %d that need you", s.needs.Total)})
	}
	if len(s.agents) == 0 {
		list = append(list, step{"signalbox setup", "connect your agents' programs to their mail"})
	}
	if !s.exists() {
		list = append(list, step{"signalbox demo", "try everything on sample mail"})
	}
	return append(list,
		step{"signalbox send NAME \"…\"", "write to somebody"},
		step{"signalbox search WORDS", "find messages of all formats"},
		step{"signalbox help", "list all commands"},
	)
}

func (s *screen) answer(it *panel.NeedItem) (step, bool) {
	switch {
	case it.Question != nil && it.Question.Message.Protocol == mail.SAMP:
		_, id, ok := it.Question.Message.Message()
		return step{fmt.Sprintf("signalbox reply --to-id %.*s \"…\"", shownID, cli.Line(id)), "answer " + cli.Line(it.Question.From)}, ok
	case it.Escalation != nil:
		return step{"signalbox task escalations", "read what is asked of you, and how to answer"}, true
	}
	return step{}, false
}

// shownID is how many characters of a message's id are shown.
const shownID = 8

func (s *screen) reading() (list []step) {
	unread := make(map[string]bool)
	for i := range s.mail.Threads {
		unread[s.mail.Threads[i].Protocol] = true
	}
	if unread[string(mail.SAMP)] {
		list = append(list, step{"signalbox inbox", "show what is new, and mark it as read"})
	}
	if unread[string(mail.AMP)] {
		list = append(list, step{"signalbox amp inbox --unread", "list what is new in signed mail"})
	}
	return list
}
