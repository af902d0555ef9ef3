package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// Source is one format. It opens and follows the stores of that format and describes
// what they hold in the panels' common types. The panels know a format only through its
// source. Every source passes lsp/panel/source/sourcetest.
//
// A source may be called from several goroutines.
type Source interface {
	// Format returns the format that the source serves.
	Format() Format
	// Configure opens the stores that the settings and folders name, keeps those that
	// are open already and closes the rest. It returns before they are read. Calls
	// never overlap.
	Configure(Setup)
	// Close stops following the stores. The source then holds nothing.
	Close()
	// Sync waits until the next view holds everything that was on disk when Sync was
	// called.
	Sync(context.Context) error
	// View returns what the source knows now. It reads no messages.
	View(context.Context, *Shelf) View
}

// Format identifies a format and names its threads.
type Format struct {
	// Protocol is the protocol of every ref that the source returns, and of no other
	// source's refs.
	Protocol mail.Protocol
	// Thread is what a thread of the format is called, with its article: "an agent's
	// own thread".
	Thread string
}

// NewSource returns a new source with nothing open.
type NewSource func(Host) Source

// Host is what a source gets from the panels.
type Host struct {
	// Options are what the panels were opened with: flags, clock and log.
	Options *Options
	// Changed is called by the source after every change. The source must not call it
	// from Configure or Close.
	Changed func(SourceChange)
}

// SourceChange describes a change in a source.
type SourceChange struct {
	// Kinds are the kinds of [Change]. If there are none, the client has nothing to
	// fetch.
	Kinds []string
	// Threads are the threads that changed. Truncated is set if there were more.
	Threads   []Ref
	Truncated bool
	// Status is set if the result of [View.Status] changed.
	Status bool
}

// Setup tells [Source.Configure] what to open.
type Setup struct {
	// Env is the process's environment, with the first folder as its working directory.
	Env      environ.Env
	Settings Settings
	// Given is the alias that a flag or the settings name, or empty.
	Given environ.Choice
	// Folders are the workspace's folders, or only the working directory if the
	// workspace has none.
	Folders []string
	// Workspace is set if Folders are the workspace's own.
	Workspace bool
}

// View is what a source holds at one moment. It is made for one request and used by one
// goroutine, so it may keep what it computes.
//
// A view sanitizes strangers' text with lsp/panel/show or core/render before it returns
// it. An error whose kind a client needs is an [*Error].
type View interface {
	// Groups returns the groups of the source's threads. Their counts hold the threads
	// that the filter leaves. Groups with the same ID are added up over all sources.
	Groups(*InboxFilter) []Group
	// Counts returns the unread messages and waiting threads in the inbox.
	Counts() Counts
	// Problems returns the warnings about the stores that a list of threads shows.
	Problems() []Warning
	// Status adds the source's part of the status: the open stores, whether they are
	// still being read for the first time, and their problems.
	Status(*Status)

	// Heads returns the threads that a query asks for, in its order, and whether
	// there are more. See [HeadList] for stores that have all threads in memory.
	Heads(*HeadQuery) (heads []Head, more bool)
	// Items describes threads by heads that the view gave, in their order.
	Items(heads []Head) []ThreadItem
	// Thread returns one page of a thread as [Panels.Thread] does; q.Side is empty.
	Thread(ctx context.Context, q ThreadParams) (Page, error)
	// Cursor returns the cursor of the message that a ref names. A page before or after
	// the message starts from it.
	Cursor(Ref) (cursor string, ok bool)
	// Name returns the name under which mail in another format mentions a thread.
	Name(Ref) (string, error)
	// ShelfKey returns the shelf's key of a thread, or of a message's thread, and how
	// many messages to the user the thread holds.
	ShelfKey(Ref) (key shelf.Key, mail int, err error)

	// Find returns what a token stands for when looked up in one way, or nil.
	Find(ctx context.Context, by Lookup, token string) *Target
	// Knows reports whether Find would find something, as far as the view can tell
	// without reading many files. It is called for thousands of tokens.
	Knows(ctx context.Context, token string) bool
	// Complete adds the completions of a word.
	Complete(context.Context, *Completing)
	// Searches returns a search for each store that may hold what a query looks for.
	// The number is the largest number of hits that each returns.
	Searches(*query.Query, int) []Search
}

// Page is one page of a thread as its source returns it. The panels add the revision
// and the threads of other formats.
type Page struct {
	ThreadPage
	// Names are the names that related threads of other formats may have.
	Names []string
}

