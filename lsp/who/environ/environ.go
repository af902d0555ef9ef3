// Package environ holds the environment of a process: its variables, the user's home, the
// working directory, and the alias that the user gave. Start with [OS]. A [Choice] is a value
// and its origin. The package imports nothing of this project.
package environ

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
)

// Env is the environment of the process. Its fields are passed in, so that a test has its
// own.
type Env struct {
	// Getenv reads a variable, "" where it is not set.
	Getenv func(string) string
	// Vars are all variables, each as "NAME=value", for the programs that are run.
	Vars []string
	// Home is the user's home directory, "" if there is none.
	Home string
	// Work is the working directory, or the editor's workspace folder.
	Work string
}

// OS returns the real environment.
func OS() Env {
	home, err := os.UserHomeDir()
	if err != nil {
		// HOME is not set, as in some services; the account still has one.
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	work, _ := os.Getwd()
	return Env{Getenv: os.Getenv, Vars: os.Environ(), Home: home, Work: work}
}

// Choice is a value and where it came from, in words a user can act on.
type Choice struct {
	Value, Origin string
}

// Expand makes a path absolute and reads a leading ~ as the home directory, because no shell
// expands a setting.
func (e Env) Expand(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		path = filepath.Join(e.Home, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Work, path)
	}
	return filepath.Clean(path)
}

// StateDir returns the folder for Signalbox's own state: read state, drafts, the journal of
// sent tokens. It is outside every message directory, so that no sync tool copies it.
func (e Env) StateDir() string {
	if dir := e.Getenv("SIGNALBOX_STATE_DIR"); dir != "" {
		return e.Expand(dir)
	}
	if dir := e.Getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "signalbox")
	}
	if runtime.GOOS == "windows" {
		if dir := e.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "signalbox")
		}
	}
	return filepath.Join(e.Home, ".local", "state", "signalbox")
}

// ConfigDir returns the folder for the user's settings for all programs on the machine.
func (e Env) ConfigDir() string {
	if dir := e.Getenv("SIGNALBOX_CONFIG_DIR"); dir != "" {
		return e.Expand(dir)
	}
	if dir := e.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "signalbox")
	}
	if runtime.GOOS == "windows" {
		if dir := e.Getenv("AppData"); dir != "" {
			return filepath.Join(dir, "signalbox")
		}
	}
	return filepath.Join(e.Home, ".config", "signalbox")
}

// GivenAlias returns the alias that the user gave. The first that is set wins: given (a flag
// or setting, which origin names), then SIGNALBOX_AS. Otherwise it returns the zero Choice.
// It also returns an invalid value, so that the user gets an error.
func GivenAlias(env Env, given, origin string) Choice {
	if given != "" {
		return Choice{given, origin}
	}
	if as := env.Getenv("SIGNALBOX_AS"); as != "" {
		return Choice{as, "SIGNALBOX_AS"}
	}
	return Choice{}
}
