package panel

import (
	"log/slog"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// The values that panels take and give are plain: the JSON names are the wire
// protocol's, so lsp/server sends them as they are. extension/src/protocol.ts is
// generated from them, comments included. All times are Unix milliseconds. All strings
// in results are sanitized unless a field says otherwise. A slice without omitempty is
// never nil in a result, so that it is sent as [].

// Ref names one message or thread; see [mail.Ref].
type Ref = mail.Ref

// Options configure the panels for [Open].
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

// Settings are what a client sends as initializationOptions and again in
// workspace/didChangeConfiguration under settings.signalbox. A zero field means
// "not set", so the environment or a default decides.
type Settings struct {
	Alias            string         `json:"alias,omitempty"`
	Directories      []string       `json:"directories,omitempty"`
	Profile          ProfileSetting `json:"profile,omitempty"`
	ReadOnly         bool           `json:"readOnly,omitempty"`
	Writes           bool           `json:"writes,omitempty"` // in a browser: the user turned writing on for these folders, as Alias
	UpdateWatermark  bool           `json:"updateWatermark,omitempty"`
	HoverMaxMessages int            `json:"hoverMaxMessages,omitempty"` // messages in a preview; 0 means the default
	SSOT             string         `json:"ssot,omitempty"`             // the directory of task messages
	Watchdog         bool           `json:"watchdog,omitempty"`         // report missed ACKs and silence as escalations
	AmpDirectory     string         `json:"ampDirectory,omitempty"`     // the directory of mailboxes
	AmpIdentity      string         `json:"ampIdentity,omitempty"`      // the name or address of the user's own mailbox
	Sessions         *bool          `json:"sessions,omitempty"`         // whether transcripts of agents' programs are read; without it they are
	Diagnostics      *bool          `json:"diagnostics,omitempty"`      // whether open documents are checked; without it they are
	// ShowDocuments has the server open the texts of commands in the client, which
	// cannot do so itself.
	ShowDocuments bool `json:"showDocuments,omitempty"`
}

// ProfileSetting chooses the form of the SAMP ids that the user's messages get.
type ProfileSetting string

// The values of [Settings.Profile].
const (
	ProfileAuto      ProfileSetting = "auto"
	ProfileV1        ProfileSetting = "v1"
	ProfileV1Compact ProfileSetting = "v1-compact"
)

// Diagnoses reports whether open documents are checked.
func (s *Settings) Diagnoses() bool { return s.Diagnostics == nil || *s.Diagnostics }
