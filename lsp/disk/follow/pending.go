package follow

import (
	"maps"
	"path"
	"slices"
)

// manyEvents is the number of names in one folder above which the whole folder is looked at.
const manyEvents = 200

// pending holds the paths of the source to look at, or everything, as events ask for it.
type pending struct {
	all   bool
	paths map[string]bool
}

func (p *pending) empty() bool { return !p.all && len(p.paths) == 0 }

// list returns the paths, none of them within another.
func (p *pending) list() []string {
	count := make(map[string]int)
	for at := range p.paths {
		count[path.Dir(at)]++
	}
	for at, n := range count {
		if n > manyEvents && at != "." {
			p.paths[at] = true
		}
	}
	list := make([]string, 0, len(p.paths))
	for _, at := range slices.Sorted(maps.Keys(p.paths)) {
		if !p.within(at) {
			list = append(list, at)
		}
	}
	return list
}

// within reports whether a folder around a path is pending.
func (p *pending) within(at string) bool {
	for {
		up := path.Dir(at)
		if up == at || up == "." {
			return false
		}
		if p.paths[up] {
			return true
		}
		at = up
	}
}
