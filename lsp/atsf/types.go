package atsf

import (
	"log/slog"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Item is a thread as a list shows it, read from thread.json or from the cache. It is shared
// and never changed after it is returned.
type Item struct {
	// Folder is the ID of the thread's [Folder], and Name the name of its directory there.
	// Together they are its address (rule L2).
	Folder, Name string
	// Thread is the content of thread.json, without Raw and Metadata, its texts and findings cut
	// to what a list can show. It is zero if Fault is set.
	Thread atsf.Thread
	// Fault is the reason why thread.json cannot be read: an *[canon.Fault] or an error of the
	// disk. The messages can still be read, unless the fault is a major version that must be
	// refused (V2).
	Fault error
	// Odd is a fault of rule L2: threadId is not the directory's name.
	Odd *canon.Fault
	// Updated is in Unix milliseconds, for sorting: the first that is set of updatedAt, createdAt
	// and the file's time.
	Updated int64
	// Gone is set if the worktree or its .agent no longer exists, so that the item is from the
	// cache (rule X3).
	Gone bool
}

// Key is the address of a thread.
type Key struct{ Folder, Name string }

// Folder is a folder that may hold threads: a workspace folder, a checkout of its repository,
// or a former one.
type Folder struct {
	// ID is derived from Path by [FolderID].
	ID, Path string
	// Repository is git's common directory, which all checkouts of one
	// repository share, or empty.
	Repository string
	// Branch is the short name of what is checked out, and Head the commit. A folder that is gone
	// has the last known ones.
	Branch, Head string
	// Main is set for the repository's main checkout. Git is set if git lists the folder as a
	// checkout, or as the place of a Bare repository.
	Main, Git, Bare bool
	// Gone is set if the folder no longer exists.
	Gone bool
	// Agent is set if the folder holds an .agent directory.
	Agent bool
	// Threads is the number of items, including those that are gone.
	Threads int
	// Err is the reason why the folder's threads cannot be listed.
	Err error
	// Problems are the folder's other problems.
	Problems []Problem
}

// Problem is something that the user should know. Its path may be absolute.
type Problem = follow.Problem

// Snapshot is the state at one moment. It is never changed; its parts are shared.
type Snapshot struct {
	// Folders are ordered by repository, in the order of the workspace. Within a repository the
	// main checkout is first, then the others by branch, then those that are gone.
	Folders []Folder
	// Items are ordered newest first: by Updated, then Name, then Folder, all descending, as in
	// the inbox.
	Items []*Item
	// Problems are those of no particular folder.
	Problems []Problem
	// Watching is [follow.Notify], [follow.Partly] or [follow.Poll].
	Watching string
	// Ready is set after the first complete look.
	Ready bool
	// Revision grows with every change.
	Revision int64
}

// Config sets where threads are searched for.
type Config struct {
	// Folders are the workspace's folders. Their repositories are found from them, with all
	// worktrees.
	Folders []string
	// Inside means that nothing outside Folders is searched: no repositories and no worktrees.
	Inside bool
	// StateDir holds the cache. If it is empty, there is no cache.
	StateDir string
	// Poll is how often everything is looked at, even if the system reported no change. 0 means
	// [follow.DefaultPoll].
	Poll time.Duration
	// Once means that nothing is followed; see [follow.Config].
	Once bool
	// Logger receives failures; nil discards them.
	Logger *slog.Logger
	// Changed is called after every change, when the change can be read. It is never called
	// concurrently, and must not block.
	Changed func(Change)
}

// Change describes what changed in a live store.
type Change struct {
	Revision int64
	// Threads lists at most 100 threads that changed, appeared or disappeared. Truncated is set if
	// there were more.
	Threads   []Key
	Truncated bool
	// Folders is set if folders, branches or problems changed.
	Folders bool
}

// maxChanged is the largest number of threads in a [Change].
const maxChanged = 100
