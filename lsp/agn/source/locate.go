package source

import (
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Nearest chooses the directory to look at from the working directory: the flag --ssot, or
// SIGNALBOX_SSOT, which need not exist, else the .ssot or ssot that is in it or in the
// nearest folder above it up to the root of its repository.
func Nearest(env environ.Env, flag string) (where environ.Choice, ok bool) {
	for _, folder := range who.ToRoot(env.Work) {
		if found := choose(env, flag, "", []string{folder}, isFolder); len(found) > 0 {
			return found[0], true
		}
	}
	return environ.Choice{}, false
}

// candidates chooses the directories to follow: the .ssot and ssot of each folder,
// whether they are there or not, so that a [agnstore.Live] of each finds what is
// made later. What has the name may be no directory, which its snapshot then says
// in Err.
func candidates(env environ.Env, flag, setting string, folders []string) []environ.Choice {
	return choose(env, flag, setting, folders, func(string) bool { return true })
}

// isFolder reports whether a path is a directory: a file, or a link to nowhere, is
// something else of that name.
func isFolder(at string) bool {
	info, err := os.Stat(at)
	return err == nil && info.IsDir()
}

// choose chooses the directories to look at: the flag --ssot, else the setting
// signalbox.tasks.directory, else SIGNALBOX_SSOT, each of which names one that need not
// exist; else the .ssot and ssot in the workspace folders, or in the working directory
// where there are none, for which ok holds. A directory that can be reached in two ways
// comes once. The list may be empty.
func choose(env environ.Env, flag, setting string, folders []string, ok func(path string) bool) []environ.Choice {
	for _, c := range []environ.Choice{
		{Value: flag, Origin: "--ssot"},
		{Value: setting, Origin: "setting signalbox.tasks.directory"},
		{Value: env.Getenv("SIGNALBOX_SSOT"), Origin: "SIGNALBOX_SSOT"},
	} {
		if c.Value != "" {
			c.Value = env.Expand(c.Value)
			return []environ.Choice{c}
		}
	}
	if len(folders) == 0 && env.Work != "" {
		folders = []string{env.Work}
	}
	var found []environ.Choice
	seen := map[string]bool{}
	for _, folder := range folders {
		for _, name := range []string{".ssot", "ssot"} {
			at := filepath.Join(env.Expand(folder), name)
			if !ok(at) || seen[tree.ID(at)] {
				continue
			}
			seen[tree.ID(at)] = true
			found = append(found, environ.Choice{Value: at, Origin: name + " in the folder " + filepath.Base(filepath.Dir(at))})
		}
	}
	return found
}
