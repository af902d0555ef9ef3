package panel

import "github.com/signalbox-dev/signalbox/core/agn"

// The values of the escalation panel and of tasks (AMP/1.0), in the manner of
// types.go: plain, sanitized, times in Unix milliseconds.

// SSOT is a directory of task messages and how it fares, as a [Status] lists it.
type SSOT struct {
	Path     string   `json:"path"`
	Origin   string   `json:"origin"` // e.g. "setting signalbox.ssot", "SIGNALBOX_SSOT", ".ssot in the workspace"
	Store    string   `json:"store"`  // the Ref.Store of everything in it
	Own      bool     `json:"own"`    // it has Signalbox's layout; otherwise envelopes lie in it anyhow
	Exists   bool     `json:"exists"`
	Writable bool     `json:"writable"`
	Error    string   `json:"error,omitempty"`
	Watching Watching `json:"watching"`
	Watchdog bool     `json:"watchdog"` // this server reports missed ACKs and silence
	Tasks    int      `json:"tasks"`
	Messages int      `json:"messages"`
	Rejected int      `json:"rejected"`
}

// EscalationSeverity is how urgent an escalation is.
type EscalationSeverity string

// The severities of escalations.
const (
	SeverityCritical EscalationSeverity = "critical"
	SeverityWarning  EscalationSeverity = "warning"
	SeverityInfo     EscalationSeverity = "info"
)

// Action is how the admin answers an escalation.
type Action = agn.Action

// EscalationParams are the params of signalbox/escalation/list. Absent fields do
// not narrow.
type EscalationParams struct {
	Severity EscalationSeverity `json:"severity,omitempty"`
	Open     *bool              `json:"open,omitempty"` // true: those that nobody answered
	Task     *Ref               `json:"task,omitempty"` // a task: its own, and what of it is overdue
	Cursor   string             `json:"cursor,omitempty"`
	Limit    int                `json:"limit,omitempty"`
}

// EscalationPage is the result of signalbox/escalation/list: open ones first, by
// severity, then the oldest first; then those that were answered, newest first.
// Overdue and Rejected come whole with every page, cut to the newest 100.
type EscalationPage struct {
	Items      []EscalationItem `json:"items"`
	NextCursor string           `json:"nextCursor,omitempty"`
	Counts     EscalationCounts `json:"counts"`
	Overdue    []Overdue        `json:"overdue"`
	Rejected   []RejectedItem   `json:"rejected"`
	Revision   int64            `json:"revision"`
	Warnings   []Warning        `json:"warnings"`
}

// EscalationCounts are over all tasks, whatever is asked for.
type EscalationCounts struct {
	Critical int `json:"critical"` // open ones, as the next two
	Warning  int `json:"warning"`
	Info     int `json:"info"`
	Answered int `json:"answered"`
	Overdue  int `json:"overdue"`
	Rejected int `json:"rejected"`
}

// EscalationItem is one escalation as the panel shows it.
type EscalationItem struct {
	Ref         Ref                `json:"ref"`
	ID          string             `json:"id"`
	Task        TaskItem           `json:"task"`
	Kind        string             `json:"kind"`  // such as "hallucination_lock"
	Label       string             `json:"label"` // the same in words: "Hallucination lock"
	Severity    EscalationSeverity `json:"severity"`
	From        string             `json:"from"`
	TriggeredBy string             `json:"triggeredBy"`
	Time        int64              `json:"time"`
	Title       string             `json:"title"` // the description's first line, at most 200 characters
	HTML        string             `json:"html"`  // the description: safe HTML made by core/render
	Text        string             `json:"text"`
	// Malformed is set if it breaks a rule: it counts for nothing and cannot be
	// answered: it is open until its file, whose absolute path is Path, is mended
	// or removed. Warnings say which rules. Its task may not be there, and what
	// could not be read of it is empty; a severity that is none is critical.
	Malformed bool   `json:"malformed,omitempty"`
	Path      string `json:"path,omitempty"`
	// Open is set until the admin answers. Answer is what they answered.
	Open   bool    `json:"open"`
	Answer *Answer `json:"answer,omitempty"`
	// Acked is the admin's ACK, 0 where there is none; Late is set if one was
	// asked for and its time is over.
	Acked int64 `json:"acked"`
	Late  bool  `json:"late"`
	// Suspended are the agents that stand still because of it.
	Suspended []string      `json:"suspended"`
	Affected  []TaskMessage `json:"affected"`
	Snapshot  TaskSnapshot  `json:"snapshot"`
	Suggested []Suggestion  `json:"suggested"`
	Warnings  []Warning     `json:"warnings"`
}

// Answer is what the admin decided on an escalation.
type Answer struct {
	Action Action `json:"action"`
	Text   string `json:"text"`
	Time   int64  `json:"time"`
}

