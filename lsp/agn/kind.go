package agn

import (
	"io/fs"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Kind returns what a file counts as when a directory is read: "message", "ack", "resume" or
// "task", including a broken file in such a place, or "" if it is ignored. file is relative to
// the directory, with "/" between the names.
func Kind(file string, data []byte) string {
	if !listed(file) {
		return ""
	}
	if home(file) == "" && len(data) > maxRead {
		return ""
	}
	r := record{Head: tree.Head{Path: file}}
	r.parse(data)
	switch r.fact {
	case factMessage, factRefused:
		return "message"
	case factAck:
		return "ack"
	case factResume:
		return "resume"
	case factTask:
		return "task"
	case factSpoiled:
		switch in := home(file); {
		case in == inAcks:
			return "ack"
		case in == inResumes:
			return "resume"
		case in == inTasks && ofTask(file):
			return "task"
		}
	}
	return ""
}

// listed reports whether a file is read, by its name and those of its folders.
func listed(file string) bool {
	if sortOf(file, 0) != tree.Wanted {
		return false
	}
	for at := path.Dir(file); at != "."; at = path.Dir(at) {
		if sortOf(at, fs.ModeDir) != tree.Entered {
			return false
		}
	}
	return true
}

// ofTask reports whether a file in tasks has the name of a task's summary. Files of other
// tools may be there too.
func ofTask(file string) bool { return agn.ValidTaskID(stem(file)) }

// maxEntries is how many names of one folder are listed.
const maxEntries = 1_000_000

// usualLimits returns the limits of a look: the directory may be anyone's.
func usualLimits() tree.Limits {
	return tree.Limits{Depth: 12, Files: 200_000, Folders: 20_000, Entries: maxEntries}
}

// sortOf decides by name what may hold facts: folders, except those that tools use for
// themselves, and .json files. Names that begin with a dot are files being written. If
// something else has the name of a layout folder, it is listed as a file, so that its problem
// is shown.
func sortOf(p string, kind fs.FileMode) tree.Sort {
	name := tree.Base(p)
	switch {
	case strings.HasPrefix(name, ".") || name == "node_modules":
		return tree.Skipped
	case kind.IsDir():
		return tree.Entered
	case strings.HasSuffix(name, ".json"):
		return tree.Wanted
	case kind.IsRegular():
		return tree.Skipped
	case p == inMessages || p == inAcks || p == inResumes || p == inTasks:
		return tree.Wanted
	}
	if top, rest, _ := strings.Cut(p, "/"); top == inMessages && agn.ValidTaskID(rest) {
		return tree.Wanted
	}
	return tree.Skipped
}

// precedence puts the folders of the layout first, so that other folders do not use up the
// limits.
func precedence(folder string) int {
	switch folder {
	case inMessages, inAcks, inResumes, inTasks:
		return 0
	}
	return 1
}
