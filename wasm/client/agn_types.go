package client

import "encoding/json"

// TaskTime is a timestamp as a message of AMP/1.0 has it.
type TaskTime struct {
	// Text is what the message says, also where it cannot be read.
	Text string
	// Millis is in Unix milliseconds.
	Millis int64
	// OK tells that Text could be read.
	OK bool
}

// TaskFindings are what a message shows about the rules. With any of Faults it
// is invalid and must not be acted upon.
type TaskFindings struct{ Faults, Notes []Fault }

// TaskMessage is a message of AMP/1.0. Members that are missing or of the wrong
// kind are zero, and listed in Faults.
type TaskMessage struct {
	ID, Version, Type, From, To string
	TaskID                      string
	Time                        TaskTime
	RequiresAck                 bool
	// AckTimeout is the message's own and Timeout the one that holds, both in
	// seconds and 0 for none.
	AckTimeout, Timeout int64
	ContextRef          []string
	Payload             TaskPayload
	// Distress is set where the message has faults and can be read as an escalation
	// in any way: its admin has to see it, though it counts for nothing.
	Distress *Escalation
	TaskFindings
}

// TaskPayload is the payload of one message. At most one member is set, that of
// the message's type.
type TaskPayload struct {
	Dispatch   *Dispatch
	Result     *TaskResult
	Request    *ReviewRequest
	Verdict    *Verdict
	Escalation *Escalation
}

// Dispatch is the payload of a task_dispatch. Here and below, a list that a
// payload need not have is nil where it has none: an empty one is another thing.
type Dispatch struct {
	Description string    `json:"description"`
	Repo        string    `json:"repo"`
	Branch      string    `json:"branch"`
	Subtasks    []Subtask `json:"subtasks"`
	Criteria    []string  `json:"criteria"`
	// Risk is low, medium or high.
	Risk      string   `json:"risk"`
	Forbidden []string `json:"forbidden,omitzero"`
	// Constraints is the message's own object, or nil. It is written without
	// white space.
	Constraints json.RawMessage `json:"constraints,omitzero"`
}

// Subtask is one step of a dispatch.
type Subtask struct {
	ID             string `json:"id"`
	Description    string `json:"description"`
	EstimatedLines int64  `json:"estimatedLines"`
}

// TaskResult is the payload of a task_result.
type TaskResult struct {
	SubtaskID string `json:"subtaskId"`
	// Status is complete, partial or failed.
	Status       string   `json:"status"`
	Files        []string `json:"files"`
	LinesAdded   int64    `json:"linesAdded"`
	LinesRemoved int64    `json:"linesRemoved"`
	// CriteriaMet has nil for what the executor could not verify.
	CriteriaMet []*bool    `json:"criteriaMet"`
	Notes       []string   `json:"notes"`
	Log         []LogEntry `json:"log"`
	Commit      string     `json:"commit"`
	Blockers    []string   `json:"blockers,omitzero"`
}

// LogEntry is one step of a result's work log. Time.Text is what is written.
type LogEntry struct {
	Time                 TaskTime
	Action, File, Detail string
}

// ReviewRequest is the payload of a review_request.
type ReviewRequest struct {
	DispatchRef string `json:"dispatchRef"`
	ResultRef   string `json:"resultRef"`
	// Scope is full or incremental.
	Scope       string    `json:"scope"`
	DiffURL     string    `json:"diffUrl"`
	RejectCount int64     `json:"rejectCount"`
	Notes       string    `json:"notes"`
	CI          []CIBuild `json:"ci,omitzero"`
}

// CIBuild is one member of a request's ci_status.
type CIBuild struct {
	Name   string `json:"name"`
	Status string `json:"status"`
}

// Verdict is the payload of a review_verdict.
type Verdict struct {
	// Decision is approved, approved_with_fix or rejected.
	Decision     string      `json:"decision"`
	Criteria     []Criterion `json:"criteria"`
	Issues       []Issue     `json:"issues,omitzero"`
	Fixes        []Fix       `json:"fixes,omitzero"`
	Architecture string      `json:"architecture"`
	// Confidence is between 0 and 1.
	Confidence float64 `json:"confidence"`
}

// Criterion is the judgement on one acceptance criterion. Passed is nil where
// it could not be verified.
type Criterion struct {
	Text     string `json:"text"`
	Passed   *bool  `json:"passed"`
	Evidence string `json:"evidence"`
}

