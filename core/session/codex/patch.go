package codex

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// change is what became of one file.
type change struct {
	Type    string `json:"type"`
	Content string `json:"content"`
	Diff    string `json:"unified_diff"`
	Moved   string `json:"move_path"`
	// Add, Update and Delete are how the versions before 0.5 or so wrote the type.
	Add    *change `json:"add"`
	Update *change `json:"update"`
	Delete *change `json:"delete"`
}

// typed returns the change with its type as newer versions write it.
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

// file is one file of a patch as the model writes it.
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
	at, begun := 0, 0 // where the line begins, and where the lines of the file do
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

// proposals returns what the patch that the model wrote is to change.
func proposals(patch string) []*atsf.Diff {
	var diffs []*atsf.Diff
	list := files(patch)
	for _, f := range list[:min(len(list), session.MaxFiles)] {
		diffs = append(diffs, f.diff(f.path))
	}
	return diffs
}

// proposed tells what a call of apply_patch is to change, from the patch in its input.
// Until the call has ended it has the diff of the first file.
func proposed(c *atsf.ToolCall) {
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

// done returns what a call has changed: the files in the order in which its patch names
// them, then the others in the order of their paths.
func done(c *atsf.ToolCall, changes map[string]change) (diffs []*atsf.Diff) {
	paths := slices.Sorted(maps.Keys(changes))
	if len(paths) == 0 {
		return nil
	}
	named := make(map[string]int) // below 0
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

// diff returns a change with the old and new text of what it shows of the file.
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

// sides returns both sides of the hunks of a diff. Where lines are left out between two,
// the later hunk's head stands on both sides.
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
