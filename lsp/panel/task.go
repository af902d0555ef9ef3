package panel

import "github.com/signalbox-dev/signalbox/core/agn"

// TasksParams are the params of signalbox/task/list.
type TasksParams struct {
	Cursor string `json:"cursor,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// TasksPage is the result of signalbox/task/list, the newest task first.
type TasksPage struct {
	Tasks      []TaskItem `json:"tasks"`
	NextCursor string     `json:"nextCursor,omitempty"`
	Revision   int64      `json:"revision"`
	Warnings   []Warning  `json:"warnings"`
}

// TaskItem is a task as a list shows it.
type TaskItem struct {
	Ref    Ref    `json:"ref"`
	ID     string `json:"id"`
	Title  string `json:"title"`
	Phase  string `json:"phase"` // as core/agn names it: "in review"
	State  string `json:"state"` // the phase in words, with what matters: "rejected 2 of 3, lock near"
	Repo   string `json:"repo"`
	Branch string `json:"branch"`
	Risk   string `json:"risk"`
	// Rejects counts rejections: RejectLimit of them lock the task. Lock is the rule that locked
	// it, or empty.
	Rejects     int      `json:"rejects"`
	RejectLimit int      `json:"rejectLimit"`
	LockNear    bool     `json:"lockNear"`
	Lock        string   `json:"lock"`
	Suspended   []string `json:"suspended"`
	// NextWho is whose turn it is, and NextDo what they have to do: "executor", "acknowledge".
	NextWho  string `json:"nextWho"`
	NextDo   string `json:"nextDo"`
	Overdue  int    `json:"overdue"` // missing ACKs whose time is over, silence included
	Open     int    `json:"open"`    // escalations
	Silent   bool   `json:"silent"`  // for less than two hours
	Stopped  bool   `json:"stopped"` // silent for longer: it may have stopped
	Messages int    `json:"messages"`
	LastTime int64  `json:"lastTime"`
}

// Turn returns whose turn it is and for what: "waiting for your answer" if it is the user's as
// admin, otherwise such as "executor has to acknowledge", or "".
func (t *TaskItem) Turn() string {
	switch t.NextWho {
	case "":
		return ""
	case agn.Admin:
		return "waiting for your answer"
	}
	return t.NextWho + " has to " + t.NextDo
}

// TaskParams are the params of signalbox/task/get. Ref names a task or one of its
// messages. Without Before the result has the newest entries.
type TaskParams struct {
	Ref    Ref    `json:"ref"`
	Before string `json:"before,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// TaskPage is the result of signalbox/task/get: a task's timeline, oldest first.
type TaskPage struct {
	Task     TaskItem    `json:"task"`
	Timeline []TaskEvent `json:"timeline"`
	Before   string      `json:"before,omitempty"`
	// Text is the timeline of this page for screen readers and terminals:
	// lines of at most 80 columns.
	Text     string         `json:"text"`
	Rejected []RejectedItem `json:"rejected"` // of this task
	Warnings []Warning      `json:"warnings"`
	Revision int64          `json:"revision"`
}

// EventKind is the kind of a [TaskEvent].
type EventKind string

// The kinds of a [TaskEvent].
const (
	EventMessage EventKind = "message"
	EventResume  EventKind = "resume" // the admin's answer
)

// Tone is how good the news of a [TaskEvent] is.
type Tone string

// The tones of a [TaskEvent].
const (
	ToneNone  Tone = ""
	ToneGood  Tone = "good"
	ToneBad   Tone = "bad"
	ToneAlarm Tone = "alarm"
)

// TaskEvent is one step of a task.
type TaskEvent struct {
	Kind EventKind `json:"kind"`
	Ref  Ref       `json:"ref"` // of the message, or of the one that is answered
	ID   string    `json:"id"`
	Type string    `json:"type"` // the message's type; empty for a resume
	From string    `json:"from"`
	To   string    `json:"to"`
	Time int64     `json:"time"`
	// Title is what happened, in a line: "dispatch: 2 subtasks on feature/x".
	Title string `json:"title"`
	// Points are the most important details, at most four lines: what is blocked, what the
	// reviewer found, why it was escalated, what the admin answered.
	Points []string `json:"points"`
	// Tone is for colour beside the words.
	Tone Tone    `json:"tone"`
	Ack  AckMark `json:"ack"`
	// HTML and Text are the whole payload for reading.
	HTML     string    `json:"html"`
	Text     string    `json:"text"`
	Path     string    `json:"path"` // the file, absolute, for opening it as text
	Warnings []Warning `json:"warnings"`
}

// AckState is the state of an [AckMark].
type AckState string

// The states of an [AckMark].
const (
	AckNone    AckState = "none" // none is asked for
	AckDone    AckState = "acknowledged"
	AckWaiting AckState = "waiting"
	AckOverdue AckState = "overdue"
)

// AckMark is the receiver's ACK to a message.
type AckMark struct {
	State    AckState `json:"state"`
	By       string   `json:"by,omitempty"`
	Time     int64    `json:"time,omitempty"`
	Deadline int64    `json:"deadline,omitempty"` // 0 if there is none
}

// IssuesPage is the result of signalbox/issue/list: what reviews found in files
// of repositories that are open in this workspace.
type IssuesPage struct {
	Issues   []IssueItem `json:"issues"` // at most 500
	Revision int64       `json:"revision"`
	Warnings []Warning   `json:"warnings"` // issues whose file was refused or is not open
}

// IssueItem is one issue of the newest verdict on a task, at its place.
type IssueItem struct {
	Ref      Ref    `json:"ref"` // the verdict
	Task     Ref    `json:"task"`
	TaskID   string `json:"taskId"`
	Index    int    `json:"index"` // among the verdict's issues
	Path     string `json:"path"`  // absolute, beneath a workspace folder, of a regular file
	Line     int    `json:"line"`  // from 1; 0 stands for the whole file
	Severity string `json:"severity"`
	Blocking bool   `json:"blocking"`
	Time     int64  `json:"time"`
	// Markdown is the description and the suggested fix, made by core/render.
	Markdown string `json:"markdown"`
	Text     string `json:"text"`
}

// EscalationSeverity is how urgent an escalation is.
type EscalationSeverity string

// The severities of escalations.
const (
	SeverityCritical EscalationSeverity = "critical"
	SeverityWarning  EscalationSeverity = "warning"
	SeverityInfo     EscalationSeverity = "info"
)

// RejectedItem is a message that breaks a rule and counts for nothing (rule E0).
type RejectedItem struct {
	Source string      `json:"source"` // the file, relative to the SSOT if it is in it
	Path   string      `json:"path"`   // absolute, for opening it as text; empty if it is not in the SSOT
	Store  string      `json:"store"`
	ID     string      `json:"id"` // as in the message, which may contain anything
	TaskID string      `json:"taskId"`
	Time   int64       `json:"time"`
	Logged bool        `json:"logged"` // errors.jsonl lists it
	Faults []TaskFault `json:"faults"`
	// Severity and Title are set for a malformed escalation, which is also listed among the
	// escalations.
	Severity EscalationSeverity `json:"severity,omitempty"`
	Title    string             `json:"title,omitempty"`
}

// TaskFault is one broken rule of a message.
type TaskFault struct {
	Rule   string `json:"rule"`
	Field  string `json:"field"`
	Reason string `json:"reason"`
}
