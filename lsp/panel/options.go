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
	// Env is the process's environment. Its working directory stands in for
	// a workspace folder where the client has none.
	Env environ.Env
	// Dir, As and Profile are command-line flags, which come before any
	// setting.
	Dir, As, Profile string
	// Named is whom the folder or the session names, where no flag does. They read and write
	// mail under that name, and nothing is signed with it.
	Named environ.Choice
	// SSOT is the flag that names the directory of task messages.
	SSOT string
	// Amp is the flag that names the directory of mailboxes.
	Amp string
	// Person returns the alias that the user said once for all agents on this machine, or
	// "". The user of an editor reads and writes as this person, unless a flag, the settings
	// or SIGNALBOX_AS name another alias: what a folder names is the agent that works there.
	// It may be nil.
	Person func() string
	// Reader is the agent that asks, nil for the person.
	Reader Reader
	// Decides returns why whoever asks may not decide what an agent may do, nil for the
	// person. Where it is nil nobody may.
	Decides func() error
	// Once is set for one search: nothing is made ready for others, and what can be searched
	// as it lies on the disk is not read before.
	Once bool
	// Entered is set if the user chose the working directory, as on a command line. It
	// is then trusted even if the settings are read-only.
	Entered bool
	// Browser is set where the opened folders may be a stranger's repository, as in a browser:
	// keys in them prove nothing, no private key is read, nothing is looked for outside of
	// them, and nothing is written before [Settings.Writes] is set.
	Browser  bool
	Settings Settings
	// Folders are the workspace's folders, absolute, in order.
	Folders []string
	Version string
	// Sources make the sources of the formats, in the order in which tokens are looked
	// up in them. lsp/sources lists all.
	Sources []NewSource
	// FrameBytes is the largest frame of the connection, for [Limits].
	FrameBytes int
	Now        func() time.Time
	Log        *slog.Logger
	// Run runs the program of an agent that is to be woken. It may be nil.
	Run sessions.Run
	// Changed and StatusChanged are called after every change. They must not block.
	Changed       func(Change)
	StatusChanged func(Status)
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
	// Known returns what is known of the sessions of agents' programs.
	Known func() *sessions.Known
	// Reach returns how agents are reached, at this moment, by the mail in a directory, or
	// without one in that to which the user writes.
	Reach func(mail string) *sessions.Reaching
}

// ReadOnlyWords says why nothing is written while the settings are read-only.
func (o *Options) ReadOnlyWords() string {
	if o.Browser {
		return "writing is off in this folder: Signalbox: Turn On Writing turns it on, under a name that you choose"
	}
	return "read-only: the workspace is not trusted"
}

// Allows reports whether a path may be looked at. In a browser it has to lead into an opened
// folder, all links followed.
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

// realPath returns a path with all links followed. The part that does not exist yet stays as
// it is. It reports false for a link that leads nowhere yet.
func realPath(path string) (string, bool) {
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
