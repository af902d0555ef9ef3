// Package agntest runs random scenarios of a task, legal and illegal, and checks what must be
// true after every step. Start with [Run]. It is only for tests.
//
// What must be true is worked out here a second time, from the spec's rules and without
// core/agn's code.
package agntest

import (
	"errors"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
)

const (
	// Task is the task of every scenario.
	Task = "T-2026-007"
	// Noon is the start of every scenario: 2026-02-26T12:00:00Z, in Unix milliseconds.
	Noon = 1772107200000
)

// Scenario makes a task's history step by step.
type Scenario struct {
	// Now is the time of the next step, in Unix milliseconds. The caller moves it on.
	Now int64
	H   agn.History
	// Marks has the id of the latest message of each type.
	Marks map[string]string
}

// New begins a scenario.
func New() *Scenario { return &Scenario{Now: Noon, Marks: map[string]string{}} }

// Step adds one fact:
//   - a message: dispatch, hurry (a dispatch with a timeout of 60 s), complete, partial,
//
// request,
//
//	approve, reject, doubt (an approval of low confidence), critical, warning, info, lock,
//
// stop
//
//	  and notice (by the system), ask (a warning that asks for an ACK);
//	- a message that does not count: main (an invalid dispatch), other (another task's
//
// result),
//
//	  again (the last message once more);
//	- a message dated a year ahead: ahead (a critical escalation), dawn (a dispatch);
//	- an ACK: ack:TYPE, stray:TYPE (by the wrong party), early:TYPE (dated a second before
//
// its
//
//	  message);
//	- an answer: ACTION:TYPE, where ACTION is resume, redirect, split, terminate or any other
//	  word, and before:TYPE (an approval dated a second before its message, if there is no
//
// answer
//
//	yet).
//
// TYPE is the type of the message that is acknowledged or answered.
func (s *Scenario) Step(step string) error {
	verb, of, answer := strings.Cut(step, ":")
	id := s.ref(of)
	switch {
	case verb == "ack" && answer:
		s.H.Acks = append(s.H.Acks, agn.Ack{MsgID: id, By: receiver(of), Millis: s.Now})
	case verb == "early" && answer:
		s.H.Acks = append(s.H.Acks, agn.Ack{MsgID: id, By: receiver(of), Millis: s.sent(id) - 1000})
	case verb == "before" && answer:
		if !slices.ContainsFunc(s.H.Resumes, func(r agn.Resume) bool { return r.MsgID == id }) {
			s.H.Resumes = append(s.H.Resumes, agn.Resume{MsgID: id, Action: agn.Approve, Text: "t", Millis: s.sent(id) - 1000})
		}
	case verb == "stray" && answer:
		by := agn.Reviewer
		if by == receiver(of) {
			by = agn.Executor
		}
		s.H.Acks = append(s.H.Acks, agn.Ack{MsgID: id, By: by, Millis: s.Now})
	case answer:
		action := agn.Action(verb)
		if verb == "resume" {
			action = agn.Approve
		}
		s.H.Resumes = append(s.H.Resumes, agn.Resume{MsgID: id, Action: action, Text: "t", Millis: s.Now})
	case verb == "again":
		if n := len(s.H.Messages); n > 0 {
			s.H.Messages = append(s.H.Messages, s.H.Messages[n-1])
		}
	default:
		return s.send(verb)
	}
	return nil
}

// send adds a message.
func (s *Scenario) send(verb string) error {
	data, err := s.build(verb)
	if err != nil {
		return errors.New(verb + ": " + err.Error())
	}
	m, err := agn.ParseMessage(data)
	if err != nil {
		return errors.New(verb + ": " + err.Error())
	}
	if m.TaskID == Task && len(m.Faults) == 0 {
		s.Marks[m.Type] = m.ID
	}
	s.H.Messages = append(s.H.Messages, m)
	return nil
}

// ref returns the id of the latest message of a type, or an id that does not exist.
func (s *Scenario) ref(kind string) string {
	if id := s.Marks[kind]; id != "" {
		return id
	}
	return agn.ID{Type: kind, TaskID: Task, Millis: 1}.String()
}

// sent returns when a message was sent, or the time of this step.
func (s *Scenario) sent(id string) int64 {
	for i := range s.H.Messages {
		if m := &s.H.Messages[i]; m.ID == id {
			return m.Time.Millis
		}
	}
	return s.Now
}

// receiver returns the party that receives messages of a type.
func receiver(kind string) string {
	switch kind {
	case agn.TypeDispatch:
		return agn.Executor
	case agn.TypeRequest:
		return agn.Reviewer
	case agn.TypeEscalation:
		return agn.Admin
	}
	return agn.Coordinator
}

