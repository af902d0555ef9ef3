package agntest

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// witness follows a story by the rules of the text. It knows less than
// [agn.State], and nothing from it.
type witness struct {
	s     *Story
	look  Look
	facts []fact    // as they were told
	phase agn.Phase // what look saw last
	model
}

// seen tells how much of the story was told.
func (w *witness) seen() [3]int {
	return [3]int{len(w.s.H.Messages), len(w.s.H.Acks), len(w.s.H.Resumes)}
}

// step follows the story by one fact and looks at it.
func (w *witness) step(step string, seen [3]int) error {
	var message *agn.Message
	switch h := &w.s.H; {
	case len(h.Messages) > seen[0]:
		if m := &h.Messages[seen[0]]; w.counts(m) {
			// The list grows, and its elements move.
			message = new(agn.Message)
			*message = *m
			w.facts = append(w.facts, fact{own: m.Time.Millis, msg: message})
		}
	case len(h.Acks) > seen[1]:
		a := h.Acks[seen[1]]
		w.facts = append(w.facts, fact{own: a.Millis, to: a.MsgID, ack: &a})
	case len(h.Resumes) > seen[2]:
		r := h.Resumes[seen[2]]
		w.facts = append(w.facts, fact{own: r.Millis, to: r.MsgID, resume: &r})
	}
	w.replay(w.s.Now)
	state, err := w.look(w.s, w.s.Now)
	if err != nil {
		return err
	}
	for _, hold := range []func(*agn.TaskState) error{w.approval, w.lock, w.escalations, w.below, w.suspension, w.duty} {
		if err := hold(&state); err != nil {
			return err
		}
	}
	if message != nil && w.stoodAt[message.ID] && message.Type != agn.TypeEscalation && state.Phase != w.phase {
		return errors.New("AGN X9: " + step + " moved a task that stands still from " + string(w.phase) + " to " + string(state.Phase))
	}
	// Only an answer with a wrong date can change what was before the end.
	if w.phase == agn.PhaseTerminated && state.Phase != agn.PhaseTerminated && !strings.HasPrefix(step, "before:") {
		return errors.New("AGN X9: " + step + " revived a terminated task")
	}
	w.phase = state.Phase
	return w.clock(&state, w.s.Now)
}

// clock holds what depends on the moment alone.
func (w *witness) clock(s *agn.TaskState, now int64) error {
	if err := w.heartbeat(s, now); err != nil {
		return err
	}
	return w.acks(s, now)
}

// counts tells whether a message is one of the task's, and new.
func (w *witness) counts(m *agn.Message) bool {
	return len(m.Faults) == 0 && m.TaskID == Task && !slices.ContainsFunc(w.facts, func(f fact) bool { return f.msg != nil && f.msg.ID == m.ID })
}

// replay tells all facts anew, in the order in which they count at a moment.
func (w *witness) replay(now int64) {
	w.model = model{stoodAt: map[string]bool{}}
	for _, f := range inOrder(w.facts, now) {
		if (f.msg != nil || len(w.came) > 0) && believable(f.own, now) {
			w.lastWrite = max(w.lastWrite, f.own)
		}
		switch {
		case f.msg != nil:
			w.message(f.msg)
		case f.resume != nil:
			w.resume(f.resume)
		case w.dispatch != nil && f.to == w.dispatch.ID && f.ack.By == w.dispatch.To:
			w.started = true // AGN D9
		}
	}
}

// below holds the phase of a task over which nothing lies: where its work stands,
// or that the admin wants another dispatch.
func (w *witness) below(s *agn.TaskState) error {
	want := agn.PhaseDispatched
	switch {
	case w.terminated || w.lockedBy != nil || w.severe(agn.Critical) || w.severe(agn.Warning):
		return nil // see escalations
	case w.againWanted:
		want = agn.PhaseResumed
	case w.dispatch == nil:
		want = agn.PhaseNone
	case w.verdict != nil && w.verdict.Payload.Verdict.Decision == agn.Rejected:
		want = agn.PhaseRejected
	case w.verdict != nil:
		want = agn.PhaseApproved
	case w.asked:
		want = agn.PhaseInReview
	case w.result != nil:
		want = agn.PhaseResult
	case w.started:
		want = agn.PhaseInWork
	}
	if s.Phase != want {
		return errors.New("AGN X9 D9: " + string(s.Phase) + ", not " + string(want))
	}
	return nil
}

