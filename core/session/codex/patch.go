package codex

import (
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
	for line := range strings.Lines(patch) {
		name := strings.TrimSpace(line)
		for _, m := range marks {
			if path, ok := strings.CutPrefix(name, m.mark); ok {
				list = append(list, file{path: path, change: change{Type: m.kind}})
			}
		}
		if len(list) == 0 {
			continue
		}
		if to, ok := strings.CutPrefix(name, "*** Move to: "); ok {
			list[len(list)-1].Moved = to
		}
	}
	return list
}

// proposed tells what a call of apply_patch is to change, from the patch in its input.
// The diff is of the first file: a call has one, and the input holds them all.
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
	_, body, _ := strings.Cut(c.Input, list[0].path)
	if end := strings.Index(body, "\n*** "); end >= 0 && strings.HasPrefix(body[end:], "\n*** Move to: ") {
		body = body[end+len("\n*** "):]
	}
	body, _, _ = strings.Cut(body, "\n*** ")
	_, list[0].Diff, _ = strings.Cut(body, "\n")
	c.Diff = list[0].diff(list[0].path)
}

// done tells what a call has changed.
func done(c *atsf.ToolCall, changes map[string]change) {
	paths := slices.Sorted(maps.Keys(changes))
	if len(paths) == 0 {
		return
	}
	first := paths[0]
	if len(c.Locations) > 0 { // as the patch names it, in its order
		if i := slices.IndexFunc(paths, func(p string) bool { return strings.HasSuffix(p, c.Locations[0].Path) }); i >= 0 {
			first = paths[i]
		}
	}
	c.Locations = nil
	for _, p := range paths {
		c.Locations = append(c.Locations, atsf.Location{Path: p})
	}
	ch := changes[first].typed()
	c.Diff = ch.diff(first)
	if c.Title == c.Name {
		c.Title = session.FirstLine(strings.Join(paths, ", "))
	}
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
