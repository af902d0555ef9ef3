package client

// Time is a timestamp as a message has it. It is written as its text.
type Time struct {
	// What the message says, also where it cannot be read.
	Text string
	// In Unix milliseconds.
	Millis int64
	// Whether the text could be read.
	OK bool
}

// TaskMessage is a message of AMP/1.0. Members that are missing or of the wrong
// kind are zero, and listed in the faults: with any of these the message must not
// be acted upon.
type TaskMessage struct {
	ID, Version string
	// What the message says, which need not be a type that there is.
	Type, From, To string
	TaskID         string
	Time           Time
	RequiresAck    bool
	// The message's own, in seconds, or 0.
	AckTimeout int64
	// The one that holds, in seconds, or 0.
	Timeout    int64
	ContextRef []string
	Payload    TaskPayload
	// What a message with faults says if it can be read as an escalation in any way,
	// with one of the three severities: its admin has to see it, though it counts for
	// nothing.
	Distress *Escalation `abi:"?"`
	Findings
}

// TaskPayload is the payload of one message. At most the member of the message's
// type is set.
type TaskPayload struct {
	Dispatch   *Dispatch      `abi:"?"`
	Result     *TaskResult    `abi:"?"`
	Request    *ReviewRequest `abi:"?"`
	Verdict    *Verdict       `abi:"?"`
	Escalation *Escalation    `abi:"?"`
}

// ReadPayload is a payload without its envelope.
type ReadPayload struct {
	Payload TaskPayload
	Findings
}

// Dispatch is the payload of a task_dispatch. Here and below an empty list is not
// a missing one.
type Dispatch struct {
	Description string    `json:"description"`
	Repo        string    `json:"repo"`
	Branch      string    `json:"branch"`
	Subtasks    []Subtask `json:"subtasks"`
	Criteria    []string  `json:"criteria"`
	// One of low, medium and high.
	Risk      string   `json:"risk"`
	Forbidden []string `json:"forbidden,omitzero" abi:"?"`
	// The message's own object. It is written without white space.
	Constraints Value `json:"constraints,omitzero" abi:"?"`
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
	// One of complete, partial and failed.
	Status       string   `json:"status"`
	Files        []string `json:"files"`
	LinesAdded   int64    `json:"linesAdded"`
	LinesRemoved int64    `json:"linesRemoved"`
	// What the executor could not verify has no answer.
	CriteriaMet []*bool    `json:"criteriaMet"`
	Notes       []string   `json:"notes"`
	Log         []LogEntry `json:"log"`
	Commit      string     `json:"commit,omitzero" abi:"?"`
	Blockers    []string   `json:"blockers,omitzero" abi:"?"`
}

// LogEntry is one step of a result's work log.
type LogEntry struct {
	Time   Time   `json:"time"`
	Action string `json:"action"`
	File   string `json:"file"`
	Detail string `json:"detail"`
}

// ReviewRequest is the payload of a review_request.
type ReviewRequest struct {
	DispatchRef string `json:"dispatchRef"`
	ResultRef   string `json:"resultRef"`
	// Either full or incremental.
	Scope       string    `json:"scope"`
	DiffURL     string    `json:"diffUrl"`
	RejectCount int64     `json:"rejectCount"`
	Notes       string    `json:"notes,omitzero" abi:"?"`
	CI          []CIBuild `json:"ci,omitzero" abi:"?"`
}

// CIBuild is one member of a request's ci_status.
type CIBuild struct {
	Name   string `json:"name"`
	Status string `json:"status"`
}

// Verdict is the payload of a review_verdict.
type Verdict struct {
	// One of approved, approved_with_fix and rejected.
	Decision     string      `json:"decision"`
	Criteria     []Criterion `json:"criteria"`
	Issues       []Issue     `json:"issues,omitzero" abi:"?"`
	Fixes        []Fix       `json:"fixes,omitzero" abi:"?"`
	Architecture string      `json:"architecture,omitzero" abi:"?"`
	// Between 0 and 1.
	Confidence float64 `json:"confidence"`
}

// Criterion is the judgement on one acceptance criterion.
type Criterion struct {
	Text string `json:"text"`
	// Without an answer where it could not be verified.
	Passed   *bool  `json:"passed"`
	Evidence string `json:"evidence"`
}

