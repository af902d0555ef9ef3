package printed

import "github.com/signalbox-dev/signalbox/lsp/panel"

// Task is a task, as "task list" has it.
type Task struct {
	panel.TaskItem
	Time int64 `json:"time"`
}

// TaskPage is a task with its timeline, as "task show" has it.
type TaskPage struct {
	Task     Task              `json:"task"`
	Timeline []panel.TaskEvent `json:"timeline"`
	// what to give to --before for the events before these
	Before string `json:"before,omitempty"`
	// the timeline in lines of at most 80 columns
	Text string `json:"text"`
	// messages of the task that break a rule
	Rejected []panel.RejectedItem `json:"rejected"`
	Warnings []panel.Warning      `json:"warnings"`
	Revision int64                `json:"revision"`
}

// Ack is an ACK that was written.
type Ack struct {
	// the message that was acknowledged
	ID string `json:"id"`
	// the role that acknowledged it
	From string `json:"from"`
	Time int64  `json:"time"`
	// the file that was written
	File string `json:"file"`
}

// Resumed is an answer to an escalation.
type Resumed struct {
	// the message that was answered
	ID string `json:"id"`
	// approve, redirect, split or terminate
	Action string `json:"action"`
	Task   string `json:"task"`
	// the file that was written
	File string `json:"file"`
	// whether nothing was written, because of --dry-run
	DryRun bool `json:"dryRun,omitempty"`
	// what would be written
	Record Raw `json:"record,omitempty"`
	// what would change
	Effect string `json:"effect,omitempty"`
}

// SentTask is a message of a task that was written.
type SentTask struct {
	ID   string `json:"id"`
	Task string `json:"task"`
	// the file that was written
	File string `json:"file"`
	// whether nothing was written, because of --dry-run
	DryRun bool `json:"dryRun,omitempty"`
	// the message, in the form of AMP/1.0
	Message Raw `json:"message,omitempty"`
}

// RefusedTask is a message of a task that breaks a rule.
type RefusedTask struct {
	ID string `json:"id"`
	// always true
	Refused bool    `json:"refused"`
	Faults  []Fault `json:"faults"`
	// why it could not be logged, if it could not
	NotLogged string `json:"notLogged,omitempty"`
	// whether nothing was written, because of --dry-run
	DryRun bool `json:"dryRun,omitempty"`
}

// Escalated is what "task watch" escalated.
type Escalated struct {
	ID   string `json:"id"`
	Time int64  `json:"time"`
	Task string `json:"task"`
	// the kind of problem, such as ack_timeout
	Type string `json:"type"`
	// critical, warning or info
	Severity string `json:"severity"`
	// the role that is responsible
	TriggeredBy string `json:"triggeredBy"`
	// what the admin should know
	Description string `json:"description"`
}

// CheckedTask is what "task check" finds in one file.
type CheckedTask struct {
	File string `json:"file"`
	// whether no rule is broken
	OK bool `json:"ok"`
	// message, payload, ack, resume or task
	Kind string `json:"kind"`
	// the type of the message or payload
	Type   string  `json:"type"`
	ID     string  `json:"id"`
	Faults []Fault `json:"faults"`
	Notes  []Fault `json:"notes"`
}
