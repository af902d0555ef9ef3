package panel

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
	Sessions         *bool          `json:"sessions,omitempty"`         // whether transcripts of agents' programs are read; true if it is absent
	Diagnostics      *bool          `json:"diagnostics,omitempty"`      // whether open documents are checked; true if it is absent
	// ShowDocuments makes the server open the texts that commands return, for a client that
	// does not open them itself.
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