// approval holds that nothing is approved without a complete result, a request
// for its review and a verdict on it.
func (w *witness) approval(s *agn.TaskState) error {
	if s.Phase != agn.PhaseApproved && s.Phase != agn.PhaseInReview && s.Phase != agn.PhaseRejected {
		return nil
	}
	if w.dispatch == nil || w.result == nil || w.result.Payload.Result.Status != "complete" || !w.asked {
		return errors.New("AGN Q1 Q2: " + string(s.Phase) + " without a complete result and a request")
	}
	approved := w.verdict != nil && w.verdict.Payload.Verdict.Decision != agn.Rejected
	if (s.Phase == agn.PhaseApproved) != approved || (s.Phase == agn.PhaseInReview) != (w.verdict == nil) {
		return errors.New("AGN V1: " + string(s.Phase) + ", which the last verdict does not say")
	}
	return nil
}

// lock holds the counts, and that a task is locked from what locks it until it is
// answered.
func (w *witness) lock(s *agn.TaskState) error {
	by := ""
	if w.lockedBy != nil {
		by = w.lockedBy.ID
	}
	if s.LockedBy != by || (s.Lock == agn.LockNone) != (by == "") {
		return errors.New("AGN X9 X11: locked by " + strconv.Quote(s.LockedBy) + ", not by " + strconv.Quote(by))
	}
	if s.Rejects != w.rejects || s.Consecutive != w.consecutive || s.LockNear != (w.rejects >= 2) {
		return errors.New("AGN Q5 Q7: " + strconv.Itoa(s.Rejects) + " rejections, " + strconv.Itoa(s.Consecutive) + " in a row, not " + strconv.Itoa(w.rejects) + " and " + strconv.Itoa(w.consecutive))
	}
	return nil
}

// escalations holds which are open, and the phase that they give the task.
func (w *witness) escalations(s *agn.TaskState) error {
	open := []string{}
	for _, e := range w.open {
		open = append(open, e.ID)
	}
	if !slices.Equal(open, s.Open) {
		return errors.New("AGN X9: open are " + strings.Join(s.Open, ", ") + ", not " + strings.Join(open, ", "))
	}
	over := agn.Phase("")
	switch {
	case w.terminated:
		over = agn.PhaseTerminated
	case w.lockedBy != nil:
		over = agn.PhaseLocked
	case w.severe(agn.Critical):
		over = agn.PhaseSuspended
	case w.severe(agn.Warning):
		over = agn.PhaseEscalated
	}
	covered := slices.Contains([]agn.Phase{agn.PhaseTerminated, agn.PhaseLocked, agn.PhaseSuspended, agn.PhaseEscalated}, s.Phase)
	if over != "" && s.Phase != over || over == "" && covered {
		return errors.New("AGN X9 X11: " + string(s.Phase) + ", not " + strconv.Quote(string(over)))
	}
	return nil
}

// suspension holds that with an open critical escalation, or a lock, every agent
// that took part stands still, and else only whoever sent a warning.
func (w *witness) suspension(s *agn.TaskState) error {
	stop := map[string]bool{}
	for _, m := range w.came {
		if w.severe(agn.Critical) || w.lockedBy != nil {
			stop[m.From], stop[m.To] = true, true
		}
	}
	for _, e := range w.open {
		if e.Payload.Escalation.Severity != agn.Info {
			stop[e.From] = true
		}
		if e.Payload.Escalation.Severity == agn.Critical {
			stop[e.Payload.Escalation.TriggeredBy] = true
		}
	}
	want := []string{}
	for _, agent := range []string{"coordinator", "executor", "reviewer"} {
		if stop[agent] {
			want = append(want, agent)
		}
	}
	if !slices.Equal(want, s.Suspended) {
		return errors.New("AGN X9 C8: suspended are " + strings.Join(s.Suspended, ", ") + ", not " + strings.Join(want, ", "))
	}
	return nil
}

