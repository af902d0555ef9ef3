package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// jsonMember is a member of an object in a valid JSON text. Offsets count from the start of
// the text.
type jsonMember struct {
	name  string
	key   int // the offset of the name's opening quote
	value canon.Value
}

// end returns the offset at which the value ends.
func (p *jsonMember) end() int { return p.value.Offset + len(p.value.Raw) }

// membersOf lists the members of an object.
func membersOf(text string, object canon.Value) []jsonMember {
	var list []jsonMember
	_ = canon.Object(object.Raw, func(name []byte, v canon.Value) error {
		v.Offset += object.Offset
		if from, _, ok := keyBefore(text, v.Offset); ok {
			list = append(list, jsonMember{name: string(name), key: from, value: v})
		}
		return nil
	})
	return list
}

// wholeText returns a text as one object.
func wholeText(text string) canon.Value {
	return canon.Value{Kind: canon.Mapping, Raw: []byte(text)}
}

// valueAt returns the value at a path such as "stats.messageCount" or "content[2].type" in
// a JSON object. If a name occurs twice, the last one counts.
func valueAt(text, field string) (found canon.Value, ok bool) {
	_ = canon.Walk([]byte(text), func(way []canon.Step, v canon.Value, _ bool) error {
		if len(way) > 0 && isWay(way, field) {
			found, ok = v, true
		}
		return nil
	})
	return found, ok
}

// isWay reports whether a path is the text form of a way.
func isWay(way []canon.Step, path string) (ok bool) {
	for i, step := range way {
		part := "[" + strconv.Itoa(step.Index) + "]"
		if step.Key != nil {
			part = strings.Repeat(".", min(i, 1)) + string(step.Key)
		}
		if path, ok = strings.CutPrefix(path, part); !ok {
			return false
		}
	}
	return path == ""
}

// memberAt finds the member whose value begins at an offset. It returns all members of the
// same object and the index among them.
func memberAt(text string, offset int) (siblings []jsonMember, i int, ok bool) {
	v := wholeText(text)
	for {
		var next canon.Value
		switch v.Kind {
		case canon.Mapping:
			siblings = membersOf(text, v)
			if i = slices.IndexFunc(siblings, func(p jsonMember) bool { return p.value.Offset == offset }); i >= 0 {
				return siblings, i, true
			}
			for _, p := range siblings {
				next = containing(p.value, offset, next)
			}
		case canon.Array:
			_ = canon.Elements(v.Raw, func(e canon.Value) error {
				e.Offset += v.Offset
				next = containing(e, offset, next)
				return nil
			})
		}
		if next.Raw == nil {
			return nil, 0, false
		}
		v = next
	}
}

// containing returns v if the offset is in it, otherwise other.
func containing(v canon.Value, offset int, other canon.Value) canon.Value {
	if v.Offset <= offset && offset < v.Offset+len(v.Raw) {
		return v
	}
	return other
}

// removal returns the edit that removes a member and its comma.
func removal(siblings []jsonMember, i int) Edit {
	p := &siblings[i]
	switch {
	case i > 0:
		return Edit{Start: siblings[i-1].end(), End: p.end()}
	case len(siblings) > 1:
		return Edit{Start: p.key, End: siblings[1].key}
	}
	return Edit{Start: p.key, End: p.end()}
}

// insertion returns the edit that adds a member after prev, with prev's white space before the name
// and around the colon.
func insertion(text string, prev *jsonMember, name, value string) Edit {
	space := text[len(strings.TrimRight(text[:prev.key], " \t\r\n")):prev.key]
	_, nameEnd, _ := keyBefore(text, prev.value.Offset)
	colon := text[nameEnd:prev.value.Offset]
	return Edit{Start: prev.end(), End: prev.end(), New: "," + space + `"` + name + `"` + colon + value}
}

// replacement returns the edit that replaces a value.
func replacement(v canon.Value, text string) Edit {
	return Edit{Start: v.Offset, End: v.Offset + len(v.Raw), New: text}
}

// setting returns the edit that sets a member of an object. If there is none with the name,
// it is added after the last member that after lists.
func setting(text string, members []jsonMember, name, value string, after ...string) (Edit, bool) {
	behind := -1
	for i := range members {
		if members[i].name == name {
			return replacement(members[i].value, value), true
		}
		if slices.Contains(after, members[i].name) {
			behind = i
		}
	}
	if behind < 0 {
		return Edit{}, false
	}
	return insertion(text, &members[behind], name, value), true
}
