package agn

import (
	"math"
	"sync"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// Task returns a task by its id, or nil.
func (s *Snapshot) Task(id string) *Task { return s.byID[id] }

// Refused returns the messages that name a task and do not count, the newest first.
func (s *Snapshot) Refused(task string) (list []*Rejected) {
	for _, r := range s.Rejected {
		if r.TaskID == task {
			list = append(list, r)
		}
	}
	return list
}

// Message finds a message that counts: its task, and its index in
// Task.History.Messages. It returns nil and -1 if there is none.
func (s *Snapshot) Message(id string) (t *Task, at int) {
	// A message that counts names its own task in its id (rule E1).
	parts, ok := agn.ParseID(id)
	if !ok {
		return nil, -1
	}
	if t = s.Task(parts.TaskID); t == nil {
		return nil, -1
	}
	at, ok = t.place(id)
	if !ok {
		return nil, -1
	}
	return t, at
}

// place returns where a message stands in the history.
func (t *Task) place(id string) (at int, ok bool) {
	t.places.once.Do(func() {
		t.places.at = make(map[string]int, len(t.History.Messages))
		for i := range t.History.Messages {
			t.places.at[t.History.Messages[i].ID] = i
		}
	})
	at, ok = t.places.at[id]
	return at, ok
}

// places finds messages by their ids, made when it is first asked.
type places struct {
	once sync.Once
	at   map[string]int
}

// memo is where a task stands from one moment until before another, except for its age.
type memo struct {
	state       agn.TaskState
	alarms      []agn.Alarm
	from, until int64
}

// at returns where the task stands at a moment in Unix milliseconds. It is remembered until
// a deadline passes, so that it may be asked for often and from everywhere.
func (t *Task) at(now int64) *memo {
	if m := t.memo.Load(); m != nil && now >= m.from && now < m.until {
		return m
	}
	m := &memo{from: now}
	m.state, m.alarms = agn.Alarms(t.ID, t.History, t.met, now)
	m.until = t.until(&m.state, now)
	t.memo.Store(m)
	return m
}

// State returns where the task stands at a moment in Unix milliseconds, as [agn.State]
// does. What it holds is shared.
func (t *Task) State(now int64) agn.TaskState {
	s := t.at(now).state
	if s.LastWrite != 0 {
		s.Age = max(0, now-s.LastWrite)
	}
	return s
}

// Alarms returns what a watchdog has to report at a moment in Unix milliseconds,
// as [agn.Alarms] does of the messages here. It is shared.
func (t *Task) Alarms(now int64) []agn.Alarm { return t.at(now).alarms }

// NextDeadline returns when, in Unix milliseconds, a missing ACK or a silence will
// become overdue if nobody writes. It is 0 if nothing will.
func (t *Task) NextDeadline(now int64) int64 {
	s := t.State(now)
	if next := nextDeadline(&s); next != math.MaxInt64 {
		return next
	}
	return 0
}

// until is when the state of a task will be another one, if nobody writes.
func (t *Task) until(s *agn.TaskState, now int64) int64 {
	if t.newest() > now+agn.FutureLimit {
		return now + 1 // its note counts the seconds
	}
	return nextDeadline(s)
}

func nextDeadline(s *agn.TaskState) int64 {
	until := int64(math.MaxInt64)
	for _, w := range s.Waits {
		if !w.Overdue {
			until = min(until, w.Deadline+1) // at it the ACK is still in time
		}
	}
	if s.LastWrite != 0 && s.Age < agn.HeartbeatLimit {
		until = min(until, s.LastWrite+agn.HeartbeatLimit)
	}
	return until
}

// newest is the newest time that any fact has.
func (t *Task) newest() int64 {
	var newest int64
	for i := range t.History.Messages {
		newest = max(newest, t.History.Messages[i].Time.Millis)
	}
	for i := range t.History.Acks {
		newest = max(newest, t.History.Acks[i].Millis)
	}
	for i := range t.History.Resumes {
		newest = max(newest, t.History.Resumes[i].Millis)
	}
	return newest
}
