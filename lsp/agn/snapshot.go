package agn

import (
	"math"
	"sync"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// Task returns the task with an id, or nil.
func (s *Snapshot) Task(id string) *Task { return s.byID[id] }

// Refused returns a task's refused messages, newest first.
func (s *Snapshot) Refused(task string) (list []*Rejected) {
	for _, r := range s.Rejected {
		if r.TaskID == task {
			list = append(list, r)
		}
	}
	return list
}

// Message returns the task of a message that counts and its index in Task.History.Messages, or
// nil and -1.
func (s *Snapshot) Message(id string) (t *Task, at int) {
	// The id of a message that counts contains its task's id (rule E1).
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

// place returns a message's index in the history.
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

// places finds messages by their ids. It is built at the first use.
type places struct {
	once sync.Once
	at   map[string]int
}

// memo is a task's state from one moment until another, except its age.
type memo struct {
	state       agn.TaskState
	alarms      []agn.Alarm
	from, until int64
}

// at returns the task's state at a moment in Unix milliseconds. It is cached until the next
// deadline. It is safe and cheap to call often and from several goroutines.
func (t *Task) at(now int64) *memo {
	if m := t.memo.Load(); m != nil && now >= m.from && now < m.until {
		return m
	}
	m := &memo{from: now}
	m.state, m.alarms = agn.Alarms(t.ID, t.History, t.refused, now)
	m.until = t.until(&m.state, now)
	t.memo.Store(m)
	return m
}

// State returns the task's state at a moment in Unix milliseconds, as [agn.State] does. The
// result shares memory with the task.
func (t *Task) State(now int64) agn.TaskState {
	s := t.at(now).state
	if s.LastWrite != 0 {
		s.Age = max(0, now-s.LastWrite)
	}
	return s
}

// Alarms returns what a watchdog has to report at a moment in Unix milliseconds, as
// [agn.Alarms] does for the messages here. The result is shared.
func (t *Task) Alarms(now int64) []agn.Alarm { return t.at(now).alarms }

// NextDeadline returns the time, in Unix milliseconds, at which a missing ACK or a silence
// becomes overdue if no one writes, or 0.
func (t *Task) NextDeadline(now int64) int64 {
	s := t.State(now)
	if next := nextDeadline(&s); next != math.MaxInt64 {
		return next
	}
	return 0
}

// until returns when the task's state changes if no one writes.
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
			until = min(until, w.Deadline+1) // at the deadline itself an ACK is still in time
		}
	}
	if s.LastWrite != 0 && s.Age < agn.HeartbeatLimit {
		until = min(until, s.LastWrite+agn.HeartbeatLimit)
	}
	return until
}

// newest returns the newest time of any fact.
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
