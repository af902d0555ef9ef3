package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Source is one format. It opens and follows the stores of that format and describes their
// content in the panels' common types. The panels use a format only through its source. Every
// source passes lsp/panel/sourcetest.
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
	// View returns what the source holds now. It reads no messages.
	View(context.Context, *Shelf) View
}

// Format identifies a format and says what its threads are called.
type Format struct {
	// Protocol is the protocol of every ref that the source returns, and of no other
	// source's refs.
	Protocol mail.Protocol
	// Thread is what a thread of the format is called, with its article: "an agent's
	// own thread".
	Thread string
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
	// Named is the alias that a folder or session names, used if Given is empty. It chooses no
	// key.
	Named environ.Choice
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
	// Groups returns the groups of the source's threads. They count the threads that Archived,
	// Snoozed and Everywhere of the filter select. Groups with the same ID are added up over
	// all sources.
	Groups(*InboxFilter) []Group
	// Counts returns the numbers of unread messages, of threads that need a reply and of
	// threads that ask something, in the inbox.
	Counts() Counts
	// Problems returns the warnings about the stores that a list of threads shows.
	Problems() []Warning
	// Status adds the source's part of the status: the open stores, whether they are
	// still being read for the first time, and their problems.
	Status(*Status)

	// Heads returns the threads that a query asks for, in its order, and whether
	// there are more. See [HeadList] for stores that have all threads in memory.
	Heads(*HeadQuery) (heads []Head, more bool)
	// Items describes the threads of heads that the view returned, in their order.
	Items(heads []Head) []ThreadItem
	// Thread returns one page of a thread as signalbox/thread/get does; q.Side is empty.
	Thread(ctx context.Context, q ThreadParams) (Page, error)
	// Cursor returns the cursor of the message that a ref names. A page before or after
	// the message starts from it.
	Cursor(Ref) (cursor string, ok bool)
	// Name returns the name under which mail in another format mentions a thread.
	Name(Ref) (string, error)
	// ShelfKey returns the shelf's key of a thread, or of a message's thread, and the
	// messages to the user that the thread holds.
	ShelfKey(Ref) (key shelf.Key, mail shelf.Mail, err error)

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
