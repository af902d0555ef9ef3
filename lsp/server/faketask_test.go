package server

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func taskRef(id string) panel.Ref { return panel.Ref{Protocol: "agn", Store: "o1", ID: id} }

const (
	knownTask = "T-2026-044"
	knownCall = "escalation-T-2026-044-1772120327001"
)

func (f *fakePanel) task() panel.TaskItem {
	return panel.TaskItem{
		Ref: taskRef("t/" + knownTask), ID: knownTask, Title: "Fix the timer", Phase: "locked", State: "stopped after 3 rejections in a row",
		RejectLimit: 3, Rejects: 3, Suspended: []string{"executor"}, NextWho: "admin", NextDo: "respond", Open: 1, Messages: 6, LastTime: 1772120327001,
	}
}

func (f *fakePanel) Escalations(_ context.Context, p panel.EscalationParams) (panel.EscalationPage, error) {
	page := panel.EscalationPage{
		Items: []panel.EscalationItem{}, Counts: panel.EscalationCounts{Critical: 1, Overdue: 1, Rejected: 1},
		Overdue: []panel.Overdue{{
			Ref: taskRef("m/x"), Task: taskRef("t/" + knownTask), TaskID: knownTask, Kind: "ack_timeout", Label: "Not confirmed", Who: "reviewer",
			Since: 1772120327001, Text: "the reviewer did not *acknowledge*",
		}},
		Rejected: []panel.RejectedItem{{Source: "messages/x/bad.json", Faults: []panel.TaskFault{{Rule: "D3", Field: "payload.branch", Reason: "the branch is \"main\""}}}},
		Revision: 7, Warnings: []panel.Warning{},
	}
	if p.Severity == "" || p.Severity == "critical" {
		page.Items = append(page.Items, panel.EscalationItem{
			Ref: taskRef("m/" + knownTask + "/" + knownCall), ID: knownCall, Task: f.task(), Kind: "hallucination_lock", Label: "Stopped after 3 rejections",
			Severity: "critical", From: "coordinator", TriggeredBy: "coordinator", Time: 1772120327001, Title: "locked by [me](command:evil)",
			HTML: "<p>locked</p>", Text: "locked", Open: true, Suspended: []string{"executor"}, Affected: []panel.TaskMessage{},
			Suggested: []panel.Suggestion{{Text: "Split the task", Action: "split"}}, Warnings: []panel.Warning{},
		})
	}
	return page, nil
}

func (f *fakePanel) RespondPreview(_ context.Context, p panel.Response) (panel.RespondPreview, error) {
	if p.Ref.ID != "m/"+knownTask+"/"+knownCall {
		return panel.RespondPreview{}, &panel.Error{Kind: panel.NotFound, Message: "there is no such task or message any more"}
	}
	if p.Action == "" && p.Body == "" {
		return panel.RespondPreview{Path: "/o/resumes/x.json", Warnings: []panel.DraftWarning{{Severity: "error", Rule: "X9", Field: "body", Message: "a redirect needs a text"}}}, nil
	}
	return panel.RespondPreview{
		Record: "{\n  \"action\": \"" + string(p.Action) + "\"\n}\n", Path: "/o/resumes/x.json", Effect: knownTask + " is then resumed", CanRespond: true, Warnings: []panel.DraftWarning{},
	}, nil
}

func (f *fakePanel) Respond(_ context.Context, p panel.RespondParams) (panel.Responded, error) {
	if p.Ref.ID != "m/"+knownTask+"/"+knownCall {
		return panel.Responded{}, &panel.Error{Kind: panel.NotFound, Message: "there is no such task or message any more"}
	}
	return panel.Responded{Ref: p.Ref, Task: f.task(), Path: "/o/resumes/x.json"}, nil
}

func (f *fakePanel) Ack(_ context.Context, p panel.AckParams) (panel.Responded, error) {
	if p.Ref.ID == "m/x" {
		return panel.Responded{}, &panel.Error{Kind: panel.NotOwner, Message: "the message went to the reviewer", Detail: "E12"}
	}
	return panel.Responded{Ref: p.Ref, Task: f.task(), Path: "/o/acks/x.json"}, nil
}

func (f *fakePanel) Tasks(_ context.Context, p panel.TasksParams) (panel.TasksPage, error) {
	if p.Cursor == "old" {
		return panel.TasksPage{}, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave"}
	}
	return panel.TasksPage{Tasks: []panel.TaskItem{f.task()}, NextCursor: "n1", Revision: 7, Warnings: []panel.Warning{}}, nil
}

func (f *fakePanel) Task(_ context.Context, p panel.TaskParams) (panel.TaskPage, error) {
	if p.Ref != taskRef("t/"+knownTask) {
		return panel.TaskPage{}, &panel.Error{Kind: panel.NotFound, Message: "there is no such task or message any more"}
	}
	return panel.TaskPage{
		Task: f.task(), Timeline: []panel.TaskEvent{}, Text: knownTask + "  Fix the timer\n  ``` not a fence\n", Rejected: []panel.RejectedItem{},
		Warnings: []panel.Warning{{Rule: "T10", Message: "a result while its predecessor is in review"}}, Revision: 7,
	}, nil
}

func (f *fakePanel) Issues(context.Context) (panel.IssuesPage, error) {
	return panel.IssuesPage{
		Issues: []panel.IssueItem{{
			Ref: taskRef("m/v"), Task: taskRef("t/" + knownTask), TaskID: knownTask, Path: "/r/a.go", Line: 87, Severity: "critical", Blocking: true,
			Time: 1772120327001, Markdown: "Hold the session.", Text: "Hold the *session*.",
		}},
		Revision: 7, Warnings: []panel.Warning{},
	}, nil
}
