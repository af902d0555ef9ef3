package box

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// maxQuestions is how many bytes at the end of the agent's own log are searched for its questions.
const maxQuestions = 4 << 20

// Request is appended to a question that does not read like one.
const Request = "What is your answer?"

// addressed is the thread and the receiver of a message.
type addressed struct{ thread, to string }

// Questions holds the agent's messages to each receiver in each thread, by time. A message answers
// the newest of them that was written before it, even if it arrives late by a sync tool.
type Questions map[addressed][]question

type question struct {
	// line is the question, or empty if the message asks nothing or is answered.
	line string
	ts   int64
}

// before returns the agent's last message that an answer may answer, or nil.
func (q Questions) before(m *samp.Found) *question {
	list := q[addressed{m.Thread, m.From}]
	n, _ := slices.BinarySearchFunc(list, m.TS+1, func(asked question, ts int64) int { return cmp.Compare(asked.ts, ts) })
	if n == 0 {
		return nil
	}
	return &list[n-1]
}

// Answered returns the question that a message answers, or "". It returns each question once.
func (q Questions) Answered(m *samp.Found) string {
	asked := q.before(m)
	if asked == nil {
		return ""
	}
	line := asked.line
	asked.line = ""
	return line
}

// Questions returns the agent's questions that no message it has read answers. If the agent's
// log cannot be read, there are none.
func (m *Waiting) Questions(ctx context.Context) (Questions, error) {
	if m.dir == nil || len(m.Unread) == 0 {
		return nil, nil
	}
	list := m.dir.questions(ctx, m.Me)
	oldest, found := list.oldest(m.Unread)
	if !found {
		return nil, nil
	}
	unread := make(map[Key]bool, len(m.Unread))
	for i := range m.Unread {
		unread[m.Unread[i].Key] = true
	}
	for _, r := range m.readings {
		for f, err := range r.Since(ctx, oldest) {
			if err != nil {
				return nil, err
			}
			if !unread[sampstore.KeyOf(f)] {
				list.Answered(f)
			}
		}
	}
	return list, nil
}

// oldest returns the time of the oldest question to a sender of unread mail, and whether there
// is one.
func (q Questions) oldest(unread []Unread) (ts int64, found bool) {
	senders := make(map[string]bool)
	for i := range unread {
		senders[unread[i].From] = true
	}
	for key, list := range q {
		for _, asked := range list {
			if senders[key.to] && asked.line != "" && (!found || asked.ts < ts) {
				ts, found = asked.ts, true
			}
		}
	}
	return ts, found
}

// questions returns the messages of one alias, from the end of its log, as [Questions].
func (d *Dir) questions(ctx context.Context, me string) Questions {
	log, problem := d.dir.Log(samp.LogName(me))
	if problem != nil || log.Info == nil {
		return nil
	}
	list := make(Questions)
	size := log.Info.Size()
	_ = d.dir.ReadLog(ctx, lineread.New(), log, max(0, size-maxQuestions), size, lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		r, err := samp.ParseInPlace(raw)
		if err != nil || r.From != me {
			return
		}
		written := question{ts: r.TS}
		if q, asks := mail.Asked(r.Body); asks {
			line := q.Line
			if line == "" || line == Request {
				line = samp.FirstLine(r.Body)
			}
			written.line = strings.Clone(line)
		}
		key := addressed{strings.Clone(r.Thread), strings.Clone(r.To)}
		list[key] = append(list[key], written)
	}})
	for _, thread := range list {
		slices.SortStableFunc(thread, func(a, b question) int { return cmp.Compare(a.ts, b.ts) })
	}
	return list
}

// Asked returns the agent's last question to somebody in a thread. It returns "" if the agent
// has since written to them there, or if the question is answered.
func (b *Box) Asked(ctx context.Context, thread, to string) (string, error) {
	if thread == "" {
		return "", nil
	}
	me, err := b.Reads()
	if err != nil {
		return "", err
	}
	d, err := b.openIfExists()
	if err != nil || d == nil {
		return "", err
	}
	defer d.Close()
	list := d.questions(ctx, me)
	asked := list[addressed{thread, to}]
	if len(asked) == 0 || asked[len(asked)-1].line == "" {
		return "", nil
	}
	last := &asked[len(asked)-1]
	lines, err := d.All(ctx, me)
	if err != nil {
		return "", err
	}
	defer lines.Close()
	for m, err := range lines.Since(ctx, last.ts) {
		if err != nil {
			return "", err
		}
		list.Answered(m)
	}
	return last.line, nil
}