// Issue is one finding of a review.
type Issue struct {
	// One of critical, major and minor.
	Severity string `json:"severity"`
	File     string `json:"file"`
	// Counts from 1; 0 means the whole file.
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

// Escalation is the payload of an escalation.
type Escalation struct {
	Kind string `json:"kind"`
	// One of critical, warning and info.
	Severity    string   `json:"severity"`
	TriggeredBy string   `json:"triggeredBy"`
	Description string   `json:"description"`
	Affected    []string `json:"affected"`
	Snapshot    Snapshot `json:"snapshot"`
	Suggested   []string `json:"suggested,omitzero" abi:"?"`
	Suspended   bool     `json:"suspended"`
}

// Snapshot is the state of a task when it was escalated.
type Snapshot struct {
	TaskStatus     string `json:"taskStatus"`
	RejectCount    int64  `json:"rejectCount"`
	LastSuccessful string `json:"lastSuccessful"`
}

// TaskCheck is what a message shows together with the others of its task.
type TaskCheck struct {
	Findings
	// Counts the texts that are not JSON objects.
	Unread int64
}

// TaskHistory holds the texts that are known about a task, each list in any order.
type TaskHistory struct {
	Messages [][]byte `json:"-" abi:"input"`
	Acks     [][]byte `json:"-" abi:"input,new?"`
	Resumes  [][]byte `json:"-" abi:"input,new?"`
}

// Phase is how far a task has come.
type Phase string

// The phases of a task.
const (
	PhaseNone       Phase = "none"
	PhaseDispatched Phase = "dispatched"
	PhaseInWork     Phase = "in work"
	PhaseResult     Phase = "result"
	PhaseInReview   Phase = "in review"
	PhaseApproved   Phase = "approved"
	PhaseRejected   Phase = "rejected"
	PhaseLocked     Phase = "locked"
	PhaseSuspended  Phase = "suspended"
	PhaseEscalated  Phase = "escalated"
	PhaseResumed    Phase = "resumed"
	PhaseTerminated Phase = "terminated"
)

// TaskState is the state of a task at one moment. Times are Unix milliseconds.
type TaskState struct {
	TaskID string
	Phase  Phase
	// Counts the task's rejections, and those in a row.
	Rejects, Consecutive int64
	LockNear             bool
	// The rule that locked the task, or empty, and the message.
	Lock, LockedBy string
	// The escalations that nobody answered.
	Open []string
	// The agents that must not do anything new.
	Suspended []string
	Waits     []Wait
	LastWrite int64
	Age       int64
	Silent    bool
	Next      Duty
	Notes     []Fault
	// Counts the texts that are not JSON objects, or not records.
	Unread int64
}

// Wait is a message whose ACK is missing.
type Wait struct {
	MsgID, From, To string
	// In Unix milliseconds. At the deadline the ACK is still in time.
	Deadline int64
	Overdue  bool
}

// Duty is what has to happen next, and who has to do it. Nobody is named where
// nothing is due.
type Duty struct{ Who, Do, MsgID string }

// Alarm is something that the admin must be told and was not told yet.
type Alarm struct {
	Kind, Severity, MsgID, Who string
	// When it became true, in Unix milliseconds.
	Since       int64
	Description string
	// The newest message that reached its receiver.
	LastSuccessful string
	// The payload that says it.
	Escalation Escalation
}

// Alarms are what the admin must be told.
type Alarms struct {
	Alarms []Alarm
	// Counts the texts that are not JSON objects, or not records.
	Unread int64
}

// MessageID is a message's id in its parts, which are empty if it is not valid. A
// valid one is safe as the name of a file.
type MessageID struct {
	Valid        bool
	Type, TaskID string
	Millis       int64
}

// TaskHead holds what a new message needs besides its payload. The id, the parties and
// whether an ACK is asked for follow from the type.
type TaskHead struct {
	TaskID string `json:"taskId"`
	// When the message is made, and the last part of its id.
	Millis int64 `json:"millis"`
	// Takes the place of the time in the id.
	Number int64 `json:"number,omitzero"`
	// In seconds, by default the type's.
	AckTimeout int64    `json:"ackTimeout,omitzero"`
	ContextRef []string `json:"contextRef,omitzero"`
}

// Ack is a receiver's word that a message arrived.
type Ack struct {
	MsgID  string `json:"msgId"`
	By     string `json:"by"`
	Millis int64  `json:"millis"`
}

// Resume is the admin's answer. A redirect needs a text.
type Resume struct {
	MsgID string `json:"msgId"`
	// One of approve, redirect, split and terminate.
	Action string `json:"action"`
	Text   string `json:"text,omitzero"`
	Millis int64  `json:"millis"`
}

// TaskRecord is what a task's own file says.
type TaskRecord struct {
	TaskID      string `json:"taskId"`
	Title       string `json:"title,omitzero"`
	Repo        string `json:"repo,omitzero"`
	Branch      string `json:"branch,omitzero"`
	Risk        string `json:"risk,omitzero"`
	Phase       string `json:"phase"`
	RejectCount int64  `json:"rejectCount,omitzero"`
	Messages    int64  `json:"messages,omitzero"`
	LastMsgID   string `json:"lastMsgId,omitzero"`
	// In Unix milliseconds.
	Created int64 `json:"created"`
	Updated int64 `json:"updated"`
}

// Rejection is a line of the error log.
type Rejection struct {
	Millis int64  `json:"millis"`
	Source string `json:"source"`
	MsgID  string `json:"msgId,omitzero"`
	TaskID string `json:"taskId,omitzero"`
	// The SHA-256 of the refused message in hexadecimal digits.
	Digest string  `json:"digest"`
	Faults []Fault `json:"faults"`
	// The message itself, where nothing else keeps it.
	Text string `json:"text,omitzero"`
}
