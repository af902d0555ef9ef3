package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// JSON is one value in a file of JSON, perhaps with comments and trailing commas.
type JSON struct {
	// Path are the names of the members that lead to the value. Those that are missing
	// are made.
	Path []string
	// Ours is set if the value is an element of the array at Path, and tells which
	// element it is. Otherwise it is the member at Path.
	Ours func(element []byte) bool
	// Value is what it is to be. Structs keep the order of their members.
	Value any
}

// Add returns the text with the value in it. A value that is there already is made equal.
// An empty text becomes an object.
func (j JSON) Add(text []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	place, err := j.find(&root, text)
	if err != nil {
		return nil, err
	}
	if place.value != nil {
		if same(text[place.value.StartOffset:place.value.EndOffset], j.Value) {
			return text, nil
		}
		return Apply(text, []Splice{place.replace(text, j.Value)}), nil
	}
	splices, err := place.insert(text, j)
	if err != nil {
		return nil, err
	}
	out := Apply(text, splices)
	// What was made is read again before anybody gets it.
	if root, err = parse(out); err != nil {
		return nil, err
	}
	if place, err = j.find(&root, out); err == nil && place.value == nil {
		err = errors.New("the value is not found in what was made")
	}
	return out, err
}

// Has reports whether the text has the value, and whether it is as it is to be.
func (j JSON) Has(text []byte) (there, equal bool, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return false, false, nil
	}
	root, err := parse(text)
	if err != nil {
		return false, false, err
	}
	place, err := j.find(&root, text)
	if err != nil || place.value == nil {
		return false, false, err
	}
	return true, same(text[place.value.StartOffset:place.value.EndOffset], j.Value), nil
}

// Remove returns the text without the value, and without the members of Path that held
// nothing else.
func (j JSON) Remove(text []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	for {
		root, err := parse(text)
		if err != nil {
			return nil, err
		}
		place, err := j.find(&root, text)
		if err != nil {
			return nil, err
		}
		if place.value == nil {
			return text, nil
		}
		text = Apply(text, place.cut(text))
		if j, err = j.parent(text); err != nil || j.Path == nil {
			return text, err
		}
	}
}

// parent returns the container of a value that was removed, if it is empty now.
func (j JSON) parent(text []byte) (JSON, error) {
	up := JSON{Path: j.Path}
	if j.Ours == nil {
		up.Path = j.Path[:len(j.Path)-1]
	}
	if len(up.Path) == 0 {
		return JSON{}, nil
	}
	root, err := parse(text)
	if err != nil {
		return JSON{}, err
	}
	place, err := up.find(&root, text)
	if err != nil || place.value == nil {
		return JSON{}, err
	}
	inner := bytes.TrimSpace(text[place.value.StartOffset+1 : place.value.EndOffset-1])
	if len(inner) > 0 {
		return JSON{}, nil
	}
	return up, nil
}

func parse(text []byte) (hujson.Value, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return v, fmt.Errorf("is no JSON: %w", err)
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return v, errors.New("is no JSON object")
	}
	return v, nil
}

// place is where a value is, or where it is to be made.
type place struct {
	// in is the innermost container of the path that is there, and missing the names
	// below it that are not.
	in      *hujson.Value
	missing []string
	// value is what is there, the index-th item of in.
	value *hujson.Value
	index int
}

func (j JSON) find(root *hujson.Value, text []byte) (p place, err error) {
	p.in = root
	names := j.Path
	for i, name := range names {
		member, index, err := memberOf(p.in, name)
		if err != nil {
			return p, fmt.Errorf("%s: %w", strings.Join(names[:i+1], "."), err)
		}
		if member == nil {
			p.missing = names[i:]
			return p, nil
		}
		if i == len(names)-1 && j.Ours == nil {
			p.value, p.index = member, index
			return p, nil
		}
		p.in = member
	}
	array, ok := p.in.Value.(*hujson.Array)
	if !ok {
		return p, fmt.Errorf("%s is no array", strings.Join(names, "."))
	}
	for i := range array.Elements {
		if e := &array.Elements[i]; j.Ours(text[e.StartOffset:e.EndOffset]) {
			p.value, p.index = e, i
			return p, nil
		}
	}
	return p, nil
}

func memberOf(v *hujson.Value, name string) (member *hujson.Value, index int, err error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, 0, errors.New("it stands in what is no object")
	}
	for i := range object.Members {
		m := &object.Members[i]
		if literal, ok := m.Name.Value.(hujson.Literal); !ok || literal.String() != name {
			continue
		}
		if member != nil {
			return nil, 0, errors.New("the name stands there twice")
		}
		member, index = &m.Value, i
	}
	return member, index, nil
}

// same reports whether a text says the same as a value.
func same(text []byte, value any) bool {
	standard, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return false
	}
	var a, b any
	want, err := json.Marshal(value)
	if err != nil || json.Unmarshal(standard, &a) != nil || json.Unmarshal(want, &b) != nil {
		return false
	}
	one, err := json.Marshal(a)
	if err != nil {
		return false
	}
	two, err := json.Marshal(b)
	return err == nil && bytes.Equal(one, two)
}