// The optional parts of a view. A view leaves out what its format does not have.
type (
	// Relative is a view whose threads may be related to threads of other formats.
	Relative interface {
		// Named returns the threads that go by a name, at most that many.
		Named(name string, most int) []ThreadLink
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
	// Recorded is a view of threads that hold changes to files and images.
	Recorded interface {
		Diff(context.Context, DiffParams) (Diff, error)
		Asset(context.Context, AssetParams) (Asset, error)
	}
	// Tasked is a view of tasks that agents work on, with their escalations and the
	// admin's answers. Heads need not list its threads.
	Tasked interface {
		// Alarming returns how many critical escalations are open, and how much is
		// overdue that nobody escalated.
		Alarming() (critical, overdue int)
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
		// TaskMessages returns the other messages of m's task, as [diagnose.Stores]
		// says.
		TaskMessages(path string, m *agn.Message) []agn.Message
	}
	// CheckedOut is a view of threads that are kept in checkouts of repositories.
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
	// Suspecting is a view that holds messages which may be forged.
	Suspecting interface {
		// Suspects returns how many they are.
		Suspects() int
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
		// [diagnose.Stores] says.
		MessageDirectory(path string) diagnose.MessageDirectory
	}
	// Marker is a view of mail that is read or unread.
	Marker interface {
		// SetRead marks messages of the view as read or unread. A thread's ref stands
		// for all its messages to the user. With watermark it also updates the
		// watermark on disk, if the format has one.
		SetRead(ctx context.Context, refs []Ref, read, watermark bool) error
	}
	// Archiver is a view of mail that the user can archive where other programs see it
	// too. Archived threads without mail to the user are on the shelf only.
	Archiver interface {
		// Archive archives messages to the user, or takes them out of the archive. A
		// thread's ref stands for all its messages to the user.
		Archive(ctx context.Context, refs []Ref, archived bool) error
		// Archived reports whether all messages of a thread to the user are archived.
		Archived(Ref) bool
	}
	// Signed is a view of signed mail, which may come with files.
	Signed interface {
		// Trust returns the trust in a message, as [diagnose.Stores] says.
		Trust(path string, m *amp.Message) (t amp.Trust, ok bool)
		// Attachment copies a file that came with a message to the path that dest
		// returns for the file's name.
		Attachment(ctx context.Context, q AttachmentParams, dest func(name string) string) (AttachmentFile, error)
	}
	// Writer is a view of mail that the user can send.
	Writer interface {
		// Compose adds what a compose panel offers for this format and, unless reply is
		// nil, the draft of a reply to the message or thread of the view that it names.
		// It may replace what earlier views added.
		Compose(ctx context.Context, c *ComposeContext, reply *Ref) error
		// Takes reports whether a draft is mail of this format.
		Takes(*Draft) bool
		// Preview and Send do what [Panels.ComposePreview] and [Panels.Send] do.
		Preview(context.Context, Draft) (ComposePreview, error)
		Send(context.Context, SendParams) (Sent, error)
	}
)

// Checkout is a folder in which somebody works on a repository.
type Checkout struct {
	Path, Repository, Branch string
	// Gone is set if the folder no longer exists.
	Gone bool
}

// view is a source's view with its format.
type view struct {
	View
	Format
}

// setSources makes the sources. It is called once.
func (p *Panels) setSources() {
	for _, open := range p.opt.Sources {
		p.sources = append(p.sources, open(Host{Options: &p.opt, Changed: p.announce}))
	}
}

// views returns what all sources hold now.
func (p *Panels) views(ctx context.Context, away *Shelf) []view {
	list := make([]view, 0, len(p.sources))
	for _, s := range p.sources {
		list = append(list, view{s.View(ctx, away), s.Format()})
	}
	return list
}

// viewsNow returns the views of all sources with the current shelf.
func (p *Panels) viewsNow(ctx context.Context) []view { return p.views(ctx, p.shelfNow()) }

// viewOf returns the current view of the source that a ref belongs to, or nil if no
// source has the ref's protocol.
func (p *Panels) viewOf(ctx context.Context, r Ref) View {
	for _, s := range p.sources {
		if s.Format().Protocol == r.Protocol {
			return s.View(ctx, p.shelfNow())
		}
	}
	return nil
}

// viewIn returns the view that a ref belongs to, or nil.
func viewIn(views []view, r Ref) View {
	for _, v := range views {
		if v.Protocol == r.Protocol {
			return v.View
		}
	}
	return nil
}

// eachView calls do for every view that some of the refs belong to, with these refs.
func eachView(views []view, refs []Ref, do func(v View, own []Ref) error) error {
	for _, v := range views {
		var own []Ref
		for _, r := range refs {
			if r.Protocol == v.Protocol {
				own = append(own, r)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := do(v.View, own); err != nil {
			return err
		}
	}
	return nil
}

// writerOf returns the view that takes a draft, or nil if none does.
func (p *Panels) writerOf(ctx context.Context, d *Draft) Writer {
	for _, v := range p.viewsNow(ctx) {
		if w, ok := v.View.(Writer); ok && w.Takes(d) {
			return w
		}
	}
	return nil
}

// composeAll adds to c what every view that can send offers, and reports whether one of
// them drafted the reply to ref.
func composeAll(ctx context.Context, views []view, c *ComposeContext, ref *Ref) (replied bool, err error) {
	for _, v := range views {
		w, ok := v.View.(Writer)
		if !ok {
			continue
		}
		var reply *Ref
		if ref != nil && ref.Protocol == v.Protocol {
			reply, replied = ref, true
		}
		if err := w.Compose(ctx, c, reply); err != nil {
			return replied, err
		}
	}
	return replied, nil
}

// refuse returns the error of kind Unsupported for a request that the format does not
// serve.
func (v *view) refuse() error {
	if _, ok := v.View.(Marker); ok {
		return &Error{Kind: Unsupported, Message: v.Format.Thread + " holds nothing of the kind"}
	}
	return &Error{Kind: Unsupported, Message: v.Format.Thread + " is read only here: it has no read marks and takes no mail"}
}

// announce raises the revision and sends a source's change to the client. It does
// nothing once the panels are closed.
func (p *Panels) announce(c SourceChange) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.revision++
	change := Change{Revision: p.revision, Kinds: c.Kinds, Refs: c.Threads, Truncated: c.Truncated}
	p.mu.Unlock()
	if len(c.Kinds) > 0 {
		if change.Refs == nil {
			change.Refs = []Ref{}
		}
		p.countInto(&change)
		p.opt.Changed(change)
	}
	if c.Status {
		p.opt.StatusChanged(p.status())
	}
}
