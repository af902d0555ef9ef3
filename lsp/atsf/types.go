package atsf

import (
	"log/slog"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Item is a thread as a list shows it: from thread.json, or from the cache. It
// is shared and never changed once it was given out.
type Item struct {
	// Folder is the ID of the [Folder] that the thread stands in, and Name is the
	// name of its directory there. The two are its address (rule L2).
	Folder, Name string
	// Thread is what thread.json says, without Raw and Metadata, its texts
	// and findings cut to what a list can show. It is zero where Fault is set.
	Thread atsf.Thread
	// Fault is why thread.json cannot be read: an *[canon.Fault] or an error of
	// the disk. The messages can still be read, unless the fault is a
	// major version that has to be refused (V2).
	Fault error
	// Odd is of rule L2: threadId is not the directory's name.
	Odd *canon.Fault
	// Updated is in Unix milliseconds, for sorting: updatedAt, else createdAt,
	// else the time of the file.
	Updated int64
	// Gone is set where the worktree, or its .agent, is no longer there and that
	// the item is from the cache (rule X3).
	Gone bool
}

// Key is the address of a thread.
type Key struct{ Folder, Name string }

// Folder is a place that threads stand in, or can: a workspace folder, a
// checkout of its repository, or one that there was.
type Folder struct {
	// ID is made of Path, as [FolderID] does.
	ID, Path string
	// Repository is git's common directory, which all checkouts of one
	// repository share, or empty.
	Repository string
	// Branch is the short name of what is checked out and Head the commit.
	// For a folder that is gone both are as they were last.
	Branch, Head string
	// Main tells the repository's main checkout and Git that git knows the
	// folder as a checkout, or as the place of a Bare repository.
	Main, Git, Bare bool
	// Gone is set where the folder is no longer there.
	Gone bool
	// Agent is set where the folder holds an .agent directory.
	Agent bool
	// Threads is the number of items, those that are gone included.
	Threads int
	// Err is why the folder's threads cannot be listed.
	Err error
	// Problems is what else is wrong in the folder.
	Problems []Problem
}

// Problem is something that the user should know, in words. Its path may be absolute.
type Problem = follow.Problem

// Snapshot is what there was at one moment. It is never changed; what it holds
// is shared.
type Snapshot struct {
	// Folders: one repository after the other, in the order of the workspace;
	// its main checkout first, then the others by branch, then those that are
	// gone.
	Folders []Folder
	// Items: newest first, by Updated, then Name, then Folder, all descending, as
	// the inbox has it.
	Items []*Item
	// Problems belong to no folder.
	Problems []Problem
	// Watching is [follow.Notify], [follow.Partly] or [follow.Poll].
	Watching string
	// Ready is false before everything was looked at for the first time.
	Ready bool
	// Revision grows with every change.
	Revision int64
}

// Config says where threads are looked for.
type Config struct {
	// Folders are the workspace's. The repositories that they stand in, with
	// all worktrees, are found from them.
	Folders []string
	// Inside has nothing looked for outside of Folders: neither repositories nor worktrees.
	Inside bool
	// StateDir is where the cache lies. Without one there is no cache.
	StateDir string
	// Poll is how often everything is looked at, even if the system reported
	// nothing. 0 means [follow.DefaultPoll].
	Poll time.Duration
	// Once has nothing followed, as [follow.Config] says.
	Once bool
	// Logger gets what goes wrong; nil discards it.
	Logger *slog.Logger
	// Changed is called after every change, never concurrently, and must not
	// block. Before it is called the change can be read.
	Changed func(Change)
}

// Change says what is new in a live store.
type Change struct {
	Revision int64
	// Threads names at most 100 threads that changed, came or went. Truncated is
	// set where there were more.
	Threads   []Key
	Truncated bool
	// Folders is set where folders, branches or problems changed.
	Folders bool
}

// maxChanged is the number of threads that a [Change] names.
const maxChanged = 100
