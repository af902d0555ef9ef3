package codex

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// change describes how one file was changed.
type change struct {
	Type    string `json:"type"`
	Content string `json:"content"`
	Diff    string `json:"unified_diff"`
	Moved   string `json:"move_path"`
	// Versions before about 0.5 wrote the change in the member named after its type.
	Add    *change `json:"add"`
	Update *change `json:"update"`
	Delete *change `json:"delete"`
}

// typed returns the change in the form of newer versions, with its type.
func (c change) typed() change {
	for _, old := range []struct {
		kind string
		is   *change
	}{{changeAdd, c.Add}, {changeUpdate, c.Update}, {changeDelete, c.Delete}} {
		if old.is != nil {
			c = *old.is
			c.Type = old.kind
			break
		}
	}
	return c
}

const (
	changeAdd    = "add"
	changeUpdate = "update"
	changeDelete = "delete"
)

// file is one file of a patch in the model's format.
type file struct {
	path string
	change
}

var marks = []struct{ mark, kind string }{
	{"*** Add File: ", changeAdd}, {"*** Update File: ", changeUpdate}, {"*** Delete File: ", changeDelete},
}

// files reads the patch that the model wrote.
func files(patch string) []file {
	var list []file
	at, begun := 0, 0 // the offsets of the line, and of the file's first line
	for line := range strings.Lines(patch) {
		name := strings.TrimSpace(line)
		end := at + len(line)
		for _, m := range marks {
			if path, ok := strings.CutPrefix(name, m.mark); ok {
				list, begun = append(list, file{path: path, change: change{Type: m.kind}}), end
			}
		}
		if at = end; len(list) == 0 {
			continue
		}
		last := &list[len(list)-1]
		if to, ok := strings.CutPrefix(name, "*** Move to: "); ok {
			last.Moved = to
		}
		last.Diff = patch[begun:end]
	}
	return list
}

// patchDiffs returns the changes that a patch by the model asks for.
func patchDiffs(patch string) []*atsf.Diff {
	var diffs []*atsf.Diff
	list := files(patch)
	for _, f := range list[:min(len(list), session.MaxFiles)] {
		diffs = append(diffs, f.diff(f.path))
	}
	return diffs
}

// describePatch sets the title, kind, locations and diff of a call of apply_patch from the patch in
// its input. Until the call has ended, it has only the diff of the first file.
func describePatch(c *atsf.ToolCall) {
	list := files(c.Input)
	if len(list) == 0 {
		return
	}
	names := make([]string, 0, len(list))
	deletes := true
	for _, f := range list {
		name := f.path
		if f.Moved != "" {
			name += " → " + f.Moved
		}
		names = append(names, name)
		c.Locations = append(c.Locations, atsf.Location{Path: f.path})
		deletes = deletes && f.Type == changeDelete
	}
	if c.Title = session.FirstLine(strings.Join(names, ", ")); deletes {
		c.Kind = kindDelete
	}
	c.Diff = list[0].diff(list[0].path)
}

// appliedDiffs returns the changes that a call has made: the files in its patch, in the patch's
// order, then the others by path. It also sets the call's locations and, if missing, its title.
func appliedDiffs(c *atsf.ToolCall, changes map[string]change) (diffs []*atsf.Diff) {
	paths := slices.Sorted(maps.Keys(changes))
	if len(paths) == 0 {
		return nil
	}
	named := make(map[string]int) // the order of the paths in the patch: numbers below 0
	for i, at := range slices.Backward(c.Locations[:min(len(c.Locations), session.MaxFiles)]) {
		for _, p := range paths {
			if strings.HasSuffix(p, at.Path) {
				named[p] = i - session.MaxFiles
			}
		}
	}
	ordered := slices.Clone(paths)
	slices.SortStableFunc(ordered, func(a, b string) int { return cmp.Compare(named[a], named[b]) })
	for _, p := range ordered[:min(len(ordered), session.MaxFiles)] {
		ch := changes[p].typed()
		diffs = append(diffs, ch.diff(p))
	}
	c.Locations = nil
	for _, p := range paths {
		c.Locations = append(c.Locations, atsf.Location{Path: p})
	}
	if c.Title == c.Name {
		c.Title = session.FirstLine(strings.Join(paths, ", "))
	}
	return diffs
}

// diff returns the change with the old and new text of the parts of the file that it shows.
func (c *change) diff(path string) *atsf.Diff {
	d := &atsf.Diff{Path: path, Created: c.Type == changeAdd}
	if c.Moved != "" {
		d.Path = c.Moved
	}
	switch {
	case c.Type == changeDelete:
		d.Old = c.Content
	case c.Type == changeAdd && c.Content != "":
		d.New = c.Content
	default:
		d.Old, d.New = sides(c.Diff)
	}
	return d
}

// sides returns the old and the new lines in the hunks of a diff. The head of each hunk except the
// first is in both texts, where lines are left out.
func sides(diff string) (string, string) {
	var before, after strings.Builder
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			if before.Len()+after.Len() > 0 {
				before.WriteString(line)
				after.WriteString(line)
			}
		case strings.HasPrefix(line, `\`), strings.HasPrefix(line, "*** "):
		case line[0] == '-':
			before.WriteString(line[1:])
		case line[0] == '+':
			after.WriteString(line[1:])
		default:
			line = strings.TrimPrefix(line, " ")
			before.WriteString(line)
			after.WriteString(line)
		}
	}
	return before.String(), after.String()
}
