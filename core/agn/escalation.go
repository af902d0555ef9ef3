package agn

import "github.com/signalbox-dev/signalbox/core/canon"

// Escalation is the payload of an escalation.
type Escalation struct {
	// Kind is one of the eight of rule X1, such as [HallucinationLock].
	Kind string
	// Severity is critical, warning or info. An issue has other severities (rule C14).
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

// escalationReader is an escalation being read.
type escalationReader struct {
	Escalation
	suspended *canon.Member
}

var (
	escalationShape = canon.Shape[*escalationReader]{What: "the payload", Fields: []canon.Field[*escalationReader]{
		{Name: "escalation_type", Rule: "X1", Set: func(e *escalationReader, m *canon.Member) {
			e.Kind = m.OneOf(HallucinationLock, AckTimeout, BranchViolation, CIFailure, Conflict, HeartbeatTimeout, PermissionDenied, UnknownTrouble)
		}},
		{Name: "severity", Rule: "X2", Set: func(e *escalationReader, m *canon.Member) { e.Severity = m.OneOf(Critical, Warning, Info) }},
		{Name: "triggered_by", Rule: "X3", Set: func(e *escalationReader, m *canon.Member) {
			e.TriggeredBy = m.OneOf(Coordinator, Executor, Reviewer, System)
		}},
		{Name: "description", Rule: "X4", Set: func(e *escalationReader, m *canon.Member) { e.Description = nonBlank(m) }},
		{Name: "affected_msgs", Rule: "X6", Set: func(e *escalationReader, m *canon.Member) { e.Affected = list(m, ref) }},
		{Name: "system_state_snapshot", Rule: "X7", Set: func(e *escalationReader, m *canon.Member) { snapshotShape.Read(m, &e.Snapshot) }},
		{Name: "suggested_actions", Rule: "X8", Optional: true, Set: func(e *escalationReader, m *canon.Member) { e.Suggested = list(m, (*canon.Member).Text) }},
		{Name: "auto_suspended", Rule: "X5", Set: func(e *escalationReader, m *canon.Member) { e.Suspended, e.suspended = m.Flag(), m.Kept() }},
	}}
	snapshotShape = canon.Shape[*Snapshot]{What: "the snapshot", Fields: []canon.Field[*Snapshot]{
		{Name: "task_status", Rule: "X7", Set: func(s *Snapshot, m *canon.Member) { s.TaskStatus = nonBlank(m) }},
		{Name: "reject_count", Rule: "X7", Set: func(s *Snapshot, m *canon.Member) { s.RejectCount = count(m) }},
		{Name: "last_successful_msg_id", Rule: "X7", Set: func(s *Snapshot, m *canon.Member) {
			if s.LastSuccessful = m.Text(); s.LastSuccessful != "" {
				s.LastSuccessful = ref(m)
			}
		}},
	}}
)

func readEscalation(in *canon.Member) *Escalation {
	var e escalationReader
	escalationShape.Read(in, &e)
	// Only an info escalation may leave its sender running (rule C8).
	if s := e.suspended; s != nil && s.Kind == canon.Bool && !e.Suspended && (e.Severity == Critical || e.Severity == Warning) {
		s.Fault("a " + e.Severity + " escalation suspends whoever sends it")
	}
	return &e.Escalation
}
