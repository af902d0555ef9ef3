package who

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// maxDepth is the number of folders above one that are looked at.
const maxDepth = 64

// folder is what one folder reveals about who works there.
type folder struct {
	path string
	// root is the root of the git work tree with the folder, or "".
	root string
	// file is the folder whose .agent-message has the name, or "".
	file string
	// plain is the name by the reference's rule, or "": the name in the file or, without one,
	// the name of the root or folder.
	plain string
	err   error
}

// look looks at a folder and its parents. It reads files in them only if they are trusted.
func look(path string, trusted bool) folder {
	f := folder{path: path}
	above := ToRoot(path)
	last := above[len(above)-1]
	if isTree(last) {
		f.root = last
	}
	if trusted {
		for _, at := range above {
			if f.plain, f.err = readAlias(at); f.plain != "" || f.err != nil {
				f.file = at
				return f
			}
		}
	}
	if name := filepath.Base(last); samp.ValidAlias(name) {
		f.plain = name
	}
	return f
}

// choice returns the name by the reference's rule, and where it came from.
func (f *folder) choice() environ.Choice {
	switch {
	case f.file == f.path && f.plain != "":
		return environ.Choice{Value: f.plain, Origin: aliasFile}
	case f.file != "":
		return environ.Choice{Value: f.plain, Origin: filepath.Join(f.file, aliasFile)}
	case f.plain == "":
		return environ.Choice{Value: "unknown", Origin: "nothing names an alias"}
	case f.root != "" && f.root != f.path:
		return environ.Choice{Value: f.plain, Origin: "the work tree's name"}
	}
	return environ.Choice{Value: f.plain, Origin: "the folder's name"}
}

// ToRoot returns a folder and its parents up to the root of its git work tree, or only the
// folder if it is in none.
func ToRoot(path string) []string {
	list := []string{path}
	for range maxDepth {
		at := list[len(list)-1]
		if isTree(at) {
			return list
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		list = append(list, up)
	}
	return list[:1]
}

// Tree returns the root of the git work tree with a folder, or the folder if it is in none.
func Tree(path string) string {
	above := ToRoot(path)
	return above[len(above)-1]
}

// isTree reports whether a folder looks like the root of a git work tree.
func isTree(path string) bool {
	_, err := os.Lstat(filepath.Join(path, ".git"))
	return err == nil
}

// generic are folder names that do not reveal who works there.
var generic = []string{"main", "master", "trunk", "src", "repo", "work"}

// candidates returns the names that a work tree may have, best first. known reports whether
// the message directory knows a name.
func (f *folder) candidates(known func(string) bool) (list []string) {
	base := filepath.Base(f.root)
	repository, parent := base, filepath.Base(filepath.Dir(f.root))
	if r, err := worktree.Find(f.root); err == nil && r.CommonDir != "" {
		repository, parent = repositoryName(r.CommonDir)
	}
	long := []string{base}
	if repository != base {
		long = []string{repository, base}
	}
	isGeneric := f.file == "" && (f.plain == "" || slices.Contains(generic, strings.ToLower(f.plain)) || isDir(filepath.Join(filepath.Dir(f.root), ".bare")))
	if isGeneric && !known(f.plain) {
		list = append(list, repository)
	} else {
		list = append(list, f.plain)
	}
	list = append(list, strings.Join(long, "-"), strings.Join(append([]string{parent}, long...), "-"))
	for i := range list {
		list[i] = alias(list[i])
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// repositoryName returns the name of a repository and of its parent folder, by its common git
// directory. The name is the directory's own name, or the parent's name for a directory such
// as .git or .bare.
func repositoryName(common string) (name, parent string) {
	name = strings.TrimSuffix(filepath.Base(common), ".git")
	if name == "" || strings.HasPrefix(name, ".") {
		common = filepath.Dir(common)
		name = filepath.Base(common)
	}
	return name, filepath.Base(filepath.Dir(common))
}

// alias returns a name as an alias: characters that an alias may not have become hyphens. It
// is "" if nothing is left.
func alias(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r < 0x80 && (names.Alphanumeric(byte(r)) || strings.ContainsRune("._-", r)) {
			return r
		}
		return '-'
	}, name)
	safe = strings.Trim(safe, "._-")
	safe = strings.TrimRight(safe[:min(len(safe), 64)], "._-")
	if samp.CheckAlias(safe) != nil {
		return ""
	}
	return safe
}

// numbered returns a name to try after all candidates.
func (f *folder) numbered(i int) string { return filepath.Base(f.root) + "-" + strconv.Itoa(i) }
