package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// Source is one format: it opens and follows the stores of that format and describes
// what they hold in the panels' common words. The panels know a format by its source
// alone. Every source passes lsp/panel/source/sourcetest.
//
// A source may be called from several goroutines.
type Source interface {
	// Format says which format it is.
	Format() Format
	// Configure opens what the settings and folders name, keeps what is open already
	// and closes the rest. It does not wait for anything to be read. It is never
	// called twice at a time.
	Configure(Setup)
	// Close stops following. The source then holds nothing.
	Close()
	// Sync waits until the next view holds what was on disk when it was called.
	Sync(context.Context) error
	// View returns what is known now. It reads no messages.
	View(context.Context, *Shelf) View
}

// Format is what the panels need to know of a format by itself.
type Format struct {
	// Protocol is in all refs that the source gives, and in no others.
	Protocol mail.Protocol
	// Thread words a thread of it with its article: "an agent's own thread".
	Thread string
}

// NewSource makes a source that has nothing open yet.
type NewSource func(Host) Source

// Host is what a source gets from the panels.
type Host struct {
	// Options are what the panels were opened with: flags, clock and log.
	Options *Options
	// Changed is told of every change. It must not be called from Configure or Close.
	Changed func(SourceChange)
}

// SourceChange is what changed in a source.
type SourceChange struct {
	// Kinds are as in [Change]; without one the client need not fetch anything.
	Kinds []string
	// Threads are those that changed, and Truncated says that there were more.
	Threads   []Ref
	Truncated bool
	// Status is set if what [View.Status] says changed.
	Status bool
}

// Setup is what [Source.Configure] opens by.
type Setup struct {
	// Env is the process's, with the first folder as its working directory.
	Env      store.Env
	Settings Settings
	// Given is the alias that a flag or the settings name, or is empty.
	Given store.Choice
	// Folders are the workspace's or, without any, the working directory alone.
	Folders []string
	// Workspace is set if Folders are the workspace's.
	Workspace bool
}

// View is what a source holds at one moment. It is made for one request: it is used
// by one goroutine and may keep what it computes.
//
// Text of strangers goes through lsp/panel/show or core/render before it is returned.
// An error that a client is to tell apart is an [*Error].
type View interface {
	// Groups are those that the source's threads stand under, with what the filter
	// leaves of them in the counts. Groups of one ID are added up over all sources.
	Groups(*InboxFilter) []Group
	// Counts are what is unread and what waits for the user in the inbox.
	Counts() Counts
	// Problems is what a list of threads says about their stores.
	Problems() []Warning
	// Status adds what the status says of the stores: what is open, whether it is
	// still being read for the first time, and the problems.
	Status(*Status)

	// Heads returns the threads that a query asks for, in its order, and whether
	// there are more. See [HeadList] for stores that have all threads in memory.
	Heads(*HeadQuery) (heads []Head, more bool)
	// Items describes threads by heads that the view gave, in their order.
	Items(heads []Head) []ThreadItem
	// Thread returns one page of a thread as [Panels.Thread] does; q.Side is empty.
	Thread(ctx context.Context, q ThreadParams) (Page, error)
	// Cursor returns the cursor of the message that a ref names: a page before or
	// after it goes on from there.
	Cursor(Ref) (cursor string, ok bool)
	// Name returns the name by which mail in another format speaks of a thread.
	Name(Ref) (string, error)
	// ShelfKey returns under which key a thread, or the thread of a message, is put
	// away, and how many messages to the user it holds.
	ShelfKey(Ref) (key shelf.Key, mail int, err error)

	// Find returns what goes by a token, or nil.
	Find(ctx context.Context, by Lookup, token string) *Target
	// Knows reports whether Find would find something, as far as that is known without
	// reading many files. It is asked for thousands of tokens.
	Knows(ctx context.Context, token string) bool
	// Complete adds the ways in which a word goes on.
	Complete(context.Context, *Completing)
	// Searches returns a search of each store that may hold what a query looks for.
	Searches(*query.Query, int) []Search
}

// Page is one page of a thread as its source gives it. The panels add the revision
// and the threads of other formats.
type Page struct {
	ThreadPage
	// Names are what threads of other formats about the same may be called.
	Names []string
}

