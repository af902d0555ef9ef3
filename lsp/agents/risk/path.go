package risk

import (
	"path"
	"strings"
)

// places are the folders that paths are judged by, with slashes.
type places struct {
	root, home string
	// dir is where a command runs, and lost is set if that is not known any more.
	dir  string
	lost bool
	// windows is set where letters name disks, and upper and lower case are the same.
	windows bool
}

func placesOf(r *Request) places {
	p := places{windows: r.Windows}
	p.home, p.dir = p.slashed(r.Home), p.slashed(r.Folder)
	p.root = p.slashed(r.Worktree)
	if p.root == "" {
		p.root = p.dir
	}
	if p.dir == "" {
		p.dir = p.root
	}
	return p
}

// slashed returns a path with slashes, as its system compares it.
func (p *places) slashed(name string) string {
	if p.windows {
		name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	}
	if name != "" {
		name = path.Clean(name)
	}
	return name
}

// A spot is where a path leads to.
type spot uint8

const (
	inside spot = iota
	outside
	unknown
)

// absolute reports whether a path begins at a root. Names of Windows count everywhere: a shell
// there may be told to be another one.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\\`) ||
		len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\') && name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z'
}

// expand returns a word's path with what is known put in: the user's folder, and the one that the
// command runs in.
func (p *places) expand(w *word) (name string, known bool) {
	name, known = w.text, !w.open
	if w.raw && (name == "~" || strings.HasPrefix(name, "~/") || strings.HasPrefix(name, `~\`)) {
		return p.at(p.home, name[1:]), p.home != ""
	}
	for variable, value := range map[string]string{"$HOME": p.home, "${HOME}": p.home, "$env:USERPROFILE": p.home, "$PWD": p.dir, "${PWD}": p.dir} {
		rest, ok := strings.CutPrefix(name, variable)
		if ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
			return p.at(value, rest), value != "" && !strings.ContainsAny(rest, "$`") && !(p.lost && strings.Contains(variable, "PWD"))
		}
	}
	return name, known
}

func (p *places) at(folder, rest string) string {
	if folder == "" {
		return "~" + rest
	}
	return folder + rest
}

// spotOf returns where the path of a word leads to.
func (p *places) spotOf(w *word) spot {
	name, known := p.expand(w)
	if strings.HasPrefix(name, "~") && w.raw {
		return outside // another user's folder, or one whose place is not known
	}
	if !known {
		// Of a path that begins with what is known the beginning tells.
		head, _, _ := strings.Cut(name, "$")
		head, _, _ = strings.Cut(head, "`")
		if i := strings.LastIndexByte(head, '/'); absolute(head) && i > 0 && p.spotOfName(head[:i]) == outside {
			return outside
		}
		return unknown
	}
	return p.spotOfName(name)
}

func (p *places) spotOfName(name string) spot {
	if p.windows || strings.Contains(name, `\`) && !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	if !absolute(name) && !strings.HasPrefix(name, "//") {
		if p.lost {
			return unknown
		}
		name = p.dir + "/" + name
		if p.dir == "" {
			name = path.Clean(strings.TrimPrefix(name, "/"))
			if name == ".." || strings.HasPrefix(name, "../") {
				return outside
			}
			return inside
		}
	}
	name = p.slashed(name)
	switch root := p.root; {
	case root == "":
		return outside
	case name == root, strings.HasPrefix(name, strings.TrimSuffix(root, "/")+"/"):
		return inside
	}
	return outside
}

// enter changes the folder, as "cd" does.
func (p *places) enter(w *word) {
	name, known := p.expand(w)
	switch {
	case !known || name == "-" || strings.HasPrefix(name, "~"):
		p.lost = true
	case absolute(name):
		p.dir, p.lost = p.slashed(name), false
	case !p.lost:
		p.dir = p.slashed(p.dir + "/" + name)
	}
}