// Issue is one finding of a review. Severity is critical, major or minor; Line
// counts from 1, and 0 stands for the whole file.
type Issue struct {
	Severity     string `json:"severity"`
	File         string `json:"file"`
	Line         int64  `json:"line"`
	Description  string `json:"description"`
	SuggestedFix string `json:"suggestedFix"`
}

// Fix is what a reviewer repaired directly.
type Fix struct {
	File   string `json:"file"`
	Change string `json:"change"`
	Lines  int64  `json:"lines"`
}

// Escalation is the payload of an escalation. Severity is critical, warning or
// info.
type Escalation struct {
	Kind        string   `json:"kind"`
	Severity    string   `json:"severity"`
	TriggeredBy string   `json:"triggeredBy"`
	Description string   `json:"description"`
	Affected    []string `json:"affected"`
	Snapshot    Snapshot `json:"snapshot"`
	Suggested   []string `json:"suggested,omitzero"`
	Suspended   bool     `json:"suspended"`
}

// Snapshot is the state of a task when it was escalated.
type Snapshot struct {
	TaskStatus     string `json:"taskStatus"`
	RejectCount    int64  `json:"rejectCount"`
	LastSuccessful string `json:"lastSuccessful"`
}

// TaskState is where a task stands at one moment. Times are Unix milliseconds.
type TaskState struct {
	TaskID string
	// Phase is none, dispatched, in work, result, in review, approved, rejected,
	// locked, suspended, escalated, resumed or terminated.
	Phase string
	// Rejects counts the task's rejections, Consecutive those in a row.
	Rejects, Consecutive int64
	LockNear             bool
	// Lock is the rule that locked the task, or empty, and LockedBy the message.
	Lock, LockedBy string
	// Open lists the escalations that nobody answered, Suspended the agents that
	// must not do anything new.
	Open, Suspended []string
	Waits           []Wait
	LastWrite, Age  int64
	Silent          bool
	Next            Duty
	Notes           []Fault
	// Unread counts the texts that are no JSON object, or no record.
	Unread int64
}

// Wait is a message whose ACK is missing.
type Wait struct {
	MsgID, From, To string
	// Deadline is in Unix milliseconds. At it the ACK is still in time.
	Deadline int64
	Overdue  bool
}

// Duty is what has to happen next, and who has to do it; Who is empty where
// nothing is due.
type Duty struct{ Who, Do, MsgID string }

// Alarm is something that the admin must be told and was not told yet.
type Alarm struct {
	Kind, Severity, MsgID, Who string
	// Since is when it became true, in Unix milliseconds.
	Since       int64
	Description string
	// LastSuccessful is the newest message that reached its receiver.
	LastSuccessful string
	// Escalation is the payload that says it.
	Escalation Escalation
}

// Ack is a receiver's word that a message arrived. Millis is when it was
// written.
type Ack struct {
	MsgID  string `json:"msgId"`
	By     string `json:"by"`
	Millis int64  `json:"millis"`
}

// Resume is the admin's answer. Action is approve, redirect, split or terminate.
type Resume struct {
	MsgID  string `json:"msgId"`
	Action string `json:"action"`
	Text   string `json:"text"`
	Millis int64  `json:"millis"`
}

// TaskRecord is what a task's own file says. Created and Updated are in Unix
// milliseconds.
type TaskRecord struct {
	TaskID      string `json:"taskId"`
	Title       string `json:"title"`
	Repo        string `json:"repo"`
	Branch      string `json:"branch"`
	Risk        string `json:"risk"`
	Phase       string `json:"phase"`
	RejectCount int64  `json:"rejectCount"`
	Messages    int64  `json:"messages"`
	LastMsgID   string `json:"lastMsgId"`
	Created     int64  `json:"created"`
	Updated     int64  `json:"updated"`
}

// Rejection is a line of the error log. Digest is the SHA-256 of the refused
// message in hexadecimal digits.
type Rejection struct {
	Millis int64   `json:"millis"`
	Source string  `json:"source"`
	MsgID  string  `json:"msgId"`
	TaskID string  `json:"taskId"`
	Digest string  `json:"digest"`
	Faults []Fault `json:"-"`
	Text   string  `json:"text"`
}
