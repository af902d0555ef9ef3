package source

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// running returns a message with the tool calls that hooks reported and the transcript does
// not have yet, or nil. It is shown at the end of the last page, at the offset of the next
// line.
func (v *view) running(page *sessionstore.Page, q *panel.ThreadParams) *session.Message {
	it := page.Item
	if it.Format.Call == nil || it.Agent != "" || q.Before != "" || page.After != "" {
		return nil
	}
	s := v.known.Hooked(it.Format.Client, it.ID)
	if s == nil || s.State != activity.Working && s.State != activity.Waiting {
		return nil
	}
	log := &session.Log{}
	m := log.FindOrAdd("", atsf.RoleAgent, 0)
	m.Offset, m.Model = page.End, it.Model
	for i := range s.Tools {
		t := &s.Tools[i]
		if t.Since <= page.Recorded {
			continue
		}
		if len(m.Tools) == 0 {
			m.Time = session.Time(t.Since)
		}
		c := it.Format.Call(t.Name, []byte(t.Input))
		c.ID, c.Status = strconv.Itoa(i+1), status(s, t).String()
		if t.Ended > 0 {
			c.Duration = max(0, t.Ended-t.Since)
		}
		log.Call(m, c)
	}
	if len(m.Tools) == 0 || q.After == sessionstore.Cursor(m) {
		return nil
	}
	return m
}

// status returns the state of a tool call that is not in the transcript yet. A program asks
// for permission after its hook has reported the call. While an agent waits for the answer to
// its own question, the tool that asks is running.
func status(s *activity.Session, t *activity.Tool) atsf.State {
	switch {
	case t.Failed:
		return atsf.Failed
	case t.Ended > 0:
		return atsf.Completed
	case s.State == activity.Waiting && s.Ask.Text == "":
		return atsf.Pending
	}
	return atsf.Running
}