func (s *Scenario) build(verb string) ([]byte, error) {
	h := agn.Head{TaskID: Task, Millis: s.Now}
	if verb == "ahead" || verb == "dawn" {
		h.Millis, h.Number = s.Now+366*24*60*60*1000, s.Now
	}
	switch verb {
	case "dispatch", "hurry", "main", "dawn":
		d := agn.Dispatch{Description: "d", Repo: "/r", Branch: "b", Subtasks: []agn.Subtask{{ID: "S1"}}, Criteria: []string{"c"}, Risk: "low"}
		if verb == "hurry" {
			h.AckTimeout = 60
		}
		data, err := agn.BuildDispatch(h, d)
		if verb == "main" {
			data = []byte(strings.Replace(string(data), `"branch": "b"`, `"branch": "main"`, 1))
		}
		return data, err
	case "complete", "other":
		if verb == "other" {
			h.TaskID = "T-2026-008"
		}
		return agn.BuildResult(h, agn.Result{SubtaskID: "S1", Status: "complete", CriteriaMet: []agn.Answer{agn.Yes}})
	case "partial":
		return agn.BuildResult(h, agn.Result{SubtaskID: "S1", Status: "partial", CriteriaMet: []agn.Answer{agn.No}, Blockers: []string{"b"}})
	case "request":
		return agn.BuildRequest(h, agn.Request{DispatchRef: s.ref(agn.TypeDispatch), ResultRef: s.ref(agn.TypeResult), Scope: "full", DiffURL: "u"})
	case "approve":
		return agn.BuildVerdict(h, agn.Verdict{Decision: agn.Approved, Confidence: 0.8})
	case "doubt":
		return agn.BuildVerdict(h, agn.Verdict{Decision: agn.Approved, Confidence: 0.7})
	case "reject":
		return agn.BuildVerdict(h, agn.Verdict{Decision: agn.Rejected, Confidence: 1, Issues: []agn.Issue{{Severity: "major", Description: "x"}}})
	}
	return s.escalation(h, verb)
}

func (s *Scenario) escalation(h agn.Head, verb string) ([]byte, error) {
	from := agn.Coordinator
	e := agn.Escalation{Kind: agn.UnknownTrouble, Severity: verb, TriggeredBy: agn.Executor, Description: "x", Suspended: true, Snapshot: agn.Snapshot{TaskStatus: "x"}}
	if v := s.Marks[agn.TypeVerdict]; v != "" {
		e.Affected = []string{v}
	}
	switch verb {
	case "info":
		e.Suspended = false
	case "lock":
		e.Kind, e.Severity = agn.HallucinationLock, agn.Critical
	case "notice":
		e.Severity, e.Suspended, from = agn.Info, false, agn.System
	case "ahead":
		e.Severity = agn.Critical
	case "stop":
		e.Severity, from = agn.Critical, agn.System
	case "ask":
		e.Severity, from = agn.Warning, agn.Reviewer
	}
	data, err := agn.BuildEscalation(h, from, e)
	if verb == "ask" {
		data = []byte(strings.Replace(string(data), `"requires_ack": false`, `"requires_ack": true, "ack_timeout_sec": 50`, 1))
	}
	return data, err
}

// State returns the result of [agn.State] for the scenario.
func (s *Scenario) State() agn.TaskState { return agn.State(Task, s.H, s.Now) }

// Texts returns the scenario as the files that a store holds.
func (s *Scenario) Texts() (messages, acks, resumes [][]byte, err error) {
	for i := range s.H.Messages {
		messages = append(messages, s.H.Messages[i].Raw)
	}
	for _, a := range s.H.Acks {
		data, err := agn.BuildAck(a)
		if err != nil {
			return nil, nil, nil, err
		}
		acks = append(acks, data)
	}
	for _, r := range s.H.Resumes {
		data, err := agn.BuildResume(r)
		if err != nil {
			return nil, nil, nil, err
		}
		resumes = append(resumes, data)
	}
	return messages, acks, resumes, nil
}

// steps lists the steps of random scenarios, legal or not where they occur. Steps that move the
// task on are repeated, to be chosen more often.
func steps() []string {
	return strings.Fields(`dispatch dispatch complete complete request request reject reject approve doubt partial hurry
	ack:task_dispatch ack:task_result ack:review_request ack:review_verdict ack:escalation stray:task_dispatch stray:review_verdict
	early:task_dispatch early:review_verdict before:escalation before:review_verdict
	critical warning warning info lock stop ask ahead dawn main other again
	resume:escalation resume:escalation redirect:escalation split:escalation resume:review_verdict resume:task_result terminate:escalation`)
}

// pauses lists the times between two steps, in milliseconds. Some end exactly at a deadline, one
// millisecond before or after it, or after the thirty minutes of silence.
func pauses() []int64 {
	return []int64{40_000, 1, 30 * 60_000, 59_999, 60_001, 300_000}
}

// Choices returns the choices for [Run] that give a scenario whose steps are 40 s apart.
func Choices(scenario string) (choices []byte) {
	for step := range strings.FieldsSeq(scenario) {
		choices = append(choices, byte(slices.Index(steps(), step)))
	}
	return choices
}

// MaxSteps is the maximum number of steps of a scenario in [Run].
const MaxSteps = 64

// StateFunc returns the state of a scenario at a moment, in Unix milliseconds.
type StateFunc func(s *Scenario, now int64) (agn.TaskState, error)

// Run builds a scenario from choices, each of which selects a step and the pause before it, and
// checks every state that stateAt returns. The error lists the steps after which a check failed.
func Run(choices []byte, stateAt StateFunc) (*Scenario, error) {
	s := New()
	w := oracle{s: s, stateAt: stateAt, phase: agn.PhaseNone}
	done := []string{}
	for _, c := range choices[:min(len(choices), MaxSteps)] {
		step := steps()[int(c)%len(steps())]
		pause := pauses()[int(c)/len(steps())%len(pauses())]
		s.Now += pause
		done = append(done, step)
		seen := w.seen()
		err := s.Step(step)
		if err == nil {
			err = w.step(step, seen)
		}
		if err != nil {
			return s, errors.New(strings.Join(done, " ") + ": " + err.Error())
		}
	}
	if err := w.deadlines(); err != nil {
		return s, errors.New(strings.Join(done, " ") + ": " + err.Error())
	}
	return s, nil
}
