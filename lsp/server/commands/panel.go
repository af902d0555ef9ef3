package commands

import (
	"context"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Panel is what the commands ask. Methods run concurrently. Failures that a
// client can tell apart are a *[panel.Error].
type Panel interface {
	// Status describes aliases, directories and limits.
	Status(ctx context.Context) (panel.Status, error)
	// Inbox returns one page of threads.
	Inbox(ctx context.Context, p panel.InboxParams) (panel.InboxPage, error)
	// Search returns one page of the messages that a query finds.
	Search(ctx context.Context, p panel.SearchParams) (panel.SearchPage, error)
	// Thread returns one page of a thread's messages.
	Thread(ctx context.Context, p panel.ThreadParams) (panel.ThreadPage, error)
	// Resolve says what tokens stand for: one answer for each, in their order.
	Resolve(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error)
	// ComposeContext returns what a compose panel needs, and the draft of a reply.
	ComposeContext(ctx context.Context, p panel.ComposeParams) (panel.ComposeContext, error)
	// Send writes a message, once for each client token.
	Send(ctx context.Context, p panel.SendParams) (panel.Sent, error)
	// SetRead marks messages as read or unread.
	SetRead(ctx context.Context, p panel.ReadParams) (panel.Counts, error)
	// MarkMatching marks all threads as read that match a filter.
	MarkMatching(ctx context.Context, p panel.MarkParams) (panel.Marked, error)
	// ReplyTarget returns the newest message to the user from an alias, or from
	// anybody if from is empty. Without one the error is of kind NotFound.
	ReplyTarget(ctx context.Context, from string) (panel.Ref, error)
	// Shelve archives or snoozes threads of every format, or takes them back.
	Shelve(ctx context.Context, p panel.ShelveParams) (panel.Counts, error)
	// OpenAttachment makes a checked private copy of a file that came with a message.
	OpenAttachment(ctx context.Context, p panel.AttachmentParams) (panel.AttachmentFile, error)
	// SaveAttachment writes a checked copy where the user said.
	SaveAttachment(ctx context.Context, p panel.SaveParams) (panel.AttachmentFile, error)
	// Escalations returns one page of escalations, what is overdue and what was
	// rejected.
	Escalations(ctx context.Context, p panel.EscalationParams) (panel.EscalationPage, error)
	// RespondPreview says what an answer would write.
	RespondPreview(ctx context.Context, p panel.Response) (panel.RespondPreview, error)
	// Respond writes the admin's answer.
	Respond(ctx context.Context, p panel.RespondParams) (panel.Responded, error)
	// Ack writes the admin's ACK.
	Ack(ctx context.Context, p panel.AckParams) (panel.Responded, error)
	// Tasks returns one page of tasks.
	Tasks(ctx context.Context, p panel.TasksParams) (panel.TasksPage, error)
	// Task returns one page of a task's timeline.
	Task(ctx context.Context, p panel.TaskParams) (panel.TaskPage, error)
	// Issues lists what reviews found in files of the workspace.
	Issues(ctx context.Context) (panel.IssuesPage, error)
	// Locate says where tokens lead: one answer for each, in their order.
	Locate(ctx context.Context, tokens []string) ([]panel.Located, error)
	// References returns one page of the messages that mention a token.
	References(ctx context.Context, p panel.ReferenceParams) (panel.ReferencePage, error)
}
