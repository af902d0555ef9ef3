package source

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// maxIssues is the largest number of issues in a page.
const maxIssues = 500

// Issues returns the issues of the newest verdict on each task whose repository is one
// of the checkouts and open. It knows a repository only by its path: it compares a path
// that a stranger wrote and never opens it. It returns at most maxIssues issues.
// Warnings have rule V3.
func (v *view) Issues(ctx context.Context, trees []panel.Checkout) (panel.IssuesPage, error) {
	page := panel.IssuesPage{Issues: []panel.IssueItem{}, Warnings: []panel.Warning{}}
	roots := make(map[string]*disk.Root)
	defer func() {
		for _, r := range roots {
			r.Close()
		}
	}()
	room := show.PageBytes
	for _, row := range taskRows(v.shown) {
		if err := ctx.Err(); err != nil {
			return page, err
		}
		msg := standingVerdict(row.task, v.now)
		if msg == nil {
			continue
		}
		tree := workTree(trees, lastDispatch(row.task), v.folders)
		if tree == nil {
			continue // not open here, which is normal
		}
		for i := range msg.Payload.Verdict.Issues {
			if len(page.Issues) == maxIssues || room <= 0 {
				page.Warnings = append(page.Warnings, panel.Warning{Rule: "V3", Message: fmt.Sprintf("more than %s: the others are in their tasks", show.Count(len(page.Issues), "issue", "issues"))})
				return page, nil
			}
			item, err := issueItem(roots, tree, row, msg, i)
			if err != nil {
				page.Warnings = append(page.Warnings, panel.Warning{Rule: "V3", Message: show.Line(row.task.ID + ": " + err.Error())})
				continue
			}
			room -= 1024 + len(item.Markdown) + len(item.Text)
			page.Issues = append(page.Issues, item)
		}
		page.Warnings = panel.Some(page.Warnings, panel.Warning{Rule: "V3", Message: "and more: see the tasks"})
	}
	return page, nil
}

// standingVerdict returns the newest verdict of a task, or nil if that verdict has no
// issues or the task was terminated. It skips verdicts that have no effect, which the
// state notes under rule X9.
func standingVerdict(t *agnstore.Task, now int64) *agn.Message {
	state := t.State(now)
	if state.Phase == agn.PhaseTerminated {
		return nil
	}
	idle := make(map[string]bool)
	for _, n := range state.Notes {
		idle[n.Field] = idle[n.Field] || n.Rule == "X9"
	}
	for i := len(t.History.Messages) - 1; i >= 0; i-- {
		m := &t.History.Messages[i]
		if m.Payload.Verdict == nil || idle[m.ID] {
			continue
		}
		if len(m.Payload.Verdict.Issues) == 0 {
			return nil
		}
		return m
	}
	return nil
}

// workTree returns the checkout in which to show a task's files, or nil. It is a
// checkout of the repository that the dispatch names, and lies within or around a
// workspace folder. The checkout on the task's branch comes first, then the one that
// the dispatch names.
func workTree(trees []panel.Checkout, d *agn.Dispatch, open []string) *panel.Checkout {
	if d == nil {
		return nil
	}
	named := filepath.Clean(d.Repo)
	var repository *panel.Checkout
	for i := range trees {
		if filepath.Clean(trees[i].Path) == named {
			repository = &trees[i]
		}
	}
	if repository == nil {
		return nil
	}
	var best *panel.Checkout
	for i := range trees {
		t := &trees[i]
		same := t == repository || t.Repository != "" && t.Repository == repository.Repository
		if t.Gone || !same || !near(t.Path, open) {
			continue
		}
		switch {
		case t.Branch == d.Branch && d.Branch != "":
			return t
		case best == nil || t == repository:
			best = t
		}
	}
	return best
}

// near reports whether a folder equals, contains or lies in an open folder.
func near(folder string, open []string) bool {
	return slices.ContainsFunc(open, func(o string) bool { return beneath(folder, o) || beneath(o, folder) })
}

// beneath reports whether a path equals the folder or lies in it.
func beneath(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// issueItem returns an issue with its place in the checkout. A stranger named its file,
// so it must be a regular file beneath the checkout, and no link may lead out of it.
func issueItem(roots map[string]*disk.Root, tree *panel.Checkout, row taskRow, msg *agn.Message, at int) (panel.IssueItem, error) {
	issue := &msg.Payload.Verdict.Issues[at]
	name := filepath.FromSlash(path.Clean(strings.ReplaceAll(issue.File, `\`, "/")))
	if rel, err := filepath.Rel(tree.Path, name); err == nil && filepath.IsAbs(name) {
		name = rel
	}
	if !filepath.IsLocal(name) || name == "." {
		return panel.IssueItem{}, fmt.Errorf("the file %q of an issue is not in the repository", issue.File)
	}
	root := roots[tree.Path]
	if root == nil {
		var err error
		if root, err = disk.OpenRoot(tree.Path); err != nil {
			return panel.IssueItem{}, err
		}
		roots[tree.Path] = root
	}
	info, err := root.Stat(name)
	if err != nil {
		return panel.IssueItem{}, fmt.Errorf("the file %q of an issue is not there", issue.File)
	}
	if !info.Mode().IsRegular() {
		return panel.IssueItem{}, fmt.Errorf("%q of an issue is no file", issue.File)
	}
	text, _ := show.Clip(issue.Description, describedBytes)
	shown := markup.Options{MaxBytes: 4 * describedBytes, TopHeading: 4}
	markdown := markup.Markdown(text, shown)
	if issue.SuggestedFix != "" {
		fix, _ := show.Clip(issue.SuggestedFix, describedBytes)
		text += "\n\nSuggested fix: " + fix
		markdown += "\n\n**Suggested fix:**\n\n" + markup.Markdown(fix, shown)
	}
	return panel.IssueItem{
		Ref: taskMessageRef(row.in, row.task.ID, msg.ID), Task: taskRef(row.in, row.task.ID), TaskID: show.Line(row.task.ID), Index: at,
		Path: filepath.Join(tree.Path, name), Line: int(max(0, min(issue.Line, 1<<30))), Severity: show.Line(issue.Severity), Blocking: issue.Blocking(),
		Time: show.Time(msg.Time.Millis), Markdown: markdown, Text: render.Text(text),
	}, nil
}
