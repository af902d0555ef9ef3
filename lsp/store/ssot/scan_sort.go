package ssot

import (
	"io/fs"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// maxEntries is how many names of one folder are listed.
const maxEntries = 1_000_000

// usualLimits bound what is looked at: the directory may be anybody's.
func usualLimits() tree.Limits {
	return tree.Limits{Depth: 12, Files: 200_000, Folders: 20_000, Entries: maxEntries}
}

// sortOf tells what may hold facts by its name: folders but those that tools
// keep for themselves, and .json files. Names that begin with a dot are those of
// files that are being written. Something else in the place of a folder of the
// layout is listed as a file, whose problem is said.
func sortOf(p string, kind fs.FileMode) tree.Sort {
	name := tree.Base(p)
	switch {
	case strings.HasPrefix(name, ".") || name == "node_modules":
		return tree.Passed
	case kind.IsDir():
		return tree.Entered
	case strings.HasSuffix(name, ".json"):
		return tree.Wanted
	case kind.IsRegular():
		return tree.Passed
	case p == inMessages || p == inAcks || p == inResumes || p == inTasks:
		return tree.Wanted
	}
	if top, rest, _ := strings.Cut(p, "/"); top == inMessages && agn.ValidTaskID(rest) {
		return tree.Wanted
	}
	return tree.Passed
}

// precedence has the folders of the layout looked at first, so that a bound is not
// used up by what lies beside them.
func precedence(folder string) int {
	switch folder {
	case inMessages, inAcks, inResumes, inTasks:
		return 0
	}
	return 1
}
