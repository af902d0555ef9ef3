package atsf

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Change sets one member of a JSON object.
type Change struct {
	// Path names the member, after the objects around it. Missing objects on the way
	// are made.
	Path []string
	// Value is one JSON value with any white space.
	Value []byte
}

// SetTitle changes a thread's title.
func SetTitle(title string) Change { return setText("title", title) }

func setText(name, text string) Change {
	return Change{Path: []string{name}, Value: canon.AppendString(nil, text)}
}

// SetStats sets the four counts and leaves other members of stats.
func SetStats(s Stats) []Change {
	var changes []Change
	for i, n := range s.counts() {
		changes = append(changes, Change{Path: []string{"stats", statsShape.Fields[i].Name}, Value: strconv.AppendInt(nil, n, 10)})
	}
	return changes
}

// Edit returns a thread.json or config.json with the changes made, in order. Only the
// bytes of the named members change. A missing member is appended to its object,
// formatted like the others (rules X4, T5 and V3). raw itself is never changed, and is
// returned if there are no changes.
//
// It returns a *[canon.Fault] and no text in these cases:
//   - raw is not UTF-8 (X1) or not a JSON object (T1);
//   - its specVersion is malformed (V1) or must be refused (V2);
//   - a path is empty or not UTF-8, or leads through a repeated member or a value that is neither an
//     object nor null (X4);
//   - a value is not JSON or would be nested too deep (X4).
func Edit(raw []byte, changes ...Change) ([]byte, error) {
	var found canon.Findings
	file, bad := rootOf(raw, "T1", "the file", &found)
	if bad != nil {
		return nil, bad
	}
	if bad := writable(file); bad != nil {
		return nil, bad
	}
	out := raw
	for _, c := range changes {
		if out, bad = set(out, c); bad != nil {
			return nil, bad
		}
	}
	if err := canon.Valid(out); err != nil {
		return nil, &canon.Fault{Rule: "X4", Reason: "the change cannot be made: " + err.Error()}
	}
	return out, nil
}

// versionShape reads only whether a file must be refused.
var versionShape = canon.Shape[**canon.Fault]{What: "the file", Fields: []canon.Field[**canon.Fault]{
	{Name: "specVersion", Rule: "V1", Set: func(refused **canon.Fault, m *canon.Member) { versionOf(m, refused) }},
}}

// writable returns a fault for a file whose version this package must not write.
func writable(file *canon.Member) (bad *canon.Fault) {
	versionShape.Read(file, &bad)
	if bad == nil && len(file.Out.Faults) > 0 {
		bad = &file.Out.Faults[0]
	}
	return bad
}

// set makes one change.
func set(raw []byte, c Change) ([]byte, *canon.Fault) {
	refuse := func(reason string) ([]byte, *canon.Fault) {
		return nil, &canon.Fault{Rule: "X4", Field: clip(strings.Join(c.Path, ".")), Reason: reason}
	}
	if len(c.Path) == 0 || len(c.Path) >= canon.MaxDepth {
		return refuse("a change names no member that can be set")
	}
	for _, name := range c.Path {
		if !utf8.ValidString(name) {
			return refuse("a member's name is not valid UTF-8")
		}
	}
	if !utf8.Valid(c.Value) || canon.Valid(c.Value) != nil {
		return refuse("the value is not JSON")
	}
	st := styleOf(raw)
	at := canon.Value{Kind: canon.Mapping, Raw: raw}
	for depth, name := range c.Path {
		found, last, twice := canon.Find(at, name)
		switch {
		case twice:
			return refuse("the file has " + quote(name) + " twice")
		case found == nil:
			return insert(raw, at, last, st, c.Path[depth:], c.Value, depth), nil
		case depth == len(c.Path)-1:
			return canon.Splice(raw, found.Offset, found.End(), st.value(nil, c.Value, depth+1)), nil
		case found.Kind == canon.Null:
			return canon.Splice(raw, found.Offset, found.End(), st.nest(nil, c.Path[depth+1:], c.Value, depth+1)), nil
		case found.Kind != canon.Mapping:
			return refuse(quote(name) + " is " + found.Kind.Phrase() + ", not an object")
		}
		at = found.Value
	}
	return raw, nil
}

// insert appends a member to an object, after the last one and spaced like it. level is the
// level of the object's line.
func insert(raw []byte, at canon.Value, last *canon.Place, st style, path []string, value []byte, level int) []byte {
	if last == nil {
		brace := at.Offset + slices.Index(at.Raw, '{')
		end := brace + 1 + slices.Index(raw[brace+1:], '}')
		return canon.Splice(raw, brace, end+1, st.nest(nil, path, value, level))
	}
	text := append([]byte{','}, raw[last.Gap:last.Key]...)
	if last.Gap == last.Key && st.line == "" {
		text = append(text, st.comma...)
	}
	return canon.Splice(raw, last.End(), last.End(), st.pair(text, path, value, level+1))
}
