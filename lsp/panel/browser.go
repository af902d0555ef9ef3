package panel

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

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

// someNow is inboxNow in a browser, where a look takes so long that it returns what the first
// store has to show. The others tell of theirs when they have looked.
func (p *Panels) someNow(ctx, soon context.Context, starting []Starting) *inbox {
	begun := make(chan struct{}, len(starting))
	for _, v := range starting {
		go func() {
			v.Begun(soon)
			begun <- struct{}{}
		}()
	}
	i := p.look(ctx)
	for range starting {
		if slices.ContainsFunc(i.views, func(v view) bool {
			return slices.ContainsFunc(v.Groups(&InboxFilter{}), func(g Group) bool { return g.Threads > 0 })
		}) {
			break
		}
		<-begun
		i = p.look(ctx)
	}
	return i
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

// confineEnv returns a browser's environment. No variable chooses a directory or a name.
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

// confine returns the settings as a browser has them. Directories are in the opened folders. A
// stranger may have written every file there, so that no file chooses a name or a key, and
// nothing is written until the user turns writing on and chooses a name.
func (o *Options) confine(env environ.Env, s Settings, folders []string) Settings {
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
		s.ReadOnly = s.ReadOnly || outside(s.Directories[0]) // nobody reads mail that is sent nowhere
	}
	s.AmpDirectory = orDefault(s.AmpDirectory, ".agent-messaging")
	if s.SSOT != "" && outside(s.SSOT) {
		s.SSOT = ""
	}
	s.AmpIdentity, s.Watchdog = "", false
	s.ReadOnly = s.ReadOnly || !s.Writes || s.Alias == "" && o.As == ""
	return s
}