// The parts that a view may have besides. A view that lacks one says by that that the
// format knows no such thing.
type (
	// Relative is a view whose threads may be about what threads of other formats
	// name.
	Relative interface {
		// Named returns the threads that go by a name, at most that many.
		Named(name string, most int) []ThreadLink
	}
	// Symbolic is a view whose threads are files that an editor opens.
	Symbolic interface {
		// Symbols returns the newest threads whose names match.
		Symbols(match func(names ...string) bool, limit int) []Symbol
	}
	// Referring is a view whose messages mention others.
	Referring interface {
		// References returns messages that mention a token, in an order of its own.
		References(context.Context, *ReferenceQuery) (ReferenceList, error)
	}
	// Recorded is a view of threads that hold changes to files, and images.
	Recorded interface {
		Diff(context.Context, DiffParams) (Diff, error)
		Asset(context.Context, AssetParams) (Asset, error)
	}
	// Tasked is a view of tasks that agents work on: what they escalate, and what the
	// admin answers. Its threads may be in no list of heads.
	Tasked interface {
		// Alarming counts the open critical escalations, and what is overdue although
		// nobody escalated it.
		Alarming() (critical, overdue int)
		// Tasks, Task and Escalations return pages without a revision.
		Tasks(TasksParams) (TasksPage, error)
		Task(TaskParams) (TaskPage, error)
		Escalations(EscalationParams) (EscalationPage, error)
		// Issues places what reviews found in the checkouts that are open.
		Issues(context.Context, []Checkout) (IssuesPage, error)
		RespondPreview(Response) (RespondPreview, error)
		Respond(context.Context, RespondParams) (Responded, error)
		Ack(context.Context, AckParams) (Responded, error)
		// TaskMessages answers as [diagnose.Stores] says.
		TaskMessages(path string, m *agn.Message) []agn.Message
	}
	// CheckedOut is a view of threads that stand in checkouts of repositories.
	CheckedOut interface {
		Checkouts() []Checkout
	}
	// Indexed is a view of stores whose index takes a while to be complete.
	Indexed interface {
		// Settle waits until each store was read once.
		Settle(context.Context) error
		// LongName returns the name of a thread that is too long for a ref or cursor, by
		// its [mail.Digest].
		LongName(digest string) (name string, ok bool)
	}
	// Suspecting is a view that holds messages which may be forged.
	Suspecting interface {
		// Suspects counts them.
		Suspects() int
		// Suspicious returns at most limit of them that a filter asks for, each as a
		// thread of its own.
		Suspicious(f *InboxFilter, limit int) []ThreadItem
	}
	// Answering is a view of mail that can be answered without saying which.
	Answering interface {
		// Newest returns the newest message to the user, from a sender if one is given.
		Newest(ctx context.Context, from string) (Ref, error)
	}
	// Logged is a view of the directories of SAMP logs.
	Logged interface {
		// MessageDirectory is as [diagnose.Stores] has it.
		MessageDirectory(path string) diagnose.MessageDirectory
	}
	// Marker is a view of mail, which the user has read or not.
	Marker interface {
		// SetRead marks messages of the view as read or unread. A thread stands for all
		// its messages to the user. With watermark, the watermark on disk moves too,
		// where the format has one.
		SetRead(ctx context.Context, refs []Ref, read, watermark bool) error
	}
	// Writer is a view of mail, which the user can send.
	Writer interface {
		// Compose adds what a compose panel offers for this format and, unless reply is
		// nil, the draft of a reply to the message or thread of the view that it names.
		Compose(ctx context.Context, c *ComposeContext, reply *Ref) error
		// Takes reports whether a draft is mail of this format.
		Takes(*Draft) bool
		// Preview and Send are as [Panels.ComposePreview] and [Panels.Send].
		Preview(context.Context, Draft) (ComposePreview, error)
		Send(context.Context, SendParams) (Sent, error)
	}
)

// Outlining is a source that recognises a file with one message of its format.
type Outlining interface {
	// Outline returns what the message is called, which is not sanitized, and its
	// time. It is asked for any text that may be JSON.
	Outline(text string) (name string, time int64, ok bool)
}

// Checkout is a folder in which somebody works on a repository.
type Checkout struct {
	Path, Repository, Branch string
	// Gone is set if the folder is no longer there.
	Gone bool
}

// view is a source's view with its format.
type view struct {
	View
	Format
}

// setSources makes the sources, once.
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

// viewsNow is views with the shelf as it is now.
func (p *Panels) viewsNow(ctx context.Context) []view { return p.views(ctx, p.shelfNow()) }

// viewOf returns what the source of a ref holds now, or nil if the format has none.
func (p *Panels) viewOf(ctx context.Context, r Ref) View {
	for _, s := range p.sources {
		if s.Format().Protocol == r.Protocol {
			return s.View(ctx, p.shelfNow())
		}
	}
	return nil
}

// writerOf returns the view that takes a draft, or nil.
func (p *Panels) writerOf(ctx context.Context, d *Draft) Writer {
	for _, v := range p.viewsNow(ctx) {
		if w, ok := v.View.(Writer); ok && w.Takes(d) {
			return w
		}
	}
	return nil
}

// composeAll asks all views that take mail what a compose panel offers, and reports
// whether one of them made the draft of a reply.
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

// setRead marks the messages of sources as read or unread, and returns the refs of
// formats that have no source. The sources of the others are Markers.
func setRead(ctx context.Context, views []view, refs []Ref, read, watermark bool) (left []Ref, err error) {
	for _, v := range views {
		var own []Ref
		left = nil
		for _, r := range refs {
			if r.Protocol == v.Protocol {
				own = append(own, r)
			} else {
				left = append(left, r)
			}
		}
		refs = left
		if len(own) == 0 {
			continue
		}
		if err := v.View.(Marker).SetRead(ctx, own, read, watermark); err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// marks reports whether messages of a format can be marked as read.
func marks(views []view, p mail.Protocol) bool {
	return slices.ContainsFunc(views, func(v view) bool {
		_, ok := v.View.(Marker)
		return ok && v.Protocol == p
	})
}

// refuse says that a format cannot be asked for something.
func (v *view) refuse() error {
	if _, ok := v.View.(Marker); ok {
		return &Error{Kind: Unsupported, Message: v.Format.Thread + " holds nothing of the kind"}
	}
	return &Error{Kind: Unsupported, Message: v.Format.Thread + " is read only here: it has no read marks and takes no mail"}
}

// announce turns a change of a source into the client's.
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
