package agn

import "github.com/signalbox-dev/signalbox/core/canon"

// Escalation is the payload of an escalation.
type Escalation struct {
	// Kind is one of the eight of rule X1, such as [HallucinationLock].
	Kind string
	// Severity is critical, warning or info; not an issue's (rule C14).
	Severity    string
	TriggeredBy string
	Description string
	Affected    []string
	Snapshot    Snapshot
	// Suggested is advice to the admin, written by a stranger (rule X8).
	Suggested []string
	// Suspended tells that the triggering party waits for the admin.
	Suspended bool
}

// The kinds of escalations (rule X1).
const (
	HallucinationLock = "hallucination_lock"
	AckTimeout        = "ack_timeout"
	BranchViolation   = "branch_violation"
	CIFailure         = "ci_failure"
	Conflict          = "conflict"
	HeartbeatTimeout  = "heartbeat_timeout"
	PermissionDenied  = "permission_denied"
	UnknownTrouble    = "unknown"
)

// The severities of escalations (rule X2).
const (
	Critical = "critical"
	Warning  = "warning"
	Info     = "info"
)

// Snapshot is the state of the task when it was escalated (rule X7).
type Snapshot struct {
	TaskStatus  string
	RejectCount int64
	// LastSuccessful is a message's id, or empty where none succeeded yet.
	LastSuccessful string
}

var (
	escalationShape = shape{what: "the payload", fields: []field{
		{name: "escalation_type", rule: "X1"},
		{name: "severity", rule: "X2"},
		{name: "triggered_by", rule: "X3"},
		{name: "description", rule: "X4"},
		{name: "affected_msgs", rule: "X6"},
		{name: "system_state_snapshot", rule: "X7"},
		{name: "suggested_actions", rule: "X8", optional: true},
		{name: "auto_suspended", rule: "X5"},
	}}
	snapshotShape = shape{what: "the snapshot", fields: []field{
		{name: "task_status", rule: "X7"},
		{name: "reject_count", rule: "X7"},
		{name: "last_successful_msg_id", rule: "X7"},
	}}
)

func readEscalation(in *member) *Escalation {
	e := &Escalation{}
	var suspended *member
	in.object(&escalationShape, func(m *member) {
		e.member(m)
		if m.name == "auto_suspended" {
			suspended = m
		}
	})
	// false is for info alone (rule C8).
	if suspended != nil && suspended.v.Kind == canon.Bool && !e.Suspended && (e.Severity == Critical || e.Severity == Warning) {
		suspended.fault("a " + e.Severity + " escalation suspends whoever sends it")
	}
	return e
}

func (e *Escalation) member(m *member) {
	switch m.name {
	case "escalation_type":
		e.Kind = m.oneOf(HallucinationLock, AckTimeout, BranchViolation, CIFailure, Conflict, HeartbeatTimeout, PermissionDenied, UnknownTrouble)
	case "severity":
		e.Severity = m.oneOf(Critical, Warning, Info)
	case "triggered_by":
		e.TriggeredBy = m.oneOf(Coordinator, Executor, Reviewer, System)
	case "description":
		e.Description = m.word()
	case "affected_msgs":
		e.Affected = m.refs()
	case "system_state_snapshot":
		m.object(&snapshotShape, e.Snapshot.member)
	case "suggested_actions":
		e.Suggested = m.texts()
	case "auto_suspended":
		e.Suspended = m.flag()
	}
}

func (s *Snapshot) member(m *member) {
	switch m.name {
	case "task_status":
		s.TaskStatus = m.word()
	case "reject_count":
		s.RejectCount = m.count()
	case "last_successful_msg_id":
		if s.LastSuccessful = m.text(); s.LastSuccessful != "" {
			s.LastSuccessful = m.ref()
		}
	}
}
