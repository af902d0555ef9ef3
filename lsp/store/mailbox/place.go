package mailbox

import (
	"io/fs"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// part is what a file is in a mailbox, by its path alone.
type part uint8

const (
	partNone         part = iota // something in the place of a folder
	partConfig                   // config.json
	partPublic                   // keys/public.pem
	partPrivate                  // keys/private.pem, which is never read here
	partRegistration             // registrations/<provider>.json
	partMessage                  // messages/<box>/….json
)

// The places of a mailbox.
const (
	configName        = "config.json"
	keysName          = "keys"
	publicName        = "keys/public.pem"
	privateName       = "keys/private.pem"
	registrationsName = "registrations"
	messagesName      = "messages"
	ext               = ".json"
)

// split returns the mailbox that a path lies in, as [Mailbox.Dir], and the rest of
// the path within it, "" for the mailbox itself. What lies in agents and in no
// mailbox has the mailbox "".
func split(p string) (dir, rest string) {
	within, ok := strings.CutPrefix(p, agentsName+"/")
	if !ok {
		if p == agentsName {
			return "", ""
		}
		return ".", p
	}
	name, rest, _ := strings.Cut(within, "/")
	return agentsName + "/" + name, rest
}

// boxOf returns the box that a path within a mailbox lies in, or "".
func boxOf(rest string) string {
	for _, box := range [...]string{Inbox, Sent} {
		if strings.HasPrefix(rest, messagesName+"/"+box+"/") {
			return box
		}
	}
	return ""
}

// partOf tells what a file is.
func partOf(p string) part {
	_, rest := split(p)
	switch {
	case rest == configName:
		return partConfig
	case rest == publicName:
		return partPublic
	case rest == privateName:
		return partPrivate
	case !strings.HasSuffix(rest, ext):
	case boxOf(rest) != "":
		return partMessage
	case strings.HasPrefix(rest, registrationsName+"/"):
		return partRegistration
	}
	return partNone
}

// sortOf tells what is looked at (rule STO-1). Names that begin with a dot are
// files that are being written, or somebody's own. What stands in the
// place of something else, and a link to wherever, is looked at as a file, whose
// problem is said.
func sortOf(p string, kind fs.FileMode) tree.Sort {
	if strings.HasPrefix(tree.Base(p), ".") {
		return tree.Passed
	}
	dir, rest := split(p)
	link := kind&fs.ModeSymlink != 0 || kind&fs.ModeIrregular != 0
	switch {
	case rest == "" && dir != "":
		return sorted(kind.IsDir(), link)
	case rest == "", rest == messagesName, rest == keysName, rest == registrationsName,
		rest == messagesName+"/"+Inbox, rest == messagesName+"/"+Sent:
		return sorted(kind.IsDir(), true)
	case rest == configName, rest == publicName, rest == privateName:
		return tree.Wanted
	case boxOf(rest) != "":
		return sorted(kind.IsDir(), link || strings.HasSuffix(rest, ext))
	case partOf(p) == partRegistration:
		return sorted(false, !kind.IsDir())
	}
	return tree.Passed
}

func sorted(folder, wanted bool) tree.Sort {
	switch {
	case folder:
		return tree.Entered
	case wanted:
		return tree.Wanted
	}
	return tree.Passed
}

// rank has the few files that say who somebody is looked at before their mail.
func rank(folder string) int {
	if _, rest := split(folder); rest == messagesName {
		return 1
	}
	return 0
}

// limits bound what is looked at in a root. The deepest folder that a client makes
// is agents/<name>/messages/<box>/<peer>.
func limits() tree.Limits {
	return tree.Limits{Depth: 8, Files: 200_000, Folders: 20_000, Entries: 200_000}
}
