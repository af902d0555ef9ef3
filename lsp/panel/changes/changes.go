// Package changes answers requests for the files that agents changed. Start with [Differ].
package changes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/list"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

const (
	// changesMost is the largest number of files in a list, branchesMost of branches.
	changesMost  = 300
	branchesMost = 50
	// textMost is the length in bytes of the longest text that is shown.
	textMost = 1 << 20
	// probed is how many bytes of a file are searched for a NUL, which no text has.
	probed = 8000
	// gitTime is how long git may take.
	gitTime = 30 * time.Second
)

// Differ answers requests for changed files.
type Differ struct{ *agents.Follower }

// Changes returns the files that were changed in a thread, a worktree or a branch.
func (d Differ) Changes(ctx context.Context, q panel.ChangesParams) (panel.ChangesPage, error) {
	now := d.At(d.Look(ctx))
	if q.Thread != nil {
		return threadChanges(ctx, now.Look, *q.Thread)
	}
	folder, err := d.workTree(now, q.Folder)
	if err != nil {
		return panel.ChangesPage{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	git := worktree.Git{Env: d.Options.Env.Vars}
	c, err := git.Changes(ctx, folder, q.Branch)
	if err != nil {
		return panel.ChangesPage{}, gitFailure(err)
	}
	page := panel.ChangesPage{Root: show.Line(c.Root), Main: show.Line(c.Main), Files: []panel.ChangedFile{}}
	known := c.Files[:min(len(c.Files), changesMost)]
	page.More = len(c.Files) - len(known)
	for k := range known {
		page.Files = append(page.Files, fileOf(&c, &known[k], q.Branch != ""))
	}
	if q.Branch == "" {
		page.Files = append(page.Files, editedBesides(ctx, now.Look, &git, &c, folder)...)
		page.Branches = branches(ctx, &git, c.Root)
	}
	limit(&page)
	return page, nil
}

// threadChanges returns the files that an agent changed in the newest messages of its thread.
func threadChanges(ctx context.Context, look *view.Look, thread panel.Ref) (panel.ChangesPage, error) {
	head, err := look.Views.Newest(ctx, thread, 1)
	if err != nil {
		return panel.ChangesPage{}, err
	}
	var page panel.ChangesPage
	groups := list.Groups(look.Views, &panel.InboxFilter{})
	if at := slices.IndexFunc(groups, func(g panel.Group) bool { return g.ID == head.Thread.Group }); at >= 0 {
		page.Root = groups[at].Path
	}
	found := look.Views.Changes(ctx, thread)
	page.Files, page.Cut = append([]panel.ChangedFile{}, panel.FilesOf(found.Changes, page.Root)...), found.Cut
	limit(&page)
	return page, nil
}

// limit sorts the files of a page, files in the worktree first, and cuts them to changesMost.
func limit(page *panel.ChangesPage) {
	slices.SortStableFunc(page.Files, func(a, b panel.ChangedFile) int {
		return cmp.Or(panel.Rank(filepath.IsAbs(a.Path))-panel.Rank(filepath.IsAbs(b.Path)), strings.Compare(a.Path, b.Path))
	})
	if more := len(page.Files) - changesMost; more > 0 {
		page.Files, page.More = page.Files[:changesMost], page.More+more
	}
}

// workTree returns the folder that a client shows as shown. It must be a checkout of an opened
// repository, or a folder in which a session works: git runs nowhere else.
func (d Differ) workTree(now *agents.Moment, shown string) (string, error) {
	if err := d.Trusted("compared"); err != nil {
		return "", err
	}
	for _, c := range now.Views.Checkouts() {
		if !c.Gone && show.Line(c.Path) == shown {
			return c.Path, nil
		}
	}
	for k := range now.Sessions {
		s := &now.Sessions[k]
		for _, folder := range []string{s.Worktree, s.Folder} {
			if folder != "" && show.Line(folder) == shown {
				return folder, nil
			}
		}
	}
	return "", &panel.Error{Kind: panel.NotFound, Message: "the folder is none in which an agent works"}
}

// fileOf describes a file that git lists. committed is set if its new text is from a branch.
func fileOf(c *worktree.Changes, f *worktree.Change, committed bool) panel.ChangedFile {
	it := panel.ChangedFile{Path: show.Line(f.Path), Status: panel.ChangeStatus(f.Status), Before: f.Before, After: f.After}
	switch {
	case f.Kind != "":
		it.Unshown = panel.UnshownReason(f.Kind)
	case it.Path != f.Path:
		it.Unshown = panel.UnshownName
	case !committed && f.Status != worktree.Deleted:
		it.After = ""
		_, it.Unshown = readable(worktree.File(c.Root, f.Path, textMost))
	}
	return it
}

// readable returns the text of a file that was read, or the reason why it is not shown.
func readable(data []byte, err error) (string, panel.UnshownReason) {
	switch {
	case errors.Is(err, worktree.ErrLarge):
		return "", panel.UnshownLarge
	case err != nil:
		return "", panel.UnshownUnreadable
	case bytes.IndexByte(data[:min(len(data), probed)], 0) >= 0 || !utf8.Valid(data):
		return "", panel.UnshownBinary
	}
	return string(data), ""
}

// editedBesides returns the files that agents in a worktree edited and that git does not list: files
// that it ignores, and files outside of the worktree.
func editedBesides(ctx context.Context, look *view.Look, git *worktree.Git, c *worktree.Changes, folder string) []panel.ChangedFile {
	var changes []panel.FileChange
	for _, t := range threadsAt(look, folder) {
		changes = append(changes, look.Views.Changes(ctx, t.Ref).Changes...)
	}
	var inside []string
	for _, ch := range changes {
		if rel := panel.Below(c.Root, ch.Path); !filepath.IsAbs(rel) && !slices.Contains(inside, rel) {
			inside = append(inside, rel)
		}
	}
	ignored, err := git.Ignored(ctx, c.Root, inside)
	if err != nil {
		return nil
	}
	changes = slices.DeleteFunc(changes, func(ch panel.FileChange) bool {
		rel := panel.Below(c.Root, ch.Path)
		return !filepath.IsAbs(rel) && !slices.Contains(ignored, rel)
	})
	return panel.FilesOf(changes, c.Root)
}

// threadsAt returns the agents' threads of the last day in a worktree.
func threadsAt(look *view.Look, folder string) (threads []panel.ThreadItem) {
	groups := list.Groups(look.Views, &panel.InboxFilter{})
	at := slices.IndexFunc(groups, func(g panel.Group) bool { return agents.SamePlace(g.Path, show.Line(folder)) })
	if at < 0 {
		return nil
	}
	for _, t := range look.Recent() {
		if t.Group == groups[at].ID {
			threads = append(threads, t)
		}
	}
	return threads
}

// branches returns the branches of a repository whose names can be shown as they are.
func branches(ctx context.Context, git *worktree.Git, root string) (list []string) {
	all, err := git.Branches(ctx, root, branchesMost)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(name string) bool { return show.Line(name) != name })
}

// ChangeText returns the text of a blob.
func (d Differ) ChangeText(ctx context.Context, q panel.ChangeTextParams) (panel.ChangeText, error) {
	folder, err := d.workTree(d.At(d.LookNow(ctx)), q.Folder)
	if err != nil {
		return panel.ChangeText{}, err
	}
	if strings.Trim(q.Name, "0123456789abcdef") != "" || len(q.Name) < 40 {
		return panel.ChangeText{}, &panel.Error{Kind: panel.Malformed, Message: "the name is not one that a list gave", Detail: "name"}
	}
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	git := worktree.Git{Env: d.Options.Env.Vars}
	data, err := git.Blob(ctx, folder, q.Name, textMost)
	if err != nil && !errors.Is(err, worktree.ErrLarge) {
		return panel.ChangeText{}, gitFailure(err)
	}
	text, why := readable([]byte(data), err)
	return panel.ChangeText{Text: text, Unshown: why}, nil
}

// gitFailure returns an error of git's as an [*panel.Error]. It returns context.Canceled as it is.
func gitFailure(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &panel.Error{Kind: panel.NotFound, Message: show.Line(err.Error()), Err: err}
	}
	return &panel.Error{Kind: panel.Unsupported, Message: show.Line(err.Error()), Err: err}
}
