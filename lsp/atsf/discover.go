package atsf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// Limits of the search below a workspace folder that holds several projects.
const (
	maxBelow  = 1000
	maxPlaces = 2000
)

// project lists the folders of a workspace that may hold threads (rules L5 and L6).
type project struct {
	places   []Folder
	problems []Problem
	// gitDirs are the git directories that change when a checkout is added or removed or switches
	// branches. roots are the workspace folders.
	gitDirs, roots []string

	at map[string]int // index in places, by path
	// folded finds places whose paths differ only in case.
	folded map[string][]int
	repos  map[string]bool // common directories that were read
	found  []worktree.Repository
	// full is set once a place was left out.
	full bool
	// find is worktree.Find; a test counts its calls.
	find func(string) (worktree.Repository, error)
}

// discover finds the folders that may hold threads: each workspace folder's own .agent, every
// checkout of its repository, and the repositories and .agent folders one level below.
// Worktrees may be anywhere, so they are found by git's own records (rule Z13). If inside is
// set, only the workspace folders are searched, without git's records.
func discover(ctx context.Context, folders []string, inside bool) *project {
	p := newProject()
	if inside {
		p.find = func(string) (worktree.Repository, error) { return worktree.Repository{}, fs.ErrNotExist }
	}
	for _, f := range folders {
		if ctx.Err() != nil {
			break
		}
		p.workspace(ctx, f)
	}
	return p
}

func newProject() *project {
	return &project{at: make(map[string]int), folded: make(map[string][]int), repos: make(map[string]bool), find: worktree.Find}
}

func (p *project) workspace(ctx context.Context, folder string) {
	real, err := resolve(folder)
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(real); err == nil && !info.IsDir() {
			err = errors.New("is no directory")
		}
	}
	if err != nil {
		p.problems = append(p.problems, Problem{Path: folder, Reason: fmt.Sprintf("cannot be opened: %v", disk.Cause(err))})
		return
	}
	p.roots = append(p.roots, real)
	here := Folder{Path: real}
	found := p.repository(real, &here)
	if exists(filepath.Join(real, atsf.DirName)) {
		p.add(here)
		found = true
	}
	below, cut := p.below(ctx, real)
	if cut && !found {
		p.problems = append(p.problems, Problem{
			Path: real, Rule: "L6", Reason: fmt.Sprintf("holds more than %d entries, and projects were looked for among those only", maxBelow),
			Advice: "open the project's own folder",
		})
	}
	if !below && !found {
		// There is no thread yet, but one can be created here.
		p.add(here)
	}
}

// below looks for projects in the directories of a workspace folder. cut is set if there were
// more than it looks at. Links are not followed, because their targets are not part of the
// folder.
func (p *project) below(ctx context.Context, folder string) (found, cut bool) {
	root, err := disk.OpenRoot(folder)
	if err != nil {
		return false, false
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return false, false
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxBelow)
	if err != nil {
		return false, false
	}
	if len(entries) == maxBelow {
		more, _ := dir.Readdirnames(1)
		cut = len(more) > 0
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return found, cut
		}
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		at := filepath.Join(folder, e.Name())
		if i, ok := p.at[at]; ok && p.places[i].Git {
			// A checkout of a repository that was read already. Reading it again for each checkout
			// takes seconds if there are hundreds.
			found = true
			continue
		}
		here := Folder{Path: at}
		if exists(filepath.Join(at, ".git")) {
			found = p.repository(at, &here) || found
		}
		if exists(filepath.Join(at, atsf.DirName)) {
			p.add(here)
			found = true
		}
	}
	return found, cut
}

// repository adds the checkouts of the repository that contains a path, and sets in here what
// is checked out there.
func (p *project) repository(path string, here *Folder) (found bool) {
	r, err := p.find(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			p.problems = append(p.problems, Problem{Path: path, Rule: "L6", Reason: err.Error()})
		}
		return false
	}
	if t, ok := r.At(path); ok {
		here.Repository, here.Branch, here.Head = r.CommonDir, t.Branch, t.Head
		found = true
	}
	if p.repos[r.CommonDir] && r.CommonDir != "" {
		return found
	}
	p.repos[r.CommonDir] = true
	p.found = append(p.found, r)
	const advice = "git worktree repair may help"
	for i, w := range r.Problems {
		if i == maxProblems {
			p.problems = append(p.problems, Problem{Path: r.CommonDir, Rule: "L6", Reason: fmt.Sprintf("has %d more such faults", len(r.Problems)-i), Advice: advice})
			break
		}
		p.problems = append(p.problems, Problem{Path: w.File, Rule: "L6", Reason: w.Reason, Advice: cmp.Or(w.Advice, advice)})
	}
	if r.CommonDir != "" {
		trees := filepath.Join(r.CommonDir, "worktrees")
		p.gitDirs = append(p.gitDirs, r.CommonDir, trees)
		for _, w := range r.Problems {
			// git may be at work and add the missing files of a new worktree soon.
			if dir := filepath.Dir(w.File); filepath.Dir(dir) == trees {
				p.gitDirs = append(p.gitDirs, dir)
			}
		}
	}
	for _, t := range r.Trees {
		if t.GitDir != "" && t.GitDir != r.CommonDir {
			p.gitDirs = append(p.gitDirs, t.GitDir)
		}
		if t.Path == "" {
			continue
		}
		p.add(Folder{Path: t.Path, Repository: r.CommonDir, Branch: t.Branch, Head: t.Head, Main: t.Main, Git: true, Gone: t.Missing})
		if !t.Missing {
			found = true
		}
	}
	return found
}

// add adds a place unless it is known. What git reports about a folder replaces what its path
// tells.
func (p *project) add(f Folder) {
	if i, ok := p.same(f.Path); ok {
		if f.Git && !p.places[i].Git {
			f.Path, f.ID = p.places[i].Path, p.places[i].ID
			p.places[i] = f
		}
		return
	}
	if len(p.places) == maxPlaces {
		if !p.full {
			p.full = true
			p.problems = append(p.problems, Problem{Path: f.Path, Reason: fmt.Sprintf("there are more than %d folders with threads; this one and the others are not looked at", maxPlaces)})
		}
		return
	}
	f.ID = FolderID(f.Path)
	p.at[f.Path] = len(p.places)
	fold := strings.ToLower(f.Path)
	p.folded[fold] = append(p.folded[fold], len(p.places))
	p.places = append(p.places, f)
}

// same finds a place by its path, or by another spelling of the path if the file system
// ignores case.
func (p *project) same(path string) (int, bool) {
	if i, ok := p.at[path]; ok {
		return i, true
	}
	for _, i := range p.folded[strings.ToLower(path)] {
		a, errA := os.Stat(path)
		b, errB := os.Stat(p.places[i].Path)
		if errA == nil && errB == nil && os.SameFile(a, b) {
			return i, true
		}
	}
	return 0, false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Checkouts returns the folders in which agents may work for a workspace: its folders and
// every checkout of their repositories, including removed ones that git still lists. roots are
// the opened folders, free of links. No thread is read.
func Checkouts(ctx context.Context, folders []string) (places []Folder, repos []worktree.Repository, roots []string) {
	p := discover(ctx, folders, false)
	return p.places, p.found, p.roots
}