// TaskMessage is a mention of a message. Ref is nil where it is not there.
type TaskMessage struct {
	ID    string `json:"id"`
	Ref   *Ref   `json:"ref,omitempty"`
	Label string `json:"label"` // what it is, in words: "review verdict, rejected"
}

// TaskSnapshot is the state of the task as the sender of an escalation saw it.
type TaskSnapshot struct {
	Status         string       `json:"status"`
	RejectCount    int          `json:"rejectCount"`
	LastSuccessful *TaskMessage `json:"lastSuccessful,omitempty"`
}

// Suggestion is an action that the sender recommends. It only prefills a
// response: Action is what its words come closest to, and Text is what the
// response then begins with.
type Suggestion struct {
	Text   string `json:"text"`
	Action Action `json:"action"`
}

// Overdue is what should have happened and has not, and that nobody escalated.
type Overdue struct {
	Ref    Ref    `json:"ref"`  // the message, or the task where there is none
	Task   Ref    `json:"task"` // the task
	TaskID string `json:"taskId"`
	Kind   string `json:"kind"` // the escalation that it calls for, such as "ack_timeout"
	Label  string `json:"label"`
	Who    string `json:"who"`   // whose turn it is
	Since  int64  `json:"since"` // when it became overdue
	Text   string `json:"text"`
}

// RejectedItem is a message that breaks a rule and counts for nothing (rule E0).
type RejectedItem struct {
	Source string      `json:"source"` // the file, relative to the SSOT where it lies in it
	Path   string      `json:"path"`   // absolute, for opening it as text; empty where it is not in the SSOT
	Store  string      `json:"store"`
	ID     string      `json:"id"` // as the message has it, which may be anything
	TaskID string      `json:"taskId"`
	Time   int64       `json:"time"`
	Logged bool        `json:"logged"` // errors.jsonl has it
	Faults []TaskFault `json:"faults"`
	// Severity and Title are set for a malformed escalation, which is listed among the
	// escalations too.
	Severity EscalationSeverity `json:"severity,omitempty"`
	Title    string             `json:"title,omitempty"`
}

// TaskFault is one broken rule of a message.
type TaskFault struct {
	Rule   string `json:"rule"`
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

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
	// Rejects of RejectLimit lock; Lock names the rule that did, or is empty.
	Rejects     int      `json:"rejects"`
	RejectLimit int      `json:"rejectLimit"`
	LockNear    bool     `json:"lockNear"`
	Lock        string   `json:"lock"`
	Suspended   []string `json:"suspended"`
	// Next is whose turn it is and for what, in words: "executor: acknowledge".
	NextWho  string `json:"nextWho"`
	NextDo   string `json:"nextDo"`
	Overdue  int    `json:"overdue"` // missing ACKs whose time is over, silence included
	Open     int    `json:"open"`    // escalations
	Silent   bool   `json:"silent"`
	Messages int    `json:"messages"`
	LastTime int64  `json:"lastTime"`
}

// TaskParams are the params of signalbox/task/get. Ref names a task or one of its
// messages. Without Before the newest entries are given.
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
	// Points are what matters most in it, at most four lines: what is blocked,
	// what the reviewer found, why it was escalated, what the admin said.
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
	Deadline int64    `json:"deadline,omitempty"` // 0 where there is none
}

// Response is the admin's answer to an escalation, and the params of
// signalbox/escalation/preview. Ref names the escalation, or the verdict that
// locked the task. SuggestedIndex says which suggestion the response began
// with; it changes nothing of what is written. Without an Action the body is a
// redirect.
type Response struct {
	Ref            Ref    `json:"ref"`
	Action         Action `json:"action,omitempty"`
	Body           string `json:"body"`
	SuggestedIndex *int   `json:"suggestedIndex,omitempty"`
}

// RespondParams are the params of signalbox/escalation/respond.
type RespondParams struct {
	Response
	ClientToken string `json:"clientToken"`
}

// RespondPreview is the result of signalbox/escalation/preview: what responding
// would write. Record is the exact text and not sanitized: plain text only.
type RespondPreview struct {
	Record     string         `json:"record"`
	Path       string         `json:"path"` // absolute
	Effect     string         `json:"effect"`
	CanRespond bool           `json:"canRespond"`
	Warnings   []DraftWarning `json:"warnings"`
}

// Responded is the result of signalbox/escalation/respond and of
// signalbox/message/ack.
type Responded struct {
	Ref  Ref      `json:"ref"`
	Task TaskItem `json:"task"`
	Path string   `json:"path"` // the file that was written
}

// AckParams are the params of signalbox/message/ack. Only what went to the admin
// can be acknowledged here: other ACKs are their receivers' to write.
type AckParams struct {
	Ref         Ref    `json:"ref"`
	ClientToken string `json:"clientToken"`
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
