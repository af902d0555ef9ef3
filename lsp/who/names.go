package who

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

const (
	// maxNames is the largest number of recorded names. Names of removed work trees are
	// dropped first, then the oldest.
	maxNames = 2000
	// maxNote is the length in bytes of the longest note that is read.
	maxNote = 4 << 20
	// noteTimeout is how long to wait for the note's lock: an agent waits for its hook.
	noteTimeout = 2 * time.Second
)

// named is a name that belongs to a work tree, in one message directory.
type named struct {
	Mail string `json:"mail"`
	Tree string `json:"tree"`
	Name string `json:"name"`
	// Plain is the name by the reference's rule. File is set if a file gave it.
	Plain string `json:"plain,omitempty"`
	File  bool   `json:"file,omitempty"`
	// Also is set if the work tree also gets the mail to the plain name.
	Also bool `json:"also,omitempty"`
}

// holds reports whether the work tree gets the mail to a name. Names that differ only in case
// are one file on some disks.
func (n *named) holds(name string) bool {
	return strings.EqualFold(n.Name, name) || n.Also && strings.EqualFold(n.Plain, name)
}

// note is the file in the state folder that records which name belongs to which work tree. If
// it is lost, it is made again from the known sessions.
type note struct {
	file  *statefile.File
	list  []named
	mail  string
	state string
}

func openNote(stateDir, mail string) *note {
	n := &note{mail: Real(mail), state: stateDir}
	n.file = statefile.At(statefile.Config{
		Path: filepath.Join(stateDir, "names.json"), What: "names of work trees:", Limit: maxNote, Cache: true, Take: n.take,
	})
	return n
}

// take stores the content of the file. A note that cannot be understood counts as empty: the
// sessions have all its names.
func (n *note) take(data []byte) error {
	var read struct {
		Names []named `json:"names"`
	}
	if json.Unmarshal(data, &read) != nil {
		read.Names = nil
	}
	n.list = slices.DeleteFunc(read.Names, func(e named) bool { return !samp.ValidAlias(e.Name) || !filepath.IsAbs(e.Tree) })
	if len(n.list) == 0 {
		n.list = n.rebuilt()
	}
	return nil
}

// rebuilt returns the names of the sessions of the last day.
func (n *note) rebuilt() (list []named) {
	sessions, _ := activity.At(n.state).Peek()
	slices.SortStableFunc(sessions, func(a, b activity.Session) int { return cmp.Compare(a.Since, b.Since) })
	for _, s := range sessions {
		e := named{Mail: s.Mail, Tree: s.Project, Name: s.Alias, Plain: s.Also, Also: s.Also != ""}
		if s.Project == "" || !samp.ValidAlias(s.Alias) || slices.ContainsFunc(list, func(o named) bool { return o.Mail == e.Mail && o.holds(e.Name) }) {
			continue
		}
		e.Plain = cmp.Or(e.Plain, s.Alias)
		list = append(list, e)
	}
	return list
}

// find returns the recorded name of a folder's work tree.
func (n *note) find(f *folder, tree string) (named, bool) {
	for _, e := range n.list {
		if e.Mail != n.mail || !sameTree(e.Tree, tree) || e.File != (f.file != "") {
			continue
		}
		if e.Plain == f.plain || !e.File {
			return e, true
		}
	}
	return named{}, false
}

// holder returns the work tree other than tree that a name belongs to. A removed work tree
// has no names.
func (n *note) holder(name, tree string) (named, bool) {
	for _, e := range n.list {
		if e.Mail == n.mail && e.holds(name) && !sameTree(e.Tree, tree) && isTree(e.Tree) {
			return e, true
		}
	}
	return named{}, false
}

// name returns the name of a folder's work tree, and records a new one if record is set. A
// name that cannot be recorded is chosen again next time, with the same result.
func (n *note) name(f *folder, person string, record bool) (named, bool) {
	tree := Real(f.root)
	_ = n.file.Look() // an unreadable note counts as empty
	if e, ok := n.find(f, tree); ok {
		return e, true
	}
	e, ok := n.choose(f, tree, person)
	if !ok || !record {
		return e, ok
	}
	ctx, cancel := context.WithTimeout(context.Background(), noteTimeout)
	defer cancel()
	_ = n.file.Change(ctx, func(replace func([]byte) error) error {
		if there, ok := n.find(f, tree); ok {
			e = there // another process was first
			return nil
		}
		if e, ok = n.choose(f, tree, person); !ok {
			return nil
		}
		data, err := json.Marshal(map[string][]named{"names": n.with(e)})
		if err != nil {
			return err
		}
		return replace(append(data, '\n'))
	})
	return e, ok
}

// with returns the list with one more name, at most [maxNames] long. An earlier holder of the
// name is a removed work tree, and is dropped.
func (n *note) with(e named) []named {
	list := slices.DeleteFunc(slices.Clone(n.list), func(o named) bool { return o.Mail == e.Mail && o.holds(e.Name) })
	if len(list) >= maxNames {
		list = slices.DeleteFunc(list, func(o named) bool { return !isTree(o.Tree) })
	}
	return append(list[max(0, len(list)-maxNames+1):], e)
}

// choose returns the name for a work tree: the first of its candidates that no other work
// tree has. A candidate other than the plain name must also be unknown in the message
// directory.
func (n *note) choose(f *folder, tree, person string) (named, bool) {
	aliases := n.aliases()
	known := func(name string) bool {
		return slices.ContainsFunc(aliases, func(a string) bool { return strings.EqualFold(a, name) })
	}
	free := func(name string) bool {
		_, held := n.holder(name, tree)
		return name != "" && !held && !strings.EqualFold(name, person)
	}
	e := named{Mail: n.mail, Tree: tree, Plain: f.plain, File: f.file != ""}
	list := f.candidates(known)
	for i := 2; i <= maxDepth && len(list) > 0; i++ {
		list = append(list, alias(f.numbered(i)))
	}
	for _, name := range list {
		if free(name) && (name == f.plain || !known(name)) {
			e.Name = name
			break
		}
	}
	e.Also = e.Name != f.plain && free(f.plain)
	return e, e.Name != ""
}

// aliases lists the aliases in the message directory.
func (n *note) aliases() []string {
	d, err := sampstore.Open(n.mail)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Aliases()
	return list
}

// sameTree reports whether two paths are one folder. On some disks they may differ in case.
func sameTree(a, b string) bool {
	return a == b || strings.EqualFold(a, b) && disk.SameSpelling(a, b)
}

// Real returns a path with its links resolved, or only cleaned if it does not exist.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}
