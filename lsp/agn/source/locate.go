package source

import (
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Nearest returns the task directory for the working directory: the first of the flag --ssot,
// SIGNALBOX_SSOT (neither need exist), and the nearest .ssot or ssot in the working directory
// or the folders above it, up to the root of its repository.
func Nearest(env environ.Env, flag string) (where environ.Choice, ok bool) {
	for _, folder := range who.ToRoot(env.Work) {
		if found := choose(env, flag, "", []string{folder}, isFolder); len(found) > 0 {
			return found[0], true
		}
	}
	return environ.Choice{}, false
}

// candidates returns the directories to follow: .ssot and ssot in each folder, whether they
// exist or not, so that an [agnstore.Live] notices when one is created. If the name belongs to
// something else, the snapshot's Err says so.
func candidates(env environ.Env, flag, setting string, folders []string) []environ.Choice {
	return choose(env, flag, setting, folders, func(string) bool { return true })
}

// isFolder reports whether a path is a directory. A file or a dangling link is not.
func isFolder(at string) bool {
	info, err := os.Stat(at)
	return err == nil && info.IsDir()
}

// choose returns the directories to look at. The first that is set wins:
//
//  1. the flag --ssot
//  2. the setting signalbox.tasks.directory
//  3. SIGNALBOX_SSOT
//  4. .ssot and ssot in the workspace folders, or in the working directory if there
//     are none, as far as ok accepts them
//
// The first three need not exist. A directory with two paths is listed once. The list may be
// empty.
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
