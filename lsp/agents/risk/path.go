package risk

import (
	"path"
	"strings"
)

// places holds the folders against which paths are judged. All paths have slashes.
type places struct {
	root, home string
	// dir is where a command runs. lost is set if that is no longer known.
	dir  string
	lost bool
	// windows is set if letters name disks and case does not matter.
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

// slashed returns a path with slashes, cleaned, and in lower case on Windows.
func (p *places) slashed(name string) string {
	if p.windows {
		name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	}
	if name != "" {
		name = path.Clean(name)
	}
	return name
}

// A location is where a path leads, relative to the worktree.
type location uint8

const (
	inside location = iota
	outside
	unknown
)

// absolute reports whether a path is absolute. Windows paths count on every system, since a shell
// on Windows may be taken for another one.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\\`) ||
		len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\') && name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z'
}

// expand returns a word's path with the variables for the home folder and the current folder
// replaced. known is false if other parts are not known.
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

// locate returns where the path of a word leads.
func (p *places) locate(w *word) location {
	name, known := p.expand(w)
	if strings.HasPrefix(name, "~") && w.raw {
		return outside // another user's home folder, or an unknown one
	}
	if !known {
		// An absolute beginning may show that the path is outside.
		head, _, _ := strings.Cut(name, "$")
		head, _, _ = strings.Cut(head, "`")
		if i := strings.LastIndexByte(head, '/'); absolute(head) && i > 0 && p.locateName(head[:i]) == outside {
			return outside
		}
		return unknown
	}
	return p.locateName(name)
}

func (p *places) locateName(name string) location {
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

// enter changes the current folder, as "cd" does.
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
