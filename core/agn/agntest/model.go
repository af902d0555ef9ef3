package agntest

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// model is the state of the task after some of the facts.
type model struct {
	// came lists the messages that count, in order.
	came []*agn.Message
	// open lists the escalations that nobody answered, in order.
	open []*agn.Message
	// lockedBy is the message that locked the task, or nil.
	lockedBy             *agn.Message
	rejects, consecutive int
	terminated           bool

	// The current round: its dispatch, and whether it was acknowledged; its latest result,
	// whether a review of that was requested, and the latest verdict on it; whether the
	// admin wants another dispatch.
	dispatch    *agn.Message
	started     bool
	result      *agn.Message
	asked       bool
	verdict     *agn.Message
	againWanted bool
	lastWrite   int64
	cameHalted  map[string]bool // the messages that came while the task was halted
}

// halted reports whether messages do not move the task (AGN X9 X11).
func (w *model) halted() bool {
	return w.terminated || w.lockedBy != nil || w.severe(agn.Critical)
}

func (w *model) severe(severity string) bool {
	return slices.ContainsFunc(w.open, func(e *agn.Message) bool { return e.Payload.Escalation.Severity == severity })
}

// message applies a message.
func (w *model) message(m *agn.Message) {
	w.cameHalted[m.ID] = w.halted()
	w.came = append(w.came, m)
	if v := m.Payload.Verdict; v != nil && v.Decision == agn.Rejected {
		w.rejects++ // AGN Q5: cumulative for the task
	}
	if e := m.Payload.Escalation; e != nil {
		if w.terminated {
			return // nothing is open after the end
		}
		w.open = append(w.open, m)
		if e.Kind == agn.HallucinationLock && w.lockedBy == nil {
			w.lockedBy = m
		}
		return
	}
	if !w.cameHalted[m.ID] {
		w.advance(m)
	}
}

// advance applies a message that moves the work on.
func (w *model) advance(m *agn.Message) {
	switch p := &m.Payload; {
	case p.Dispatch != nil:
		w.dispatch, w.started, w.result, w.asked, w.verdict = m, false, nil, false, nil
	case p.Result != nil && w.dispatch != nil:
		w.result, w.asked, w.verdict = m, false, nil
	case p.Request != nil && w.result != nil && w.result.Payload.Result.Status == "complete":
		w.asked, w.verdict = true, nil
	case p.Verdict != nil && w.asked:
		w.decided(m)
	default:
		return
	}
	w.againWanted = false
}

func (w *model) decided(m *agn.Message) {
	w.verdict = m
	if m.Payload.Verdict.Decision != agn.Rejected {
		w.consecutive = 0
		return
	}
	w.consecutive++
	if w.consecutive >= 3 || w.rejects > 3 { // AGN C2: as shown, and as stated
		w.lockedBy = m
	}
}

// resume applies an answer. It counts if it answers an open escalation, the message that locked
// the task, or an escalation of a lock.
func (w *model) resume(r *agn.Resume) {
	at := slices.IndexFunc(w.came, func(m *agn.Message) bool { return m.ID == r.MsgID })
	if at < 0 {
		return
	}
	m := w.came[at]
	lock := func(m *agn.Message) bool {
		return m.Type == agn.TypeEscalation && m.Payload.Escalation.Kind == agn.HallucinationLock
	}
	unlocks := w.lockedBy != nil && (m == w.lockedBy || lock(m))
	if !unlocks && !slices.Contains(w.open, m) {
		return
	}
	w.open = slices.DeleteFunc(w.open, func(e *agn.Message) bool { return e == m || unlocks && lock(e) })
	if unlocks || r.Action == agn.Terminate && w.lockedBy != nil {
		w.lockedBy, w.consecutive = nil, 0
	}
	switch {
	case r.Action == agn.Terminate:
		w.terminated, w.open = true, nil
	case unlocks:
		w.againWanted = true
	case m.Payload.Escalation.Severity == agn.Info:
	case r.Action != agn.Approve:
		w.againWanted = true
	case m.Payload.Escalation.Severity == agn.Critical:
		// The agents were stopped and need another dispatch, unless the task was approved.
		w.againWanted = w.againWanted || w.verdict == nil || w.verdict.Payload.Verdict.Decision == agn.Rejected
	}
}
