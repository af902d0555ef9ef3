package threads

import (
	"cmp"
	"slices"
	"strings"
)

// sortFolders puts folders in the order of a list: one repository after the
// other as they were found, its main checkout first, then the others by branch,
// and last those that are gone.
func sortFolders(list []Folder) {
	place := make(map[string]int)
	for i := range list {
		if r := list[i].repository(); place[r] == 0 {
			place[r] = len(place) + 1
		}
	}
	slices.SortStableFunc(list, func(a, b Folder) int {
		return cmp.Or(cmp.Compare(place[a.repository()], place[b.repository()]), later(a.Gone, b.Gone), later(b.Main, a.Main), strings.Compare(a.Branch, b.Branch))
	})
}

// repository stands for what the folder belongs to, which may be itself alone.
func (f *Folder) repository() string { return cmp.Or(f.Repository, f.Path) }

// later orders false before true.
func later(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
