package panel

import "github.com/signalbox-dev/signalbox/core/agn"

// Action is how the admin answers an escalation.
type Action = agn.Action

// EscalationParams are the params of signalbox/escalation/list. Absent fields do not filter.
type EscalationParams struct {
	Severity EscalationSeverity `json:"severity,omitempty" check:"one critical warning info"`
	Open     *bool              `json:"open,omitempty"` // true: only those without an answer
	Task     *Ref               `json:"task,omitempty"` // only the escalations of this task, and what is overdue in it
	Cursor   string             `json:"cursor,omitempty"`
	Limit    int                `json:"limit,omitempty"`
	// Waiting lists the longest waiting first, whatever their severity. Such a list has no
	// cursor and at most one overdue entry for each task.
	Waiting bool `json:"-"`
}

// EscalationPage is the result of signalbox/escalation/list: open ones by severity, then oldest
// first; after them answered ones, newest first. Every page has all of Overdue and Rejected, cut
// to the newest 100.
type EscalationPage struct {
	Items      []EscalationItem `json:"items"`
	NextCursor string           `json:"nextCursor,omitempty"`
	Counts     EscalationCounts `json:"counts"`
	Overdue    []Overdue        `json:"overdue"`
	Rejected   []RejectedItem   `json:"rejected"`
	Revision   int64            `json:"revision"`
	Warnings   []Warning        `json:"warnings"`
}

// EscalationCounts are counts over all tasks, whatever the filter.
type EscalationCounts struct {
	Critical int `json:"critical"` // open ones, as in Warning and Info
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
	Label       string             `json:"label"` // the same in words: "Stopped after 3 rejections"
	Severity    EscalationSeverity `json:"severity"`
	From        string             `json:"from"`
	TriggeredBy string             `json:"triggeredBy"`
	Time        int64              `json:"time"`
	Title       string             `json:"title"` // the description's first line, at most 200 characters
	HTML        string             `json:"html"`  // the description: safe HTML made by core/render
	Text        string             `json:"text"`
	// Malformed is set if it breaks rules, which Warnings lists. It then counts for nothing
	// and cannot be answered. It stays open until its file, whose absolute path is Path, is
	// repaired or removed. Its task may be missing, fields that cannot be read are empty, and
	// an unknown severity is critical.
	Malformed bool   `json:"malformed,omitempty"`
	Path      string `json:"path,omitempty"`
	// Open is set until the admin answers. Answer is the admin's answer.
	Open   bool    `json:"open"`
	Answer *Answer `json:"answer,omitempty"`
	// Acked is when the admin acknowledged it, or 0. Late is set if an ACK was requested and is
	// overdue.
	Acked int64 `json:"acked"`
	Late  bool  `json:"late"`
	// Suspended are the agents that are suspended because of it.
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

// TaskMessage is a message that an escalation mentions. Ref is nil if the message is missing.
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

// Suggestion is an action that the sender recommends. It only prefills a response: Action is
// the action that the sender's words come closest to, and the response begins with Text.
type Suggestion struct {
	Text   string `json:"text"`
	Action Action `json:"action"`
}

// Overdue is something that should have happened by now, and that was not escalated.
type Overdue struct {
	Ref    Ref    `json:"ref"`  // the message, or the task if there is none
	Task   Ref    `json:"task"` // the task
	TaskID string `json:"taskId"`
	Title  string `json:"title"` // the task's: the first line of its description
	Kind   string `json:"kind"`  // the kind of escalation that it calls for, such as "ack_timeout"
	Label  string `json:"label"`
	Who    string `json:"who"`   // whose turn it is
	Since  int64  `json:"since"` // when it became overdue; for silence, when something was last written
	Text   string `json:"text"`
	More   int    `json:"more,omitempty"` // how many more are overdue in the task, if only one is listed
}

// Words returns what is overdue, by whom and in which task: "executor has not confirmed X",
// "executor silent 45m: X". age returns the time since a moment in words.
func (o *Overdue) Words(age func(since int64) string) string {
	switch o.Kind {
	case agn.AckTimeout:
		return o.Who + " has not confirmed " + o.Title
	case agn.HeartbeatTimeout:
		return o.Who + " silent " + age(o.Since) + ": " + o.Title
	}
	return o.Label + ": " + o.Title
}

// Response is the admin's answer to an escalation, and the params of
// signalbox/escalation/preview. Ref names the escalation, or the verdict that
// locked the task. SuggestedIndex is the suggestion that the response began
// with; it does not change what is written. Without an Action the response is a
// redirect.
type Response struct {
	Ref            Ref    `json:"ref"`
	Action         Action `json:"action,omitempty" check:"one approve redirect split terminate"`
	Body           string `json:"body" check:"most 1048576"`
	SuggestedIndex *int   `json:"suggestedIndex,omitempty"`
}

// RespondParams are the params of signalbox/escalation/respond.
type RespondParams struct {
	Response
	ClientToken string `json:"clientToken" check:"given"`
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

// AckParams are the params of signalbox/message/ack. Only messages to the admin can be
// acknowledged here: other receivers write their own ACKs.
type AckParams struct {
	Ref         Ref    `json:"ref"`
	ClientToken string `json:"clientToken" check:"given"`
}
