package mailbox

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// folders lists what is to be watched, relative to the root: first where mailboxes
// come, then where mail does, the newest first, then what changes seldom. It is nil
// where the root is not there.
func (s *state) folders() []string {
	if s.tree.Root == nil {
		return nil
	}
	type target struct {
		at   string
		rank int
		last int64
	}
	var all []target
	s.tree.Each(func(n *tree.Node[*record], _ int) {
		if n.Err != nil {
			return
		}
		rank := 2
		switch _, rest := split(n.Path); {
		case n.Path == "" || n.Path == agentsName:
			rank = 0
		case boxOf(rest+"/") != "":
			rank = 1
		}
		all = append(all, target{n.Path, rank, n.Mtime})
	})
	slices.SortFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.last, a.last), cmp.Compare(a.at, b.at))
	})
	paths := make([]string, len(all))
	for i, t := range all {
		paths[i] = t.at
	}
	return paths
}
