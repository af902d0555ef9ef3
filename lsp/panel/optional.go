package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/check"
)

// The optional parts of a view. A view leaves out what its format does not have.
type (
	// Relative is a view whose threads may be related to threads of other formats.
	Relative interface {
		// Named returns the threads that have a name, at most limit.
		Named(name string, limit int) []ThreadLink
	}
	// Routed is a view of mail, whose messages have a sender and a receiver.
	Routed interface {
		// Routes returns who wrote to whom in a thread, oldest message first. A message's
		// ref stands for its thread, or only for the message if alone is set.
		Routes(ctx context.Context, r Ref, alone bool) ([]Route, error)
	}
	// Symbolic is a view whose threads an editor can open as files.
	Symbolic interface {
		// Symbols returns the newest threads whose names match, at most limit.
		Symbols(match func(names ...string) bool, limit int) []Symbol
	}
	// Referring is a view whose messages may mention others.
	Referring interface {
		// References returns messages that mention a token, in an order of its own.
		References(context.Context, *ReferenceQuery) (ReferenceList, error)
	}
	// Recorded is a view of threads that contain changes to files and images.
	Recorded interface {
		Diff(context.Context, DiffParams) (Diff, error)
		Asset(context.Context, AssetParams) (Asset, error)
		// FileEdits returns the changes to a file, by its absolute path.
		FileEdits(ctx context.Context, file string) []FileEdit
	}
	// Tasked is a view of tasks that agents work on, with their escalations and the
	// admin's answers. Heads need not list its threads.
	Tasked interface {
		Alarming() Alarms
		// Tasks, Task and Escalations return pages without a revision, which the panels
		// add.
		Tasks(TasksParams) (TasksPage, error)
		Task(TaskParams) (TaskPage, error)
		Escalations(EscalationParams) (EscalationPage, error)
		// Issues returns what reviews found, placed in the files of the open checkouts.
		Issues(context.Context, []Checkout) (IssuesPage, error)
		RespondPreview(Response) (RespondPreview, error)
		Respond(context.Context, RespondParams) (Responded, error)
		Ack(context.Context, AckParams) (Responded, error)
		// TaskMessages returns the other messages of m's task, as [check.Stores]
		// says.
		TaskMessages(path string, m *agn.Message) []agn.Message
	}
	// CheckedOut is a view of threads that are stored in checkouts of repositories.
	CheckedOut interface {
		Checkouts() []Checkout
	}
	// Indexed is a view of stores whose first reading takes a while.
	Indexed interface {
		// Settle waits until each store was read once.
		Settle(context.Context) error
		// LongName returns the name of a thread that is too long for a ref or cursor, by
		// its [mail.Digest].
		LongName(digest string) (name string, ok bool)
	}
	// Starting is a view of stores that may have nothing to show only because they were
	// just opened.
	Starting interface {
		// Begun waits until each store has something to show, or is known to have nothing.
		Begun(context.Context)
	}
	// Everywhere is a view that also finds sessions outside of the opened folders.
	Everywhere interface {
		// Everywhere returns the sessions of all repositories on this machine that contain a
		// text, and the groups that they are in. The text is in lower case. Clients can open
		// the threads that the newest call returned.
		Everywhere(ctx context.Context, text string) ([]ThreadItem, []Group, error)
	}
	// AgentThreads is a view of agents' own threads.
	AgentThreads interface {
		// Recent returns threads that changed within a day, newest first, without the threads
		// of subagents. There may be more than it returns.
		Recent() []ThreadItem
		// Changes returns the changes to files in the newest messages of a thread.
		Changes(ctx context.Context, r Ref) FileChanges
	}
	// Suspecting is a view of mail in which messages may be forged.
	Suspecting interface {
		// SuspiciousCount returns how many messages may be forged.
		SuspiciousCount() int
		// Suspicious returns the suspicious messages that a filter asks for, at most
		// limit, each as a thread of its own.
		Suspicious(f *InboxFilter, limit int) []ThreadItem
	}
	// Answering is a view of mail that can be answered without naming a message.
	Answering interface {
		// Newest returns the newest message to the user, from the sender from if it is
		// not empty.
		Newest(ctx context.Context, from string) (Ref, error)
	}
	// Logged is a view of the directories of SAMP logs.
	Logged interface {
		// MessageDirectory returns the open directory of the log at path, as
		// [check.Stores] says.
		MessageDirectory(path string) check.MessageDirectory
	}
	// Marker is a view of mail that is read or unread.
	Marker interface {
		// SetRead marks messages of the view as read or unread. A thread's ref stands
		// for all its messages to the user. With watermark it also updates the
		// watermark on disk, if the format has one.
		SetRead(ctx context.Context, refs []Ref, read, watermark bool) error
		// Unread returns the unread messages to the user in a thread, or none if it is
		// not there.
		Unread(Ref) []Ref
	}
	// Archiver is a view of mail that the user can archive in a place that other programs also
	// see. Archived threads without mail to the user are only on the shelf.
	Archiver interface {
		// Archive archives messages to the user, or takes them out of the archive. A
		// thread's ref stands for all its messages to the user.
		Archive(ctx context.Context, refs []Ref, archived bool) error
		// Archived reports whether all messages of a thread to the user are archived.
		Archived(Ref) bool
	}
	// Delivering is a view of mail that agents read in the stores that the user reads.
	Delivering interface {
		// UnreadOf returns how many messages an agent has not read. It may read many files.
		UnreadOf(ctx context.Context, alias string) (int, error)
	}
	// Signed is a view of signed mail, which may come with files.
	Signed interface {
		// Trust returns the trust in a message, as [check.Stores] says.
		Trust(path string, m *amp.Message) (t amp.Trust, ok bool)
		// Attachment copies a file that came with a message to the path that dest
		// returns for the file's name.
		Attachment(ctx context.Context, q AttachmentParams, dest func(name string) string) (AttachmentFile, error)
	}
	// Writer is a view of mail that the user can send.
	Writer interface {
		// Compose adds to c what a compose panel offers for this format and, unless reply is
		// nil, the draft of a reply to the message or thread that reply names. It may replace
		// what earlier views added.
		Compose(ctx context.Context, c *ComposeContext, reply *Ref) error
		// Takes reports whether a draft is mail of this format.
		Takes(*Draft) bool
		// Preview and Send do what signalbox/compose/preview and signalbox/message/send do.
		Preview(context.Context, Draft) (ComposePreview, error)
		Send(context.Context, SendParams) (Sent, error)
	}
)

// Alarms count the escalations that are open, the critical ones among them, and the tasks
// with something overdue that nobody escalated.
type Alarms struct{ Open, Critical, Overdue int }

// Route is who wrote to whom.
type Route struct{ From, To string }
