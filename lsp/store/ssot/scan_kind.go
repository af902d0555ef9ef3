package ssot

import (
	"io/fs"
	"path"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// Kind says what a file is by the rules by which a directory is read, so that
// others take the same files for messages. file is relative to the directory,
// with "/" between the names. It gives "message", "ack", "resume" or "task", for
// what cannot be read too where it has to be one, and "" for what is passed over:
// nobody's fault.
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

// listed reports whether a file is looked at, by its name and those of the
// folders around it.
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

// ofTask reports whether a file in tasks has the name of a task's own file. What
// another tool keeps beside them is its own.
func ofTask(file string) bool { return agn.ValidTaskID(stem(file)) }
