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

// maxOwn is how many bytes at the end of the agent's own log are looked at for its
// questions.
const maxOwn = 4 << 20

// Request ends a question that does not read like one.
const Request = "What is your answer?"

// asked is where a question was asked.
type asked struct{ thread, to string }

// Questions are what the agent wrote to each other in each thread, by time. A message
// answers the newest of these before it, whenever it arrives: sync tools bring mail late.
type Questions map[asked][]question

type question struct {
	// line is empty if it asks nothing, or is answered.
	line string
	ts   int64
}

// before returns what was written last in a thread before an answer, or nil.
func (q Questions) before(m *samp.Found) *question {
	list := q[asked{m.Thread, m.From}]
	n, _ := slices.BinarySearchFunc(list, m.TS+1, func(own question, ts int64) int { return cmp.Compare(own.ts, ts) })
	if n == 0 {
		return nil
	}
	return &list[n-1]
}

// Answered returns the question that a message answers, once, or "".
func (q Questions) Answered(m *samp.Found) string {
	own := q.before(m)
	if own == nil {
		return ""
	}
	line := own.line
	own.line = ""
	return line
}

// Questions returns the agent's questions that nothing read answers. A log that cannot be
// read holds none.
func (m *Waiting) Questions(ctx context.Context) (Questions, error) {
	if m.dir == nil || len(m.Unread) == 0 {
		return nil, nil
	}
	list := m.dir.questions(ctx, m.Me)
	oldest, any := list.oldest(m.Unread)
	if !any {
		return nil, nil
	}
	waits := make(map[Key]bool, len(m.Unread))
	for i := range m.Unread {
		waits[m.Unread[i].Key] = true
	}
	for _, r := range m.readings {
		for f, err := range r.Since(ctx, oldest) {
			if err != nil {
				return nil, err
			}
			if !waits[sampstore.KeyOf(f)] {
				list.Answered(f)
			}
		}
	}
	return list, nil
}

// oldest returns when the first question was asked of somebody whose mail waits, if any
// was.
func (q Questions) oldest(waiting []Unread) (ts int64, any bool) {
	senders := make(map[string]bool)
	for i := range waiting {
		senders[waiting[i].From] = true
	}
	for key, list := range q {
		for _, own := range list {
			if senders[key.to] && own.line != "" && (!any || own.ts < ts) {
				ts, any = own.ts, true
			}
		}
	}
	return ts, any
}

// questions returns what somebody wrote to each other in each thread.
func (d *Dir) questions(ctx context.Context, me string) Questions {
	log, problem := d.dir.Log(samp.LogName(me))
	if problem != nil || log.Info == nil {
		return nil
	}
	list := make(Questions)
	size := log.Info.Size()
	_ = d.dir.ReadLog(ctx, lineread.New(), log, max(0, size-maxOwn), size, lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		r, err := samp.ParseInPlace(raw)
		if err != nil || r.From != me {
			return
		}
		own := question{ts: r.TS}
		if q, asks := mail.Asked(r.Body); asks {
			line := q.Line
			if line == "" || line == Request {
				line = samp.FirstLine(r.Body)
			}
			own.line = strings.Clone(line)
		}
		key := asked{strings.Clone(r.Thread), strings.Clone(r.To)}
		list[key] = append(list[key], own)
	}})
	for _, own := range list {
		slices.SortStableFunc(own, func(a, b question) int { return cmp.Compare(a.ts, b.ts) })
	}
	return list
}

// Asked returns what the agent asked somebody last in a thread, if nothing of its own
// follows and nothing answers it, else "".
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
	own := list[asked{thread, to}]
	if len(own) == 0 || own[len(own)-1].line == "" {
		return "", nil
	}
	last := &own[len(own)-1]
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
