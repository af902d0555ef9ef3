package worktree

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// refReader looks up the commits of checkouts.
type refReader struct {
	*finder
	common   string
	reftable bool
	// wanted are the refs without a file of their own, each with the git directories that need it.
	wanted   map[string][]string
	reported bool
}

// maxRefs is the longest chain of refs that is followed.
const maxRefs = 5

// head reads a checkout's branch, and its commit if the ref has a file.
func (r *refReader) head(t *Tree) {
	file := filepath.Join(t.GitDir, "HEAD")
	ref, commit, err := readRef(file)
	if err != nil {
		r.problem(file, reason(err))
		return
	}
	if ref == unknownRef || r.reftable && ref != "" {
		if ref, commit, err = tableHead(t.GitDir); err != nil {
			if !r.reported {
				r.reported = true
				r.problem(file, "the branch is not known: its reftable "+reason(err))
			}
			return
		}
		t.Branch, t.Head = strings.TrimPrefix(ref, "refs/heads/"), commit
		return
	}
	if ref == "" {
		t.Head = commit
		return
	}
	first := ref
	for range maxRefs {
		// The branch is the last ref in the chain, as for git.
		t.Branch = strings.TrimPrefix(ref, "refs/heads/")
		file = filepath.Join(r.common, filepath.FromSlash(ref))
		next, commit, err := readRef(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if r.wanted == nil {
				r.wanted = make(map[string][]string)
			}
			r.wanted[ref] = append(r.wanted[ref], t.GitDir)
			return
		case err != nil:
			r.problem(file, reason(err))
			return
		case next == "":
			t.Head = commit
			return
		}
		ref = next
	}
	r.problem(filepath.Join(r.common, filepath.FromSlash(first)), "leads from ref to ref without an end")
}

// readRef reads HEAD or a ref. In very old repositories HEAD is a link.
func readRef(file string) (ref, commit string, err error) {
	if target, err := os.Readlink(file); err == nil && strings.HasPrefix(target, "refs/") {
		return parseRef([]byte("ref: " + target))
	}
	data, err := readSmall(file, maxLine)
	if err != nil {
		if info, e := os.Stat(file); errors.Is(err, syscall.ENOTDIR) || e == nil && info.IsDir() {
			// The path is a folder of other refs.
			err = fs.ErrNotExist
		}
		return "", "", err
	}
	return parseRef(data)
}

// packed sets the commits that are in packed-refs, in one pass for all checkouts.
func (r *refReader) packed(trees []Tree) {
	if len(r.wanted) == 0 {
		return
	}
	path := filepath.Join(r.common, "packed-refs")
	f, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.problem(path, reason(err))
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxPacked))
	for len(r.wanted) > 0 && lines.Scan() {
		packed(lines.Bytes(), func(ref, commit string) {
			for _, dir := range r.wanted[ref] {
				for i := range trees {
					if trees[i].GitDir == dir {
						trees[i].Head = commit
					}
				}
			}
			delete(r.wanted, ref)
		})
	}
	if err := lines.Err(); err != nil {
		r.problem(path, "holds a line that is too long")
	}
}
