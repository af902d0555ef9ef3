package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/lineread"
)

// maxOwn is how many bytes at the end of the agent's own log are looked at for its
// questions.
const maxOwn = 4 << 20

// Request ends a question that does not read like one.
const Request = "What is your answer?"

// asked is where a question was asked.
type asked struct{ thread, to string }

// Questions are the agent's own questions that nothing of its own follows in their thread.
type Questions map[asked]question

type question struct {
	line string
	ts   int64
}

// Answered returns the question that a message answers, once, or "".
func (q Questions) Answered(m *samp.Found) string {
	key := asked{m.Thread, m.From}
	own, ok := q[key]
	if !ok || m.TS < own.ts {
		return ""
	}
	delete(q, key)
	return own.line
}

// Questions returns the agent's questions that nothing read answers. A log that cannot be
// read holds none.
func (m *Mail) Questions(ctx context.Context, b *Box) (Questions, error) {
	if m.dir == nil || len(m.Waiting) == 0 {
		return nil, nil
	}
	list := questionsOf(ctx, m.dir, m.Me)
	if !slices.ContainsFunc(m.Waiting, func(u store.Unread) bool { return list.to(u.From) }) {
		return nil, nil
	}
	waits := make(map[store.Key]bool, len(m.Waiting))
	for i := range m.Waiting {
		waits[m.Waiting[i].Key] = true
	}
	err := b.Each(ctx, func(f *samp.Found) bool {
		if !waits[store.KeyOf(f)] {
			list.Answered(f)
		}
		return len(list) > 0
	})
	return list, err
}

// to reports whether something was asked of somebody.
func (q Questions) to(alias string) bool {
	for key := range q {
		if key.to == alias {
			return true
		}
	}
	return false
}

func questionsOf(ctx context.Context, d *store.Dir, me string) Questions {
	log, problem := d.Log(samp.LogName(me))
	if problem != nil || log.Info == nil {
		return nil
	}
	list := make(Questions)
	size := log.Info.Size()
	_ = d.ReadLog(ctx, lineread.New(), log, max(0, size-maxOwn), size, lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		r, err := samp.ParseInPlace(raw)
		if err != nil || r.From != me {
			return
		}
		key := asked{strings.Clone(r.Thread), strings.Clone(r.To)}
		delete(list, key)
		if q, asks := mail.Asked(r.Body); asks {
			line := q.Line
			if line == "" || line == Request {
				line = samp.FirstLine(r.Body)
			}
			list[key] = question{strings.Clone(line), r.TS}
		}
	}})
	return list
}

// Asked returns what the agent asked somebody last in a thread, if nothing of its own
// follows and nothing answers it, else "".
func (b *Box) Asked(ctx context.Context, thread, to string) (string, error) {
	if thread == "" {
		return "", nil
	}
	me, err := b.me()
	if err != nil {
		return "", err
	}
	d, err := b.dir()
	if err != nil || d == nil {
		return "", err
	}
	defer d.Close()
	list, key := questionsOf(ctx, d, me), asked{thread, to}
	if _, ok := list[key]; !ok {
		return "", nil
	}
	err = b.Each(ctx, func(m *samp.Found) bool {
		list.Answered(m)
		_, ok := list[key]
		return ok
	})
	return list[key].line, err
}