// heartbeat holds that a task is silent from thirty minutes on, if an agent has
// something to do.
func (w *witness) heartbeat(s *agn.TaskState, now int64) error {
	age := int64(0)
	if w.lastWrite > 0 {
		age = max(0, now-w.lastWrite) // clocks differ
	}
	due := s.Next.Who != "" && s.Next.Who != agn.Admin
	if s.LastWrite != w.lastWrite || s.Age != age || s.Silent != (age >= 30*60*1000 && due) {
		return errors.New("AGN X11: silent " + strconv.FormatBool(s.Silent) + " after " + strconv.FormatInt(s.Age, 10) + " ms, not " + strconv.FormatInt(age, 10))
	}
	return nil
}

// duty holds that somebody has to do something about every task that is not at an
// end (AGN X10).
func (w *witness) duty(s *agn.TaskState) error {
	idle := s.Next.Do == agn.DoNothing
	if idle != (s.Next.Who == "") || idle && s.Phase != agn.PhaseTerminated && s.Phase != agn.PhaseApproved {
		return errors.New("AGN X10: nobody has to do anything about a task that is " + string(s.Phase))
	}
	return nil
}

// timeout is the text's table of defaults, in seconds (AGN E9 E12).
func timeout(m *agn.Message) int64 {
	if m.AckTimeout > 0 {
		return m.AckTimeout
	}
	return map[string]int64{agn.TypeDispatch: 300, agn.TypeResult: 120, agn.TypeRequest: 600, agn.TypeVerdict: 60}[m.Type]
}

// missing gives the deadlines of the messages that lack their receiver's ACK.
func (w *witness) missing() map[string]int64 {
	list := map[string]int64{}
	for _, m := range w.came {
		acked := slices.ContainsFunc(w.s.H.Acks, func(a agn.Ack) bool { return a.MsgID == m.ID && a.By == m.To })
		if !w.terminated && m.RequiresAck && !acked && timeout(m) > 0 {
			list[m.ID] = m.Time.Millis + timeout(m)*1000
		}
	}
	return list
}

// acks holds that exactly those messages wait, and are overdue exactly after
// their deadlines (AGN E12).
func (w *witness) acks(s *agn.TaskState, now int64) error {
	missing := w.missing()
	if len(s.Waits) != len(missing) {
		return errors.New("AGN E12: " + strconv.Itoa(len(s.Waits)) + " messages wait, not " + strconv.Itoa(len(missing)))
	}
	last := int64(0)
	for _, x := range s.Waits {
		deadline, there := missing[x.MsgID]
		if !there || x.Deadline != deadline || x.Overdue != (now > deadline) || x.Deadline < last {
			return errors.New("AGN E9 E12: " + x.MsgID + " is overdue: " + strconv.FormatBool(x.Overdue) + ", " + strconv.FormatInt(now-x.Deadline, 10) + " ms after its deadline of " + strconv.FormatInt(deadline, 10))
		}
		last = x.Deadline
		delete(missing, x.MsgID)
	}
	return nil
}

// deadlines looks at the story one millisecond before each deadline and before
// the task falls silent, at that moment and one millisecond after it.
func (w *witness) deadlines() error {
	moments := []int64{w.lastWrite + 30*60*1000}
	for _, deadline := range w.missing() {
		moments = append(moments, deadline)
	}
	for _, moment := range moments {
		for _, now := range []int64{moment - 1, moment, moment + 1} {
			if now < w.s.Now {
				continue // what came since would lie in the future
			}
			w.replay(now)
			s, err := w.look(w.s, now)
			if err == nil {
				err = w.clock(&s, now)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
