package panel

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// ChangesParams are the params of signalbox/changes/list: an agent's thread, or a folder of a
// work tree, as an AgentItem names it, and there a branch in place of what is checked out.
type ChangesParams struct {
	Thread *Ref   `json:"thread,omitempty"`
	Folder string `json:"folder,omitempty"`
	Branch string `json:"branch,omitempty"`
}

// FilesOf returns the files that were changed in a folder, in the order of their paths.
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

// ChangesPage is the result of signalbox/changes/list: at most 300 files that were changed, in
// the order of their paths. Of a work tree they are all that differs from where its branch left
// the main branch, and what agents edited there that git ignores or that lies elsewhere.
type ChangesPage struct {
	Root string `json:"root,omitempty"` // of the work tree: paths are relative to it
	Main string `json:"main,omitempty"` // the main branch, where there is one
	// Branches are other branches of the repository, those with the newest commits first, at
	// most 50.
	Branches []string      `json:"branches,omitempty"`
	Files    []ChangedFile `json:"files"`
	More     int           `json:"more,omitempty"` // files that are not listed
	Cut      bool          `json:"cut,omitempty"`  // older messages of a thread were not looked through
}

// ChangeStatus says how a file changed.
type ChangeStatus string

// The kinds of a change, as package worktree has them.
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
	UnshownName       UnshownReason = "name"       // its name holds characters that cannot be seen
	UnshownUnreadable UnshownReason = "unreadable"
)

// ChangedFile is a file that was changed. Either git knows the texts, or the edits of an agent
// hold pieces of them.
type ChangedFile struct {
	Path   string       `json:"path"` // with slashes; absolute if it is not below the work tree
	Status ChangeStatus `json:"status,omitempty"`
	// Before and After name texts for signalbox/changes/text. Where there is no After, and the
	// file was not deleted, its text is on the disk.
	Before  string        `json:"before,omitempty"`
	After   string        `json:"after,omitempty"`   // the same of what it became
	Unshown UnshownReason `json:"unshown,omitempty"` // why its texts are not shown
	// Edits are changes by an agent, the oldest first, each with the texts that
	// signalbox/thread/diff returns. They added and removed so many lines.
	Edits   []FileEditRef `json:"edits,omitempty"`
	Added   int           `json:"added,omitempty"`   // lines
	Removed int           `json:"removed,omitempty"` // lines
}

// FileEditRef names the change that a tool call of a message made.
type FileEditRef struct {
	Message Ref `json:"message"`
	Tool    int `json:"tool"` // the place of the call in the message
}

// ChangeTextParams are the params of signalbox/changes/text: a folder as in ChangesParams, and
// a ChangedFile's before or after.
type ChangeTextParams struct {
	Folder string `json:"folder" check:"given"`
	Name   string `json:"name" check:"given"`
}

// ChangeText is the result of signalbox/changes/text: a text, or why there is none.
type ChangeText struct {
	Text    string        `json:"text"`
	Unshown UnshownReason `json:"unshown,omitempty"`
}

// FileChanges are changes to files in the newest messages of a thread, the oldest first. Cut
// is set if the thread has older messages, which were not looked through, and Unread if there
// was no time to look at any.
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
