package who

import (
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// Known is a name that an agent has, or would have if one began to work in a work tree.
type Known struct {
	Name, Tree string
	// Branch is what is checked out there, or "" if that is unknown.
	Branch string
}

// maxKnown is the largest number of work trees that are looked up in repositories.
const maxKnown = 100

// Others returns the names in a message directory that belong to existing work trees: the
// recorded names, then names for the repositories around folders. The folders must be
// trusted, because a name is read from a file of the work tree.
func Others(stateDir, mail, person string, folders []string) (list []Known) {
	n := openNote(stateDir, mail)
	_ = n.file.Look() // an unreadable note counts as empty
	for _, e := range n.list {
		if e.Mail == n.mail && isTree(e.Tree) {
			list = append(list, Known{Name: e.Name, Tree: e.Tree})
		}
	}
	looked := 0
	for _, folder := range folders {
		repository, _ := worktree.Find(folder) // outside a repository there are no other work trees
		for _, tree := range repository.Trees {
			if tree.Bare || tree.Missing || looked == maxKnown {
				continue
			}
			looked++
			real := Real(tree.Path)
			if i := slices.IndexFunc(list, func(k Known) bool { return sameTree(k.Tree, real) }); i >= 0 {
				list[i].Branch = tree.Branch
				continue
			}
			f := look(tree.Path, true)
			if f.err != nil || f.root == "" || !isTree(real) {
				continue
			}
			if e, ok := n.choose(&f, real, person); ok {
				n.list = append(n.list, e) // so that the next work tree gets another name
				list = append(list, Known{e.Name, e.Tree, tree.Branch})
			}
		}
	}
	return list
}
