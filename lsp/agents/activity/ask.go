package activity

import (
	"context"
	"slices"
)

// Asking records that the agent with an alias waits in the calling process for the person's answer.
// The record goes to the first of the alias's sessions that matches:
//  1. the session with the id
//  2. the session whose program started this process
//  3. a working session
//  4. any session
//
// The session with the newest event wins a tie. The returned function records that the answer
// came. If nothing can be recorded, both do nothing.
func (f Folder) Asking(ctx context.Context, alias, id, text string, now int64) (answered func()) {
	caller := Caller()
	list, _ := f.List(now)
	list = slices.DeleteFunc(list, func(s Session) bool { return s.State == Ended || s.Alias != alias })
	if len(list) == 0 {
		return func() {}
	}
	rank := func(s *Session) int {
		switch {
		case id != "" && s.ID == id:
			return 3
		case caller.PID != 0 && s.Process.PID == caller.PID:
			return 2
		case s.State == Working:
			return 1
		}
		return 0
	}
	at := slices.MaxFunc(list, func(a, b Session) int {
		if d := rank(&a) - rank(&b); d != 0 {
			return d
		}
		return int(a.Heard - b.Heard)
	})
	ask := Ask{Text: cut(text), Since: now, Process: Self()}
	set := func(to Ask, may func(*Session) bool) {
		_ = f.Change(context.WithoutCancel(ctx), at.Client, at.ID, func(s *Session) bool {
			if s.State == "" || !may(s) {
				return false
			}
			s.Ask = to
			return true
		})
	}
	set(ask, func(*Session) bool { return true })
	return func() { set(Ask{}, func(s *Session) bool { return s.Ask == ask }) } // another may ask by now
}
