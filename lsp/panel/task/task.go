// Package task answers requests of the admin of tasks. Start with [Admin].
package task

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Admin answers requests of the admin of tasks.
type Admin struct{ *view.Sources }

// tasked returns the current view of tasks. It is an error of kind Unsupported if no source
// has tasks.
func (a Admin) tasked(ctx context.Context) (panel.Tasked, error) {
	if t := view.Having[panel.Tasked](a.ViewsNow(ctx)); len(t) > 0 {
		return t[0], nil
	}
	return nil, &panel.Error{Kind: panel.Unsupported, Message: "no tasks are served"}
}

// Tasks returns one page of tasks, the newest first.
func (a Admin) Tasks(ctx context.Context, q panel.TasksParams) (panel.TasksPage, error) {
	revision := a.Revision()
	v, err := a.tasked(ctx)
	if err != nil {
		return panel.TasksPage{}, err
	}
	page, err := v.Tasks(q)
	page.Revision = revision
	return page, err
}

// Task returns one page of a task's timeline.
func (a Admin) Task(ctx context.Context, q panel.TaskParams) (panel.TaskPage, error) {
	revision := a.Revision()
	v, err := view.Serving[panel.Tasked](ctx, a.Sources, q.Ref)
	if err != nil {
		return panel.TaskPage{}, err
	}
	page, err := v.Task(q)
	page.Revision = revision
	return page, err
}

// Escalations returns one page of escalations, with everything overdue and the rejected
// messages.
func (a Admin) Escalations(ctx context.Context, q panel.EscalationParams) (panel.EscalationPage, error) {
	revision := a.Revision()
	v, err := a.tasked(ctx)
	if err != nil {
		return panel.EscalationPage{}, err
	}
	page, err := v.Escalations(q)
	page.Revision = revision
	return page, err
}

// Issues returns what reviews found in the open repositories.
func (a Admin) Issues(ctx context.Context) (panel.IssuesPage, error) {
	revision := a.Revision()
	v, err := a.tasked(ctx)
	if err != nil {
		return panel.IssuesPage{}, err
	}
	page, err := v.Issues(ctx, a.ViewsNow(ctx).Checkouts())
	page.Revision = revision
	return page, err
}

// RespondPreview returns what an answer to an escalation would write and change. It
// writes nothing.
func (a Admin) RespondPreview(ctx context.Context, q panel.Response) (panel.RespondPreview, error) {
	v, err := view.Serving[panel.Tasked](ctx, a.Sources, q.Ref)
	if err != nil {
		return panel.RespondPreview{}, err
	}
	return v.RespondPreview(q)
}

// Respond writes the admin's answer to an escalation. The same answer again succeeds
// and writes nothing.
func (a Admin) Respond(ctx context.Context, q panel.RespondParams) (panel.Responded, error) {
	v, err := view.Serving[panel.Tasked](ctx, a.Sources, q.Ref)
	if err != nil {
		return panel.Responded{}, err
	}
	return v.Respond(ctx, q)
}

// Ack writes the admin's acknowledgement of a message to the admin. It cannot be undone.
func (a Admin) Ack(ctx context.Context, q panel.AckParams) (panel.Responded, error) {
	v, err := view.Serving[panel.Tasked](ctx, a.Sources, q.Ref)
	if err != nil {
		return panel.Responded{}, err
	}
	return v.Ack(ctx, q)
}

// TaskMessages returns the other messages of m's task. It takes them from the open directory that
// contains the file at path, or otherwise from the first directory that has the task.
func (a Admin) TaskMessages(path string, m *agn.Message) []agn.Message {
	v, err := a.tasked(context.Background())
	if err != nil {
		return nil
	}
	return v.TaskMessages(path, m)
}
