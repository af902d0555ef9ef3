package view

import (
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// confineEnv returns the environment for a browser. No variable in it chooses a directory or a name.
func confineEnv(env environ.Env) environ.Env {
	state := env.StateDir()
	env.Getenv = func(name string) string {
		if name == "SIGNALBOX_STATE_DIR" {
			return state
		}
		return ""
	}
	return env
}

// confine returns the settings for a browser. All directories are in the opened folders. A stranger
// may have written every file there, so that no file chooses a name or a key, and nothing is written
// until the user turns writing on and chooses a name.
func confine(o *panel.Options, env environ.Env, s panel.Settings, folders []string) panel.Settings {
	outside := func(path string) bool { return !o.Allows(env.Expand(path), folders) }
	orDefault := func(path, name string) string {
		if path == "" || outside(path) {
			path = filepath.Join(env.Work, name)
		}
		if outside(path) {
			path = filepath.Join(env.StateDir(), "none") // Signalbox's own folder, where there is no mail
		}
		return path
	}
	s.Directories = slices.DeleteFunc(slices.Clone(s.Directories), outside)
	if len(s.Directories) == 0 {
		s.Directories = []string{orDefault("", ".message")}
		s.ReadOnly = s.ReadOnly || outside(s.Directories[0]) // mail outside of the folders would not be read
	}
	s.AmpDirectory = orDefault(s.AmpDirectory, ".agent-messaging")
	if s.SSOT != "" && outside(s.SSOT) {
		s.SSOT = ""
	}
	s.AmpIdentity, s.Watchdog = "", false
	s.ReadOnly = s.ReadOnly || !s.Writes || s.Alias == "" && o.As == ""
	return s
}
