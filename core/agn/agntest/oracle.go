package agntest

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// oracle follows a scenario by the rules of the spec. It knows less than [agn.State], and uses
// nothing of it.
type oracle struct {
	s       *Scenario
	stateAt StateFunc
	facts   []fact    // in the order of the scenario
	phase   agn.Phase // what stateAt returned last
	model
}

// seen returns how many facts of each kind the scenario has.
func (w *oracle) seen() [3]int {
	return [3]int{len(w.s.H.Messages), len(w.s.H.Acks), len(w.s.H.Resumes)}
}

// step applies the newest fact and checks the state.
func (w *oracle) step(step string, seen [3]int) error {
	var message *agn.Message
	switch h := &w.s.H; {
	case len(h.Messages) > seen[0]:
		if m := &h.Messages[seen[0]]; w.counts(m) {
			// A copy, since the elements move when the list grows.
			message = new(agn.Message)
			*message = *m
			w.facts = append(w.facts, fact{writtenAt: m.Time.Millis, msg: message})
		}
	case len(h.Acks) > seen[1]:
		a := h.Acks[seen[1]]
		w.facts = append(w.facts, fact{writtenAt: a.Millis, to: a.MsgID, ack: &a})
	case len(h.Resumes) > seen[2]:
		r := h.Resumes[seen[2]]
		w.facts = append(w.facts, fact{writtenAt: r.Millis, to: r.MsgID, resume: &r})
	}
	w.replay(w.s.Now)
	state, err := w.stateAt(w.s, w.s.Now)
	if err != nil {
		return err
	}
	for _, check := range []func(*agn.TaskState) error{w.approval, w.lock, w.escalations, w.basePhase, w.suspension, w.nextAction} {
		if err := check(&state); err != nil {
			return err
		}
	}
	if message != nil && w.cameHalted[message.ID] && message.Type != agn.TypeEscalation && state.Phase != w.phase {
		return errors.New("AGN X9: " + step + " moved a task that is halted from " + string(w.phase) + " to " + string(state.Phase))
	}
	// Only an answer dated before the end can reopen a terminated task.
	if w.phase == agn.PhaseTerminated && state.Phase != agn.PhaseTerminated && !strings.HasPrefix(step, "before:") {
		return errors.New("AGN X9: " + step + " revived a terminated task")
	}
	w.phase = state.Phase
	return w.clock(&state, w.s.Now)
}

// clock checks what depends only on the time.
func (w *oracle) clock(s *agn.TaskState, now int64) error {
	if err := w.heartbeat(s, now); err != nil {
		return err
	}
	return w.acks(s, now)
}

// counts reports whether a message belongs to the task and is new.
func (w *oracle) counts(m *agn.Message) bool {
	return len(m.Faults) == 0 && m.TaskID == Task && !slices.ContainsFunc(w.facts, func(f fact) bool { return f.msg != nil && f.msg.ID == m.ID })
}

// replay applies all facts again, in the order in which they count at the moment now.
func (w *oracle) replay(now int64) {
	w.model = model{cameHalted: map[string]bool{}}
	for _, f := range inOrder(w.facts, now) {
		if (f.msg != nil || len(w.came) > 0) && believable(f.writtenAt, now) {
			w.lastWrite = max(w.lastWrite, f.writtenAt)
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

// basePhase checks the phase of a task without a lock or an open escalation: how far its work
// has come, or that the admin wants another dispatch.
func (w *oracle) basePhase(s *agn.TaskState) error {
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

// approval checks that nothing is approved without a complete result, a request for its review
// and a verdict on it.
func (w *oracle) approval(s *agn.TaskState) error {
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

// lock checks the counts, and that a task is locked from the message that locks it until the
// answer.
func (w *oracle) lock(s *agn.TaskState) error {
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

// escalations checks which ones are open, and the resulting phase.
func (w *oracle) escalations(s *agn.TaskState) error {
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

// suspension checks that an open critical escalation, or a lock, suspends every agent that took
// part, and a warning only its sender.
func (w *oracle) suspension(s *agn.TaskState) error {
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

// heartbeat checks that a task is silent after thirty minutes, if an agent has something to
// do.
func (w *oracle) heartbeat(s *agn.TaskState, now int64) error {
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

// nextAction checks that somebody has to act on every unfinished task (AGN X10).
func (w *oracle) nextAction(s *agn.TaskState) error {
	idle := s.Next.Do == agn.DoNothing
	if idle != (s.Next.Who == "") || idle && s.Phase != agn.PhaseTerminated && s.Phase != agn.PhaseApproved {
		return errors.New("AGN X10: nobody has to do anything about a task that is " + string(s.Phase))
	}
	return nil
}

// timeout returns a message's timeout in seconds, by default from the spec's table (AGN E9
// E12).
func timeout(m *agn.Message) int64 {
	if m.AckTimeout > 0 {
		return m.AckTimeout
	}
	return map[string]int64{agn.TypeDispatch: 300, agn.TypeResult: 120, agn.TypeRequest: 600, agn.TypeVerdict: 60}[m.Type]
}

// missing returns the deadlines of the messages that lack their receiver's ACK.
func (w *oracle) missing() map[string]int64 {
	list := map[string]int64{}
	for _, m := range w.came {
		acked := slices.ContainsFunc(w.s.H.Acks, func(a agn.Ack) bool { return a.MsgID == m.ID && a.By == m.To })
		if !w.terminated && m.RequiresAck && !acked && timeout(m) > 0 {
			list[m.ID] = m.Time.Millis + timeout(m)*1000
		}
	}
	return list
}

// acks checks that exactly the missing ACKs are waited for, and are overdue exactly after their
// deadlines (AGN E12).
func (w *oracle) acks(s *agn.TaskState, now int64) error {
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

// deadlines checks the scenario at each deadline and at the moment the task falls silent, and one
// millisecond before and after it.
func (w *oracle) deadlines() error {
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
			s, err := w.stateAt(w.s, now)
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
