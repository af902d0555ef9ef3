package panel

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// maxIssues bounds a page of issues.
const maxIssues = 500

// Issues gives what the newest verdict on each task found, where the task's
// repository is open. A repository is known by its path alone: a path that a
// stranger wrote is compared and never looked at.
func (p *Panels) Issues(ctx context.Context) (IssuesPage, error) {
	page := IssuesPage{Issues: []IssueItem{}, Warnings: []Warning{}, Revision: p.revised()}
	trees := p.checkouts(ctx)
	roots := make(map[string]*disk.Root)
	defer func() {
		for _, r := range roots {
			r.Close()
		}
	}()
	room := pageBytes
	for _, row := range taskRows(p.ssotsNow()) {
		if err := ctx.Err(); err != nil {
			return page, err
		}
		msg := standingVerdict(row.task, p.now())
		if msg == nil {
			continue
		}
		tree := workTree(trees, lastDispatch(row.task), p.workspace())
		if tree == nil {
			continue // not open here, which is no fault
		}
		for i := range msg.Payload.Verdict.Issues {
			if len(page.Issues) == maxIssues || room <= 0 {
				page.Warnings = append(page.Warnings, Warning{Rule: "V3", Message: fmt.Sprintf("more than %s: the others are in their tasks", count(len(page.Issues), "issue", "issues"))})
				return page, nil
			}
			item, err := issueItem(roots, tree, row, msg, i)
			if err != nil {
				page.Warnings = append(page.Warnings, Warning{Rule: "V3", Message: safe(row.task.ID + ": " + err.Error())})
				continue
			}
			room -= 1024 + len(item.Markdown) + len(item.Text)
			page.Issues = append(page.Issues, item)
		}
		page.Warnings = Some(page.Warnings, Warning{Rule: "V3", Message: "and more: see the tasks"})
	}
	return page, nil
}

// checkouts are the folders in which somebody works on repositories.
func (p *Panels) checkouts(ctx context.Context) (list []Checkout) {
	for _, v := range p.viewsNow(ctx) {
		if has, ok := v.View.(CheckedOut); ok {
			list = append(list, has.Checkouts()...)
		}
	}
	return list
}

// standingVerdict gives the newest verdict of a task that goes on, if it found
// anything. One that was sent while the task stood still changes nothing, as the
// state notes.
func standingVerdict(t *ssot.Task, now int64) *agn.Message {
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

// workTree gives the checkout in which a task's files are to be shown: of the
// repository that the dispatch names, and within or around a workspace folder.
// That on the task's branch comes first, then the one that was named.
func workTree(trees []Checkout, d *agn.Dispatch, open []string) *Checkout {
	if d == nil {
		return nil
	}
	named := filepath.Clean(d.Repo)
	var repository *Checkout
	for i := range trees {
		if filepath.Clean(trees[i].Path) == named {
			repository = &trees[i]
		}
	}
	if repository == nil {
		return nil
	}
	var best *Checkout
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

// near reports whether a folder is, holds or lies in one that is open.
func near(folder string, open []string) bool {
	for _, o := range open {
		if within := beneath(folder, o) || beneath(o, folder); within {
			return true
		}
	}
	return false
}

// beneath reports whether a path is the folder or lies in it.
func beneath(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

// issueItem places an issue. Its file is a stranger's: it has to be a regular
// one beneath the checkout, and no link leads out of there.
func issueItem(roots map[string]*disk.Root, tree *Checkout, row taskRow, msg *agn.Message, at int) (IssueItem, error) {
	issue := &msg.Payload.Verdict.Issues[at]
	name := filepath.FromSlash(path.Clean(strings.ReplaceAll(issue.File, `\`, "/")))
	if rel, err := filepath.Rel(tree.Path, name); err == nil && filepath.IsAbs(name) {
		name = rel
	}
	if !filepath.IsLocal(name) || name == "." {
		return IssueItem{}, fmt.Errorf("the file %q of an issue is not in the repository", issue.File)
	}
	root := roots[tree.Path]
	if root == nil {
		var err error
		if root, err = disk.OpenRoot(tree.Path); err != nil {
			return IssueItem{}, err
		}
		roots[tree.Path] = root
	}
	info, err := root.Stat(name)
	if err != nil {
		return IssueItem{}, fmt.Errorf("the file %q of an issue is not there", issue.File)
	}
	if !info.Mode().IsRegular() {
		return IssueItem{}, fmt.Errorf("%q of an issue is no file", issue.File)
	}
	text, _ := clip(issue.Description, describedBytes)
	shown := markup.Options{MaxBytes: 4 * describedBytes, TopHeading: 4}
	markdown := markup.Markdown(text, shown)
	if issue.SuggestedFix != "" {
		fix, _ := clip(issue.SuggestedFix, describedBytes)
		text += "\n\nSuggested fix: " + fix
		markdown += "\n\n**Suggested fix:**\n\n" + markup.Markdown(fix, shown)
	}
	return IssueItem{
		Ref: taskMessageRef(row.in, row.task.ID, msg.ID), Task: taskRef(row.in, row.task.ID), TaskID: safe(row.task.ID), Index: at,
		Path: filepath.Join(tree.Path, name), Line: int(max(0, min(issue.Line, 1<<30))), Severity: safe(issue.Severity), Blocking: issue.Blocking(),
		Time: clampTime(msg.Time.Millis), Markdown: markdown, Text: render.Text(text),
	}, nil
}
