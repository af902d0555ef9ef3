// Package session finds, follows and reads the transcripts that agents' programs keep of
// their sessions, of one repository's checkouts alone.
//
// Start with [Open], which follows, or [Scan], which looks once. A [Snapshot] lists the
// sessions from the beginning and the end of each file; [Snapshot.Page] reads a part of
// one. The files are the person's own: nothing is written to them. What the formats mean
// is in core/session.
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

// The errors of reading a part of a session.
var (
	// ErrNotFound is the error of a session that is not there, or no more.
	ErrNotFound = errors.New("transcript: no such session")
	// ErrCursor is the error of a cursor that no page gave.
	ErrCursor = errors.New("transcript: no cursor of a page")
	// ErrRewritten is the error of a cursor into a transcript that was written anew.
	ErrRewritten = errors.New("transcript: written anew")
)

// FormatOf returns the format of a client's transcripts, nil for a program that has none.
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
	// Format is the program's.
	Format *session.Format
	// Name is the session's, alone among those of its program.
	Name string
	// File is the transcript, absolute, and Size its length in bytes.
	File string
	Size int64
	// Agent is the subagent whose conversation in the file it is, or empty.
	Agent string
	// Checkout is the ID of the [atsfstore.Folder] in which the session works.
	Checkout string
	// Facts are the session's. Updated is never 0.
	session.Facts
	// Err is why the transcript cannot be read.
	Err error

	// Stamp tells one state of the file from the next.
	Stamp tree.Stamp
}

// Key is the address of a session.
type Key struct{ Client, Name string }

// Key returns the item's address.
func (it *Item) Key() Key { return Key{it.Format.Client, it.Name} }

// Snapshot is what there was at one moment. It is never changed.
type Snapshot struct {
	// Checkouts are those of the opened folders' repositories.
	Checkouts []atsfstore.Folder
	// Items are the newest first: by Updated, then Name, then client, all descending.
	Items []*Item
	// Problems say what cannot be read.
	Problems []follow.Problem
	// Ready is false before everything was looked at for the first time.
	Ready bool

	keys map[Key]*Item
	// grown are the sessions that went on since keys was made.
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

// ByID returns the sessions that have the id or name, the newest first.
func (s *Snapshot) ByID(id string) (list []*Item) {
	for _, it := range s.Items {
		if id != "" && (it.ID == id || it.Name == id) {
			list = append(list, it)
		}
	}
	return list
}

// Config says which sessions are looked for.
type Config struct {
	// Env says where the programs keep them.
	Env environ.Env
	// Folders are the workspace's. Sessions in the repositories that they lie in, with
	// all worktrees, are found, and no others.
	Folders []string
	// All has those of every repository on this machine found, and of folders that lie in
	// none.
	All bool
	// Roots asks git for a repository's first commits, or is nil where no git is to run.
	Roots project.Roots
	// Once has nothing followed: [Live.Sync] looks, as [follow.Config] says.
	Once bool
	// Logger gets what goes wrong; nil discards it.
	Logger *slog.Logger
	// Changed is called after every change, never concurrently, and must not block.
	Changed func(Change)
}

// Change says what is new.
type Change struct {
	// Sessions names at most 100 sessions that changed, came or went. Truncated is set
	// where there were more.
	Sessions  []Key
	Truncated bool
	// Checkouts is set where the checkouts, branches or problems changed.
	Checkouts bool
}

// maxChanged is the number of sessions that a [Change] names.
const maxChanged = 100

// roots returns the folders in which a program may keep transcripts, those that a variable
// names first, and each once.
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
	dirs := []string{given} // a folder's name may have a comma
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
		// Each folder that is followed takes one of the system's few watchers, so that of the
		// homes that few have only those count that are there.
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
