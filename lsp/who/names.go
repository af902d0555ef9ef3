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
	// maxNames is how many names of work trees are noted. Those of trees that are gone are
	// forgotten first, then the oldest.
	maxNames = 2000
	// maxNote is the length in bytes of the longest note that is read.
	maxNote = 4 << 20
	// noteLimit is how long the note's lock is waited for: an agent waits for its hook.
	noteLimit = 2 * time.Second
)

// named says that a name belongs to a work tree, in one message directory.
type named struct {
	Mail string `json:"mail"`
	Tree string `json:"tree"`
	Name string `json:"name"`
	// Plain is the name by the reference's rule, and File whether a file gave it.
	Plain string `json:"plain,omitempty"`
	File  bool   `json:"file,omitempty"`
	// Also is set if mail to the plain name is the work tree's, too.
	Also bool `json:"also,omitempty"`
}

// holds reports whether mail to a name is the work tree's. Names that differ only in case
// are one file on some disks.
func (n *named) holds(name string) bool {
	return strings.EqualFold(n.Name, name) || n.Also && strings.EqualFold(n.Plain, name)
}

// note is which name belongs to which work tree, as the state folder has it. It is made
// again from the sessions that are known if it is lost.
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

// take takes the note in. One that cannot be understood is none: it holds nothing that the
// sessions do not tell.
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

// rebuilt returns the names by which the sessions of the last day go.
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

// of returns the name that is noted for a folder's work tree.
func (n *note) of(f *folder, tree string) (named, bool) {
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

// holder returns the work tree that a name belongs to, other than one. A work tree that is
// gone holds none.
func (n *note) holder(name, tree string) (named, bool) {
	for _, e := range n.list {
		if e.Mail == n.mail && e.holds(name) && !sameTree(e.Tree, tree) && isTree(e.Tree) {
			return e, true
		}
	}
	return named{}, false
}

// name returns the name of a folder's work tree, and writes it down the first time if keep
// is set. What cannot be written down is worked out anew, to the same name.
func (n *note) name(f *folder, person string, keep bool) (named, bool) {
	tree := Real(f.root)
	_ = n.file.Look() // without it nothing is noted
	if e, ok := n.of(f, tree); ok {
		return e, true
	}
	e, ok := n.choose(f, tree, person)
	if !ok || !keep {
		return e, ok
	}
	ctx, cancel := context.WithTimeout(context.Background(), noteLimit)
	defer cancel()
	_ = n.file.Change(ctx, func(replace func([]byte) error) error {
		if there, ok := n.of(f, tree); ok {
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

// with returns the list with a name more, and without what was forgotten. Whoever held the
// name before is gone.
func (n *note) with(e named) []named {
	list := slices.DeleteFunc(slices.Clone(n.list), func(o named) bool { return o.Mail == e.Mail && o.holds(e.Name) })
	if len(list) >= maxNames {
		list = slices.DeleteFunc(list, func(o named) bool { return !isTree(o.Tree) })
	}
	return append(list[max(0, len(list)-maxNames+1):], e)
}

// choose works out the name of a work tree: the first of its candidates that no other one
// holds, and nobody else is known by.
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

// aliases lists who is known in the message directory.
func (n *note) aliases() []string {
	d, err := sampstore.Open(n.mail)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Aliases()
	return list
}

// sameTree reports whether two paths are one folder: on some disks they may differ in case.
func sameTree(a, b string) bool {
	return a == b || strings.EqualFold(a, b) && disk.SameSpelling(a, b)
}

// Real returns a path without links, as far as it exists.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}
