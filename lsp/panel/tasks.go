package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// tasked returns what the source of tasks holds now, or nil if there is none.
func (p *Panels) tasked(ctx context.Context) Tasked {
	for _, v := range p.viewsNow(ctx) {
		if t, ok := v.View.(Tasked); ok {
			return t
		}
	}
	return nil
}

// taskedOf is tasked for the source of a ref, or an error that refuses the ref.
func (p *Panels) taskedOf(ctx context.Context, r Ref) (Tasked, error) {
	if v, ok := p.viewOf(ctx, r).(Tasked); ok {
		return v, nil
	}
	return nil, p.unserved(r)
}

// errNoTasks refuses a list of tasks where no source has any.
func errNoTasks() error { return &Error{Kind: Unsupported, Message: "no tasks are served"} }

// Tasks returns one page of tasks, the newest first.
func (p *Panels) Tasks(ctx context.Context, q TasksParams) (TasksPage, error) {
	revision, v := p.revised(), p.tasked(ctx)
	if v == nil {
		return TasksPage{}, errNoTasks()
	}
	page, err := v.Tasks(q)
	page.Revision = revision
	return page, err
}

// Task returns one page of a task's timeline.
func (p *Panels) Task(ctx context.Context, q TaskParams) (TaskPage, error) {
	revision := p.revised()
	v, err := p.taskedOf(ctx, q.Ref)
	if err != nil {
		return TaskPage{}, err
	}
	page, err := v.Task(q)
	page.Revision = revision
	return page, err
}

// Escalations returns one page of escalations, with all that is overdue and what was
// rejected.
func (p *Panels) Escalations(ctx context.Context, q EscalationParams) (EscalationPage, error) {
	revision, v := p.revised(), p.tasked(ctx)
	if v == nil {
		return EscalationPage{}, errNoTasks()
	}
	page, err := v.Escalations(q)
	page.Revision = revision
	return page, err
}

// Issues returns what reviews found in repositories that are open.
func (p *Panels) Issues(ctx context.Context) (IssuesPage, error) {
	revision, v := p.revised(), p.tasked(ctx)
	if v == nil {
		return IssuesPage{}, errNoTasks()
	}
	page, err := v.Issues(ctx, p.checkouts(ctx))
	page.Revision = revision
	return page, err
}

// checkouts lists the folders in which somebody works on repositories.
func (p *Panels) checkouts(ctx context.Context) (list []Checkout) {
	for _, v := range p.viewsNow(ctx) {
		if has, ok := v.View.(CheckedOut); ok {
			list = append(list, has.Checkouts()...)
		}
	}
	return list
}

// RespondPreview says what answering an escalation would write, and what that would
// change.
func (p *Panels) RespondPreview(ctx context.Context, q Response) (RespondPreview, error) {
	v, err := p.taskedOf(ctx, q.Ref)
	if err != nil {
		return RespondPreview{}, err
	}
	return v.RespondPreview(q)
}

// Respond writes the admin's answer to an escalation, once: it does not write the same
// answer again.
func (p *Panels) Respond(ctx context.Context, q RespondParams) (Responded, error) {
	v, err := p.taskedOf(ctx, q.Ref)
	if err != nil {
		return Responded{}, err
	}
	return v.Respond(ctx, q)
}

// Ack acknowledges what went to the admin. Nobody can take it back.
func (p *Panels) Ack(ctx context.Context, q AckParams) (Responded, error) {
	v, err := p.taskedOf(ctx, q.Ref)
	if err != nil {
		return Responded{}, err
	}
	return v.Ack(ctx, q)
}

// TaskMessages returns the other messages of m's task: from the open directory that
// the file at path lies in, else from the first one that knows the task.
func (p *Panels) TaskMessages(path string, m *agn.Message) []agn.Message {
	if v := p.tasked(context.Background()); v != nil {
		return v.TaskMessages(path, m)
	}
	return nil
}
