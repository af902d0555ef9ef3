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
	// Suspended is set if the triggering party waits for the admin.
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
	escalationShape = canon.Shape{What: "the payload", Fields: []canon.Field{
		{Name: "escalation_type", Rule: "X1"},
		{Name: "severity", Rule: "X2"},
		{Name: "triggered_by", Rule: "X3"},
		{Name: "description", Rule: "X4"},
		{Name: "affected_msgs", Rule: "X6"},
		{Name: "system_state_snapshot", Rule: "X7"},
		{Name: "suggested_actions", Rule: "X8", Optional: true},
		{Name: "auto_suspended", Rule: "X5"},
	}}
	snapshotShape = canon.Shape{What: "the snapshot", Fields: []canon.Field{
		{Name: "task_status", Rule: "X7"},
		{Name: "reject_count", Rule: "X7"},
		{Name: "last_successful_msg_id", Rule: "X7"},
	}}
)

func readEscalation(in *canon.Member) *Escalation {
	e := &Escalation{}
	var suspended *canon.Member
	in.Object(&escalationShape, func(m *canon.Member) {
		e.member(m)
		if m.Name == "auto_suspended" {
			kept := *m
			suspended = &kept
		}
	})
	// Only an info escalation may leave its sender running (rule C8).
	if suspended != nil && suspended.Kind == canon.Bool && !e.Suspended && (e.Severity == Critical || e.Severity == Warning) {
		suspended.Fault("a " + e.Severity + " escalation suspends whoever sends it")
	}
	return e
}

func (e *Escalation) member(m *canon.Member) {
	switch m.Name {
	case "escalation_type":
		e.Kind = m.OneOf(HallucinationLock, AckTimeout, BranchViolation, CIFailure, Conflict, HeartbeatTimeout, PermissionDenied, UnknownTrouble)
	case "severity":
		e.Severity = m.OneOf(Critical, Warning, Info)
	case "triggered_by":
		e.TriggeredBy = m.OneOf(Coordinator, Executor, Reviewer, System)
	case "description":
		e.Description = word(m)
	case "affected_msgs":
		e.Affected = refs(m)
	case "system_state_snapshot":
		m.Object(&snapshotShape, e.Snapshot.member)
	case "suggested_actions":
		e.Suggested = texts(m)
	case "auto_suspended":
		e.Suspended = m.Flag()
	}
}

func (s *Snapshot) member(m *canon.Member) {
	switch m.Name {
	case "task_status":
		s.TaskStatus = word(m)
	case "reject_count":
		s.RejectCount = count(m)
	case "last_successful_msg_id":
		if s.LastSuccessful = m.Text(); s.LastSuccessful != "" {
			s.LastSuccessful = ref(m)
		}
	}
}
