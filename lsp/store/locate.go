package store

import (
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Env is the environment of the process. Its fields are passed in, so that a test has its
// own.
type Env struct {
	// Getenv reads a variable, "" where it is not set.
	Getenv func(string) string
	// Home is the user's home directory, "" if there is none.
	Home string
	// Work is the working directory, or the editor's workspace folder.
	Work string
}

// OSEnv is the real environment.
func OSEnv() Env {
	home, err := os.UserHomeDir()
	if err != nil {
		// HOME is not set, as in some services; the account still has one.
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	work, _ := os.Getwd()
	return Env{Getenv: os.Getenv, Home: home, Work: work}
}

// Choice is a value and where it came from, in words a user can act on.
type Choice struct {
	Value, Origin string
}

// Locate chooses the message directory (rule L3): the flag, AGENT_MESSAGE_DIR,
// the setting, then whichever of the two default places exists, else
// $HOME/dev/.message. The directory need not exist. note warns of a second
// default place that exists and is not used.
func Locate(env Env, flag, setting string) (dir Choice, note string) {
	for _, c := range []Choice{
		{flag, "--dir"},
		{env.Getenv("AGENT_MESSAGE_DIR"), "AGENT_MESSAGE_DIR"},
		{setting, "setting signalbox.directories"},
	} {
		if c.Value != "" {
			c.Value = env.Expand(c.Value)
			return c, ""
		}
	}
	first := Choice{filepath.Join(env.Home, "dev", ".message"), "default, $HOME/dev/.message"}
	state := env.Getenv("XDG_STATE_HOME")
	second := Choice{filepath.Join(state, "agent-message"), "default, $XDG_STATE_HOME/agent-message"}
	if state == "" {
		second = Choice{filepath.Join(env.Home, ".local", "state", "agent-message"), "default, $HOME/.local/state/agent-message"}
	}
	switch {
	case isDir(first.Value) && isDir(second.Value):
		return first, "there is a second message directory, " + second.Value + "; name one in AGENT_MESSAGE_DIR to choose it"
	case isDir(second.Value):
		return second, ""
	}
	return first, ""
}

// Expand makes a path absolute and reads a leading ~ as the home directory,
// which a setting has no shell for.
func (e Env) Expand(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		path = filepath.Join(e.Home, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Work, path)
	}
	return filepath.Clean(path)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// StateDir is where Signalbox keeps what is its own: read state, drafts, the
// journal of sent tokens. It lies outside every message directory, so that no
// sync tool carries it.
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

// maxAliasFile bounds how much of an .agent-message file is looked at.
const maxAliasFile = 64 << 10

// GivenAlias returns whom the user said to read and write as: the flag or setting
// if given, which origin names, else SIGNALBOX_AS, else the zero Choice. A value is
// returned even if it is not valid, so that the user hears of it.
func GivenAlias(env Env, given, origin string) Choice {
	if given != "" {
		return Choice{given, origin}
	}
	if as := env.Getenv("SIGNALBOX_AS"); as != "" {
		return Choice{as, "SIGNALBOX_AS"}
	}
	return Choice{}
}

// FindAlias chooses whom to read and write SAMP as: [GivenAlias], then as the
// published tool does it (rule D1): the first valid line of .agent-message in the
// working directory, else the directory's own name, else "unknown". Whoever made
// the directory wrote the file, so that it is read only if the directory is trusted.
func FindAlias(env Env, given, origin string, trusted bool) Choice {
	if c := GivenAlias(env, given, origin); c.Value != "" {
		return c
	}
	if alias, ok := aliasFile(filepath.Join(env.Work, ".agent-message")); ok && trusted {
		return Choice{alias, ".agent-message"}
	}
	if base := filepath.Base(env.Work); samp.ValidAlias(base) {
		return Choice{base, "the folder's name"}
	}
	return Choice{"unknown", "nothing names an alias"}
}

func aliasFile(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxAliasFile {
		return "", false
	}
	f, err := disk.OpenNamed(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxAliasFile))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(strings.ReplaceAll(string(data), "\r", "\n")) {
		if alias := strings.TrimSpace(line); samp.ValidAlias(alias) {
			return alias, true
		}
	}
	return "", false
}
