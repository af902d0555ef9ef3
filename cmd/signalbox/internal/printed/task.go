package printed

import "github.com/signalbox-dev/signalbox/lsp/panel"

// Task is a task, as "task list" has it.
type Task struct {
	panel.TaskItem
	Time int64 `json:"time"`
}

// TaskPage is a task with its timeline, as "task show" has it.
type TaskPage struct {
	Task     Task                 `json:"task"`
	Timeline []panel.TaskEvent    `json:"timeline"`
	Before   string               `json:"before,omitempty" jsonschema:"what to give to --before for the events before these"`
	Text     string               `json:"text" jsonschema:"the timeline in lines of at most 80 columns"`
	Rejected []panel.RejectedItem `json:"rejected" jsonschema:"messages of the task that break a rule"`
	Warnings []panel.Warning      `json:"warnings"`
	Revision int64                `json:"revision"`
}

// Ack is an ACK that was written.
type Ack struct {
	ID   string `json:"id" jsonschema:"the message that was acknowledged"`
	From string `json:"from" jsonschema:"the role that acknowledged it"`
	Time int64  `json:"time"`
	File string `json:"file" jsonschema:"the file that was written"`
}

// Resumed is an answer to an escalation.
type Resumed struct {
	ID     string `json:"id" jsonschema:"the message that was answered"`
	Action string `json:"action" jsonschema:"approve, redirect, split or terminate"`
	Task   string `json:"task"`
	File   string `json:"file" jsonschema:"the file that was written"`
	DryRun bool   `json:"dryRun,omitempty" jsonschema:"whether nothing was written, because of --dry-run"`
	Record Raw    `json:"record,omitempty" jsonschema:"what would be written"`
	Effect string `json:"effect,omitempty" jsonschema:"what would change"`
}

// SentTask is a message of a task that was written.
type SentTask struct {
	ID      string `json:"id"`
	Task    string `json:"task"`
	File    string `json:"file" jsonschema:"the file that was written"`
	DryRun  bool   `json:"dryRun,omitempty" jsonschema:"whether nothing was written, because of --dry-run"`
	Message Raw    `json:"message,omitempty" jsonschema:"the message, in the form of AMP/1.0"`
}

// RefusedTask is a message of a task that breaks a rule.
type RefusedTask struct {
	ID        string  `json:"id"`
	Refused   bool    `json:"refused" jsonschema:"always true"`
	Faults    []Fault `json:"faults"`
	NotLogged string  `json:"notLogged,omitempty" jsonschema:"why it could not be logged, if it could not"`
	DryRun    bool    `json:"dryRun,omitempty" jsonschema:"whether nothing was written, because of --dry-run"`
}

// Escalated is what "task watch" escalated.
type Escalated struct {
	ID          string `json:"id"`
	Time        int64  `json:"time"`
	Task        string `json:"task"`
	Type        string `json:"type" jsonschema:"the kind of problem, such as ack_timeout"`
	Severity    string `json:"severity" jsonschema:"critical, warning or info"`
	TriggeredBy string `json:"triggeredBy" jsonschema:"the role that is responsible"`
	Description string `json:"description" jsonschema:"what the admin should know"`
}

// CheckedTask is what "task check" finds in one file.
type CheckedTask struct {
	File   string  `json:"file"`
	OK     bool    `json:"ok" jsonschema:"whether no rule is broken"`
	Kind   string  `json:"kind" jsonschema:"message, payload, ack, resume or task"`
	Type   string  `json:"type" jsonschema:"the type of the message or payload"`
	ID     string  `json:"id"`
	Faults []Fault `json:"faults"`
	Notes  []Fault `json:"notes"`
}
