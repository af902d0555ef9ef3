package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// JSON is one value in a file of JSON, perhaps with comments and trailing commas.
type JSON struct {
	// Path are the names of the members that lead to the value. Those that are missing
	// are made.
	Path []string
	// Item is set if the value is an item of the array at Path, and tells which item it is.
	// Otherwise the value is the member at Path.
	Item func(item []byte) bool
	// List is set if the items stand in lists of their own, as members of this name of the
	// array's elements. A new item is made in an element of its own.
	List string
	// Matcher is a member "matcher" of that element, if it is not empty. One that holds the
	// item already has what its owner wrote.
	Matcher string
	// Value is what it is to be. Structs keep the order of their members. What else an
	// object holds is somebody else's, and stays.
	Value any
	// Was is the object that was written there, nil if nobody knows. A member that is no
	// longer as it was written, or is gone, is somebody else's doing, and stays so.
	Was json.RawMessage
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
		return place.change(text, j)
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

// change returns the text with the value that is there made equal: of an object the members
// that are wanted, and anything else whole.
func (p *place) change(text []byte, j JSON) ([]byte, error) {
	now := text[p.value.StartOffset:p.value.EndOffset]
	if covers(now, j.Value) {
		return text, nil
	}
	wanted, err := json.Marshal(j.Value)
	if err != nil {
		return nil, err
	}
	want, err := hujson.Parse(wanted)
	if err != nil {
		return nil, err
	}
	object, ok := want.Value.(*hujson.Object)
	if _, there := p.value.Value.(*hujson.Object); !ok || !there {
		return Apply(text, []Splice{p.replace(text, j.Value)}), nil
	}
	next := bytes.Clone(now)
	for _, m := range object.Members {
		name := m.Name.Value.(hujson.Literal).String() //nolint:forcetypeassert // names are literals
		if !j.kept(now, name) {
			continue
		}
		if next, err = (JSON{Path: []string{name}, Value: json.RawMessage(m.Value.Pack())}).Add(next); err != nil {
			return nil, err
		}
	}
	return Apply(text, []Splice{{p.value.StartOffset, string(now), string(next)}}), nil
}

// kept reports whether a member is as it was written, or nobody knows how that was.
func (j JSON) kept(now []byte, name string) bool {
	if j.Was == nil {
		return true
	}
	var have, was map[string]any
	if !Decode(now, &have) || !Decode(j.Was, &was) {
		return false
	}
	h, there := have[name]
	w, wrote := was[name]
	return there == wrote && reflect.DeepEqual(h, w)
}

// Find returns the value that is there, nil if none is.
func (j JSON) Find(text []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	place, err := j.find(&root, text)
	if err != nil || place.value == nil {
		return nil, err
	}
	return text[place.value.StartOffset:place.value.EndOffset], nil
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
		if list, _ := items(place.in); place.element != nil && len(list) == 1 {
			place.in, place.index = place.element, place.at
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
	if j.Item == nil {
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
	// element is the array whose at-th element holds in, where items have lists of their own.
	element *hujson.Value
	at      int
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
		if i == len(names)-1 && j.Item == nil {
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
		if found, ok := j.inElement(p.in, i, &array.Elements[i], text); ok {
			return found, nil
		}
	}
	return p, nil
}

// inElement returns where the value is in an element of the array.
func (j JSON) inElement(array *hujson.Value, at int, element *hujson.Value, text []byte) (place, bool) {
	is := func(v *hujson.Value) bool { return j.Item(text[v.StartOffset:v.EndOffset]) }
	if j.List == "" {
		return place{in: array, value: element, index: at}, is(element)
	}
	list, _, err := memberOf(element, j.List)
	if err != nil || list == nil {
		return place{}, false
	}
	inner, ok := list.Value.(*hujson.Array)
	if !ok {
		return place{}, false
	}
	for i := range inner.Elements {
		if is(&inner.Elements[i]) {
			return place{in: list, value: &inner.Elements[i], index: i, element: array, at: at}, true
		}
	}
	return place{}, false
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

// covers reports whether a text says what a value says. An object may say more.
func covers(text []byte, value any) bool {
	var have, want any
	wanted, err := json.Marshal(value)
	if err != nil || !Decode(text, &have) || !Decode(wanted, &want) {
		return false
	}
	object, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(have, want)
	}
	there, ok := have.(map[string]any)
	for name, v := range object {
		ok = ok && reflect.DeepEqual(there[name], v)
	}
	return ok
}

// Same reports whether two texts, perhaps with comments, say the same value.
func Same(a, b []byte) bool {
	var one, two any
	return Decode(a, &one) && Decode(b, &two) && reflect.DeepEqual(one, two)
}

// Decode reads a text, perhaps with comments, as JSON.
func Decode(text []byte, to any) bool {
	standard, err := hujson.Standardize(bytes.Clone(text))
	return err == nil && json.Unmarshal(standard, to) == nil
}
