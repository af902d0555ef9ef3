package who

import "slices"

// Known is a name that an agent has, or would have if one began to work in a work tree.
type Known struct{ Name, Tree string }

// maxKnown is how many work trees are named that no agent has begun to work in.
const maxKnown = 100

// Others returns the names in a message directory that belong to work trees which are there:
// those that were noted, then those of some work trees.
func Others(stateDir, mail, person string, trees []string) (list []Known) {
	n := openNote(stateDir, mail)
	_ = n.file.Look() // without it nothing is noted
	for _, e := range n.list {
		if e.Mail == n.mail && isTree(e.Tree) {
			list = append(list, Known{e.Name, e.Tree})
		}
	}
	for _, tree := range trees[:min(len(trees), maxKnown)] {
		real := Real(tree)
		f := look(tree, true)
		if f.err != nil || f.root == "" || !isTree(real) || slices.ContainsFunc(list, func(k Known) bool { return sameTree(k.Tree, real) }) {
			continue
		}
		if e, ok := n.choose(&f, real, person); ok {
			n.list = append(n.list, e) // the next of this name has another one
			list = append(list, Known{e.Name, e.Tree})
		}
	}
	return list
}
