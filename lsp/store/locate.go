package store

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
)

// Locate chooses the message directory (rule L3): the flag, AGENT_MESSAGE_DIR,
// the setting, then whichever of the two default places exists, else
// $HOME/dev/.message. The directory need not exist. note warns of a second
// default place that exists and is not used.
func Locate(env environ.Env, flag, setting string) (dir environ.Choice, note string) {
	for _, c := range []environ.Choice{
		{Value: flag, Origin: "--dir"},
		{Value: env.Getenv("AGENT_MESSAGE_DIR"), Origin: "AGENT_MESSAGE_DIR"},
		{Value: setting, Origin: "setting signalbox.directories"},
	} {
		if c.Value != "" {
			c.Value = env.Expand(c.Value)
			return c, ""
		}
	}
	first := environ.Choice{Value: filepath.Join(env.Home, "dev", ".message"), Origin: "default, $HOME/dev/.message"}
	state := env.Getenv("XDG_STATE_HOME")
	second := environ.Choice{Value: filepath.Join(state, "agent-message"), Origin: "default, $XDG_STATE_HOME/agent-message"}
	if state == "" {
		second = environ.Choice{Value: filepath.Join(env.Home, ".local", "state", "agent-message"), Origin: "default, $HOME/.local/state/agent-message"}
	}
	switch {
	case isDir(first.Value) && isDir(second.Value):
		return first, "there is a second message directory, " + second.Value + "; name one in AGENT_MESSAGE_DIR to choose it"
	case isDir(second.Value):
		return second, ""
	}
	return first, ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// maxAliasFile bounds how much of an .agent-message file is looked at.
const maxAliasFile = 64 << 10

// FindAlias chooses whom to read and write SAMP as: [environ.GivenAlias], then the
// first valid line of .agent-message in the working directory or, inside a git work tree,
// in a folder above it up to the tree's root, then the name of the root, or of the working
// directory outside of one, else "unknown". Whoever made a folder wrote the file, so that
// it is read only if the folder is trusted.
func FindAlias(env environ.Env, given, origin string, trusted bool) environ.Choice {
	return findAlias(env, given, origin, trusted, toRoot(env.Work))
}

// FindAliasHere chooses as the published tool does (rule D1): as [FindAlias] outside of
// any work tree.
func FindAliasHere(env environ.Env, given, origin string) environ.Choice {
	return findAlias(env, given, origin, true, []string{env.Work})
}

func findAlias(env environ.Env, given, origin string, trusted bool, folders []string) environ.Choice {
	if c := environ.GivenAlias(env, given, origin); c.Value != "" {
		return c
	}
	for i, folder := range folders {
		alias, ok := "", false
		if trusted {
			alias, ok = aliasFile(filepath.Join(folder, ".agent-message"))
		}
		switch {
		case ok && i == 0:
			return environ.Choice{Value: alias, Origin: ".agent-message"}
		case ok:
			return environ.Choice{Value: alias, Origin: filepath.Join(folder, ".agent-message")}
		}
	}
	if root := filepath.Base(folders[len(folders)-1]); samp.ValidAlias(root) {
		if len(folders) > 1 {
			return environ.Choice{Value: root, Origin: "the work tree's name"}
		}
		return environ.Choice{Value: root, Origin: "the folder's name"}
	}
	return environ.Choice{Value: "unknown", Origin: "nothing names an alias"}
}

// maxDepth is how many folders above the working directory are looked at.
const maxDepth = 64

// toRoot returns a folder and those above it up to the root of the git work tree that it
// lies in, or the folder alone if it lies in none.
func toRoot(folder string) []string {
	list := []string{folder}
	for range maxDepth {
		at := list[len(list)-1]
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return list
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		list = append(list, up)
	}
	return list[:1]
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
