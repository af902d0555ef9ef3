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

// What is looked at below a workspace folder that holds several projects.
const (
	maxBelow  = 1000
	maxPlaces = 2000
)

// project is where the threads of a workspace stand (rules L5 and L6).
type project struct {
	places   []Folder
	problems []Problem
	// gitDirs are git's directories in which a checkout, or what is checked
	// out, changes; roots are the workspace folders.
	gitDirs, roots []string

	at map[string]int // place by path
	// folded finds places whose paths differ in case alone.
	folded map[string][]int
	repos  map[string]bool // common directories that were looked at
	found  []worktree.Repository
	// crowded is set where a place was left out.
	crowded bool
	// find is worktree.Find; a test counts.
	find func(string) (worktree.Repository, error)
}

// discover finds the folders that threads can stand in: for each workspace
// folder its own .agent, every checkout of the repository that it stands in,
// and the repositories and .agent folders one level below. Worktrees are found
// by git's bookkeeping, since they may lie anywhere (rule Z13). With inside nothing is looked
// for outside of the workspace folders, and so not in git's bookkeeping.
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
		// There is no thread yet, and this is where one can be made.
		p.add(here)
	}
}

// below looks for projects in the directories of a workspace folder; cut tells
// that there are more of them than are looked at. Links are
// not followed: what they lead to is no part of the folder.
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
			// A checkout of a repository that was looked at. Looking at it again
			// for each of its checkouts takes seconds where there are hundreds.
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

// repository adds the checkouts of the repository that contains a path, and
// says in here what is checked out there.
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
			// git may be at work: what the directory of a new worktree still lacks comes.
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

// add puts a place in unless it is there. What git says of a folder counts
// over what its path says.
func (p *project) add(f Folder) {
	if i, ok := p.same(f.Path); ok {
		if f.Git && !p.places[i].Git {
			f.Path, f.ID = p.places[i].Path, p.places[i].ID
			p.places[i] = f
		}
		return
	}
	if len(p.places) == maxPlaces {
		if !p.crowded {
			p.crowded = true
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

// same finds a place by its path, or by another spelling of it on a file system
// that takes no notice of case.
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

// Checkouts returns the folders in which agents may work on what the workspace's folders
// hold: these and every checkout of their repositories, those too that git lists and that
// are gone. Roots are the opened folders, free of links. It reads no thread.
func Checkouts(ctx context.Context, folders []string) (places []Folder, repos []worktree.Repository, roots []string) {
	p := discover(ctx, folders, false)
	return p.places, p.found, p.roots
}
