// Package session finds, follows and reads the transcripts that agents' programs write of
// their sessions, usually those of one repository's checkouts.
//
// Start with [Open], which follows, or [Scan], which looks once. A [Snapshot] lists the
// sessions from the beginning and the end of each file; [Snapshot.Page] reads a part of one.
// The files belong to the person: nothing is written to them. core/session decides what the
// formats mean.
package session

import (
	"cmp"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/session"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// Errors of reading a part of a session.
var (
	// ErrNotFound is the error for a session that does not exist, or no longer does.
	ErrNotFound = errors.New("transcript: no such session")
	// ErrCursor is the error for a text that is not a cursor.
	ErrCursor = errors.New("transcript: no cursor of a page")
	// ErrRewritten is the error for a cursor into a transcript that has been rewritten.
	ErrRewritten = errors.New("transcript: written anew")
)

// FormatOf returns the format of a client's transcripts, or nil if it has none.
func FormatOf(client string) *session.Format {
	formats := Formats()
	i := slices.IndexFunc(formats, func(f *session.Format) bool { return f.Client == client })
	if i < 0 {
		return nil
	}
	return formats[i]
}

// Item is a session as a list shows it. It is shared and never changed.
type Item struct {
	// Format is the format of its program.
	Format *session.Format
	// Name is unique among the sessions of its program.
	Name string
	// File is the transcript's absolute path, and Size its length in bytes.
	File string
	Size int64
	// Agent is the subagent whose conversation in the file this is, or empty.
	Agent string
	// Checkout is the ID of the [atsfstore.Folder] in which the session works.
	Checkout string
	// Facts are the session's facts. Updated is never 0.
	session.Facts
	// Err is the reason why the transcript cannot be read.
	Err error

	// Stamp changes when the file changes.
	Stamp tree.Stamp
}

// Key is the address of a session.
type Key struct{ Client, Name string }

// Key returns the item's address.
func (it *Item) Key() Key { return Key{it.Format.Client, it.Name} }

// Snapshot is the state at one moment. It is never changed.
type Snapshot struct {
	// Checkouts are the checkouts of the opened folders' repositories.
	Checkouts []atsfstore.Folder
	// Items are ordered newest first: by Updated, then Name, then client, all descending.
	Items []*Item
	// Problems list what cannot be read.
	Problems []follow.Problem
	// Ready is set after the first complete look.
	Ready bool

	keys map[Key]*Item
	// grown are the sessions that grew since keys was made.
	grown map[Key]*Item
}

// Item returns a session, or nil.
func (s *Snapshot) Item(k Key) *Item {
	if it, ok := s.grown[k]; ok {
		return it
	}
	return s.keys[k]
}

// Checkout returns the checkout with the id.
func (s *Snapshot) Checkout(id string) (f atsfstore.Folder, ok bool) {
	i := slices.IndexFunc(s.Checkouts, func(f atsfstore.Folder) bool { return f.ID == id })
	if i < 0 {
		return f, false
	}
	return s.Checkouts[i], true
}

// ByID returns the sessions that have the id or name, newest first.
func (s *Snapshot) ByID(id string) (list []*Item) {
	for _, it := range s.Items {
		if id != "" && (it.ID == id || it.Name == id) {
			list = append(list, it)
		}
	}
	return list
}

// Config sets which sessions are searched for.
type Config struct {
	// Env determines where the programs store them.
	Env environ.Env
	// Folders are the workspace's folders. Only sessions in their repositories are found, with all
	// worktrees.
	Folders []string
	// All means that the sessions of every repository on this machine are found, and those outside
	// any repository.
	All bool
	// Roots asks git for a repository's first commits. It is nil if git must not run.
	Roots project.Roots
	// Once means that nothing is followed: [Live.Sync] looks; see [follow.Config].
	Once bool
	// Logger receives failures; nil discards them.
	Logger *slog.Logger
	// Changed is called after every change, never concurrently, and must not block.
	Changed func(Change)
}

// Change describes what changed.
type Change struct {
	// Sessions lists at most 100 sessions that changed, appeared or disappeared. Truncated is set
	// if there were more.
	Sessions  []Key
	Truncated bool
	// Checkouts is set if the checkouts, branches or problems changed.
	Checkouts bool
}

// maxChanged is the largest number of sessions in a [Change].
const maxChanged = 100

// roots returns the folders in which a program may store transcripts, each once. Those from an
// environment variable come first.
func roots(f *session.Format, env environ.Env) (list []string) {
	p, seen := &f.Place, make(map[string]bool)
	add := func(home string) {
		for _, below := range p.Below {
			at := filepath.Join(home, below)
			if real := disk.Resolve(at); !seen[real] {
				seen[real] = true
				list = append(list, at)
			}
		}
	}
	given := env.Getenv(p.Env)
	dirs := []string{given} // a folder's name may contain a comma
	if strings.Contains(given, ",") {
		dirs = append(dirs, strings.Split(given, ",")...)
	}
	for _, dir := range dirs {
		if dir = strings.TrimSpace(dir); dir != "" {
			add(filepath.Join(env.Expand(dir), p.EnvBelow))
		}
	}
	for i, home := range p.Homes {
		name, rest, variable := strings.Cut(strings.TrimPrefix(home, "$"), "/")
		base := env.Home
		if variable = variable && home[0] == '$'; variable {
			base, home = env.Getenv(name), rest
		}
		if !filepath.IsAbs(base) {
			continue
		}
		// Each followed folder takes one of the system's few watchers. So except for the first
		// home, only existing folders are followed.
		at := filepath.Join(base, filepath.FromSlash(home))
		if info, err := os.Stat(at); i == 0 || err == nil && info.IsDir() {
			add(at)
		}
	}
	return list
}

func newest(a, b *Item) int {
	return cmp.Or(cmp.Compare(b.Updated, a.Updated), strings.Compare(b.Name, a.Name), strings.Compare(b.Format.Client, a.Format.Client))
}
