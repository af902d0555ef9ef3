package source

import (
	"cmp"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// askingMost is how many threads with a question are found, newest first.
const askingMost = panel.MaxNeeds

// judgedQuestions is how many messages are judged to find those threads, newest first. Reading
// so many files once takes a fraction of a second.
const judgedQuestions = 2000

// asking returns the questions to the user by their threads: at most askingMost, of the newest
// threads. Its first call also sets v.urgent for urgent threads that contain no question.
func (v *view) asking() map[*ampstore.Thread]*panel.ThreadQuestion {
	if v.questions != nil {
		return v.questions
	}
	v.questions, v.urgent = make(map[*ampstore.Thread]*panel.ThreadQuestion), make(map[*ampstore.Thread]bool)
	judged := 0
	for _, t := range v.Threads {
		m := v.mayAsk(t)
		urgent := newest(t).Priority == amp.Urgent && v.needsReply(t)
		if (m == nil && !urgent) || v.shelvedAt(t).Quiet() {
			continue
		}
		if judged == judgedQuestions || len(v.questions) == askingMost {
			break
		}
		judged++
		if m == nil {
			trust := v.trust(v.own.Shown(newest(t)))
			v.urgent[t] = trust.Level() != panel.TrustWarn
		} else if q := v.question(m); q != nil {
			v.questions[t] = q
		}
	}
	return v.questions
}

// isUrgent reports whether a thread asks the user something, or is urgent and needs a reply.
func (v *view) isUrgent(t *ampstore.Thread) bool { return v.asking()[t] != nil || v.urgent[t] }

// mayAsk returns a thread's newest message if it asks the user something according to the
// index, or nil. An unsigned message is never trusted, so it asks nothing.
func (v *view) mayAsk(t *ampstore.Thread) *ampstore.Message {
	m := v.lastToUser(t)
	if m == nil || m.Want != mail.Answer || m.SignatureID == "" {
		return nil
	}
	return m
}

func (v *view) question(m *ampstore.Message) *panel.ThreadQuestion {
	if j := v.trust(m); j.Level() == panel.TrustWarn {
		return nil
	}
	msg, err := v.Read(m)
	if err != nil {
		return nil
	}
	q, asks := mail.Asked(ampstore.Bare(msg.Payload.Text))
	if !asks {
		return nil // the file changed after it was indexed
	}
	return &panel.ThreadQuestion{Message: messageRef(v.ID, m.Key), Text: show.Question(&q), Options: show.Options(&q), Urgent: q.Urgent}
}

func (v *view) expired(m *ampstore.Message) bool { return m.Expires != 0 && m.Expires < v.now }

// setAsked sets what became of the message at an index of a thread, if it is a trusted question
// to the user or from the user.
func (v *view) setAsked(t *ampstore.Thread, at int, msg *amp.Message, level panel.TrustLevel, item *panel.MessageItem) {
	m := v.own.Shown(&t.Messages[at])
	from, to := v.own.Addressed(m.From), v.own.Addressed(m.To)
	next := following(t, at)
	if level == panel.TrustWarn || from == to || next == nil && v.expired(m) {
		return
	}
	text := ampstore.Bare(msg.Payload.Text)
	if _, asks := mail.Asked(text); !asks {
		return
	}
	if next == nil {
		item.SetAsked(text, nil)
		return
	}
	after := v.own.Shown(next)
	reply, trust := v.judge(after)
	answers := to && v.own.Addressed(after.From) && strings.EqualFold(after.To, m.From) ||
		from && strings.EqualFold(after.From, m.To) && v.own.Addressed(after.To)
	item.SetAsked(text, &panel.Following{Answers: answers && trust.Level() != panel.TrustWarn, Text: ampstore.Bare(reply.Payload.Text)})
}

func following(t *ampstore.Thread, at int) (next *ampstore.Placed) {
	for i := range t.Messages {
		m := &t.Messages[i]
		later := cmp.Or(cmp.Compare(m.When(), t.Messages[at].When()), cmp.Compare(i, at)) > 0
		if later && (next == nil || m.When() < next.When()) {
			next = m
		}
	}
	return next
}

// receipt returns who read a message from the user, according to its receiver's mailbox on this
// machine, or nil.
func (v *view) receipt(at *ampstore.Placed) *panel.Receipt {
	to, ok := amp.ParseAddress(at.To)
	if !ok || v.own.Addressed(at.To) {
		return nil
	}
	for _, m := range at.Files() {
		if m.Box != ampstore.Inbox || m.Err != nil || m.Status == amp.Unread || v.Owner(to) != m.Mailbox {
			continue
		}
		r := &panel.Receipt{State: panel.ReceiptRead, Alias: show.Line(m.Mailbox.Name)}
		if msg, err := v.Read(m); err == nil {
			r.Time = show.Time(msg.Local.ReadAt.Millis)
		}
		return r
	}
	return nil
}
