package panel

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Options configure the panels.
type Options struct {
	// Env is the process's environment. Its working directory replaces the workspace folder if
	// the client has none.
	Env environ.Env
	// Dir, As and Profile are command-line flags, which take precedence over settings.
	Dir, As, Profile string
	// Named is the alias that the folder or the session names, used if no flag names one. Mail
	// is read and written under it, but nothing is signed.
	Named environ.Choice
	// SSOT is the flag for the directory of task messages.
	SSOT string
	// Amp is the flag for the directory of mailboxes.
	Amp string
	// Person returns the alias that the user chose once for all agents on this machine, or "".
	// The user of an editor reads and writes as this person, unless a flag, the settings or
	// SIGNALBOX_AS name another alias: the name in a folder is the name of the agent that works
	// there. It may be nil.
	Person func() string
	// Reader is the agent that asks, nil for the person.
	Reader Reader
	// Decides returns the reason why the caller may not decide what an agent may do, or nil for
	// the person. If Decides is nil, nobody may.
	Decides func() error
	// Once is set for a single search. Then nothing is prepared for later requests, and files
	// that can be searched on disk are not read before.
	Once bool
	// Entered is set if the user chose the working directory, as on a command line. It
	// is then trusted even if the settings are read-only.
	Entered bool
	// Browser is set if the opened folders may be a stranger's repository, as in a browser. Keys
	// in them prove nothing, no private key is read, nothing outside of them is looked for, and
	// nothing is written before [Settings.Writes] is set.
	Browser  bool
	Settings Settings
	// Folders are the workspace's folders, absolute, in order.
	Folders []string
	Version string
	// Sources make the sources of the formats, in the order in which tokens are looked
	// up in them. lsp/sources lists them.
	Sources []NewSource
	// FrameBytes is the largest frame of the connection, for [Limits].
	FrameBytes int
	Now        func() time.Time
	Log        *slog.Logger
	// Run runs an agent's program to wake the agent. It may be nil.
	Run sessions.Run
	// Changed and StatusChanged are called after every change. They must not block.
	Changed       func(Change)
	StatusChanged func(Status)
}

// NewSource returns a new source with nothing open.
type NewSource func(Host) Source

// Host is what the panels pass to a source.
type Host struct {
	// Options are the options of the panels, such as flags, clock and log.
	Options *Options
	// Changed is called by the source after every change. The source must not call it
	// from Configure or Close.
	Changed func(SourceChange)
	// Known returns the known sessions of agents' programs.
	Known func() *sessions.Known
	// Reach returns how agents are reached now by the mail in a directory. If mail is empty, it
	// is the directory that the user writes to.
	Reach func(mail string) *sessions.Reaching
}

// ReadOnlyWords returns why nothing is written while the settings are read-only.
func (o *Options) ReadOnlyWords() string {
	if o.Browser {
		return "writing is off in this folder: Signalbox: Turn On Writing turns it on, under a name that you choose"
	}
	return "read-only: the workspace is not trusted"
}

// Allows reports whether a path may be looked at. In a browser it must be in one of the folders
// after all links were followed.
func (o *Options) Allows(path string, folders []string) bool {
	if !o.Browser {
		return true
	}
	real, ok := realPath(path)
	return ok && slices.ContainsFunc(folders, func(folder string) bool {
		root, err := filepath.EvalSymlinks(folder)
		if err != nil {
			return false
		}
		rel, err := filepath.Rel(root, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

// realPath returns a path with all links followed. A part that does not exist yet stays as it
// is. ok is false if a link leads nowhere.
func realPath(path string) (real string, ok bool) {
	for rest := ""; ; path = filepath.Dir(path) {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest), true
		}
		if _, err := os.Lstat(path); err == nil || filepath.Dir(path) == path {
			return "", false
		}
		rest = filepath.Join(filepath.Base(path), rest)
	}
}
