package turns

import (
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Worktree returns a checkout as the group of the agents' work there.
func Worktree(f *atsfstore.Folder) panel.Group {
	g := panel.Group{
		ID: f.ID, Kind: panel.GroupWorktree, Title: show.Line(f.Branch), Path: show.Line(f.Path), Branch: show.Line(f.Branch),
		Main: f.Main, Gone: f.Gone, Threads: f.Threads, Tree: f.Git && !f.Bare,
	}
	if g.Title == "" {
		g.Title = show.Line(filepath.Base(f.Path))
	}
	var notes []string
	switch {
	case f.Gone && f.Threads > 0:
		notes = append(notes, "worktree removed, of its threads only the list is left")
	case f.Gone && f.Repository != "":
		notes = append(notes, "worktree removed")
	case f.Gone:
		notes = append(notes, "the folder is gone")
	case f.Bare:
		notes = append(notes, "bare repository")
	case f.Git && f.Branch == "" && f.Head != "":
		line, _ := render.Line(f.Head, 12)
		notes = append(notes, "detached at "+line)
	}
	if f.Err != nil {
		notes = append(notes, show.Line(f.Err.Error()))
	}
	g.Note = strings.Join(notes, "; ")
	return g
}
