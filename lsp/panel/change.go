package panel

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// ChangesParams are the params of signalbox/changes/list. They name an agent's thread, or the
// folder of a worktree as an AgentItem has it. With Branch that branch is compared, and not the
// files that are checked out.
type ChangesParams struct {
	Thread *Ref   `json:"thread,omitempty"`
	Folder string `json:"folder,omitempty"`
	Branch string `json:"branch,omitempty"`
}

// FilesOf groups changes by file and returns the files in the order of their paths, which are
// relative to the folder if they are below it.
func FilesOf(changes []FileChange, folder string) (list []ChangedFile) {
	at := make(map[string]int)
	for _, c := range changes {
		k, known := at[c.Path]
		if !known {
			k = len(list)
			at[c.Path] = k
			list = append(list, ChangedFile{Path: show.Line(Below(folder, c.Path))})
		}
		f := &list[k]
		f.Added, f.Removed = f.Added+c.Added, f.Removed+c.Removed
		f.Edits = append(f.Edits, FileEditRef{c.Message, c.Tool})
	}
	slices.SortStableFunc(list, func(a, b ChangedFile) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// Below returns a path relative to a folder, with slashes, or the path itself if it is not
// below the folder.
func Below(folder, path string) string {
	if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// ChangesPage is the result of signalbox/changes/list: at most 300 changed files, in the order
// of their paths. For a worktree these are all files that differ from the commit where its
// branch left the main branch, and files that agents edited which git ignores or which are
// outside of the worktree.
type ChangesPage struct {
	Root string `json:"root,omitempty"` // of the worktree: paths are relative to it
	Main string `json:"main,omitempty"` // the main branch, if there is one
	// Branches are other branches of the repository, newest commits first, at most 50.
	Branches []string      `json:"branches,omitempty"`
	Files    []ChangedFile `json:"files"`
	More     int           `json:"more,omitempty"` // files that are not listed
	Cut      bool          `json:"cut,omitempty"`  // older messages of a thread were not searched
}

// ChangeStatus says how a file changed.
type ChangeStatus string

// The kinds of a change, as in package worktree.
const (
	FileAdded    = ChangeStatus(worktree.Added)
	FileDeleted  = ChangeStatus(worktree.Deleted)
	FileModified = ChangeStatus(worktree.Modified)
)

// UnshownReason says why a text is not shown.
type UnshownReason string

// Why a text is not shown.
const (
	UnshownBinary     UnshownReason = "binary"
	UnshownLarge      UnshownReason = "large"      // more than 1 MiB
	UnshownLink       UnshownReason = "link"       // a symbolic link
	UnshownRepository UnshownReason = "repository" // a repository of its own
	UnshownName       UnshownReason = "name"       // its name contains invisible characters
	UnshownUnreadable UnshownReason = "unreadable"
)

// ChangedFile is a file that was changed. Its texts come from git, or pieces of them from an
// agent's edits.
type ChangedFile struct {
	Path   string       `json:"path"` // with slashes; absolute if it is not below the worktree
	Status ChangeStatus `json:"status,omitempty"`
	// Before and After name the old and the new text for signalbox/changes/text. If After is
	// empty and the file was not deleted, the new text is on disk.
	Before  string        `json:"before,omitempty"`
	After   string        `json:"after,omitempty"`   // the name of the new text
	Unshown UnshownReason `json:"unshown,omitempty"` // why its texts are not shown
	// Edits are changes by an agent, oldest first. signalbox/thread/diff returns the texts of
	// each. Added and Removed are the sums of their lines.
	Edits   []FileEditRef `json:"edits,omitempty"`
	Added   int           `json:"added,omitempty"`   // lines
	Removed int           `json:"removed,omitempty"` // lines
}

// FileEditRef identifies the change that a tool call of a message made.
type FileEditRef struct {
	Message Ref `json:"message"`
	Tool    int `json:"tool"` // the index of the call in the message
}

// ChangeTextParams are the params of signalbox/changes/text. Folder is one of ChangesParams,
// and Name is the Before or After of a ChangedFile.
type ChangeTextParams struct {
	Folder string `json:"folder" check:"given"`
	Name   string `json:"name" check:"given"`
}

// ChangeText is the result of signalbox/changes/text: a text, or the reason why it is not shown.
type ChangeText struct {
	Text    string        `json:"text"`
	Unshown UnshownReason `json:"unshown,omitempty"`
}

// FileChanges are changes to files in the newest messages of a thread, oldest first. Cut is set
// if older messages were not searched, and Unread if there was no time to search any.
type FileChanges struct {
	Changes     []FileChange
	Cut, Unread bool
}

// FileChange is one change to a file by a tool call, with the file's absolute path and how
// many lines were added and removed.
type FileChange struct {
	Path           string
	Added, Removed int
	Message        Ref
	Tool           int
}

// Checkout is a folder in which somebody works on a repository.
type Checkout struct {
	Path, Repository, Branch string
	// Gone is set if the folder no longer exists.
	Gone bool
}
