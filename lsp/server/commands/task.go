package commands

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// tasks has the methods that the commands about tasks need.
type tasks interface {
	Escalations(ctx context.Context, p panel.EscalationParams) (panel.EscalationPage, error)
	RespondPreview(ctx context.Context, p panel.Response) (panel.RespondPreview, error)
	Respond(ctx context.Context, p panel.RespondParams) (panel.Responded, error)
	Ack(ctx context.Context, p panel.AckParams) (panel.Responded, error)
	Tasks(ctx context.Context, p panel.TasksParams) (panel.TasksPage, error)
	Task(ctx context.Context, p panel.TaskParams) (panel.TaskPage, error)
	Issues(ctx context.Context) (panel.IssuesPage, error)
}

func (c *Set) taskCommands() map[string]*Command {
	return map[string]*Command{
		"signalbox.escalations": {show(nil, c.panel.Escalations, escalationsText), "escalations.md"},
		"signalbox.respond":     {Run: c.respondCommand},
		"signalbox.ack":         {Run: c.showRef(c.ack)},
		"signalbox.tasks":       {show(nil, c.panel.Tasks, tasksText), "tasks.md"},
		"signalbox.task":        {c.showRef(c.task), "task.md"},
		"signalbox.issues":      {c.issuesCommand, "issues.md"},
	}
}

// task is signalbox.task [ref, task or message id].
func (c *Set) task(ctx context.Context, ref panel.Ref) (Answer, error) {
	page, err := c.panel.Task(ctx, panel.TaskParams{Ref: ref})
	return Answer{taskText(page), page}, err
}

// issuesCommand is signalbox.issues.
func (c *Set) issuesCommand(ctx context.Context, _ []json.RawMessage) (Answer, error) {
	page, err := c.panel.Issues(ctx)
	return Answer{issuesText(page), page}, err
}

// respondCommand is signalbox.respond [{ref or id, action, body, dryRun?,
// clientToken?}].
func (c *Set) respondCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	a, err := Argument[struct {
		panel.RespondParams
		ID     string `json:"id"`
		DryRun bool   `json:"dryRun"`
	}](args[0])
	if err != nil {
		return Answer{}, err
	}
	p := a.RespondParams
	if a.ID != "" {
		if p.Ref, err = c.named(ctx, a.ID); err != nil {
			return Answer{}, err
		}
	}
	if a.DryRun {
		if err := limits.Params("", p.Response); err != nil {
			return Answer{}, err
		}
		preview, err := c.panel.RespondPreview(ctx, p.Response)
		return Answer{respondPreviewText(preview), preview}, err
	}
	return c.respond(ctx, p)
}

// respond writes an answer. Without a client token, it makes a new one.
func (c *Set) respond(ctx context.Context, p panel.RespondParams) (Answer, error) {
	if err := limits.Params("", p.Response); err != nil {
		return Answer{}, err
	}
	if p.ClientToken == "" {
		p.ClientToken = c.token()
	}
	done, err := c.panel.Respond(ctx, p)
	return Answer{respondedText("Answered", done), done}, err
}

// ack is signalbox.ack [ref or message id].
func (c *Set) ack(ctx context.Context, ref panel.Ref) (Answer, error) {
	done, err := c.panel.Ack(ctx, panel.AckParams{Ref: ref, ClientToken: c.token()})
	return Answer{respondedText("Acknowledged", done), done}, err
}
