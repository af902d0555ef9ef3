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

// JSON is one value in a JSON file, which may have comments and trailing commas.
type JSON struct {
	// Path are the names of the members that lead to the value. Add makes missing ones.
	Path []string
	// Item is set if the value is an item of the array at Path, and reports whether an item
	// is the value. Otherwise the value is the member at Path.
	Item func(item []byte) bool
	// List is set if the items are in lists in the array's elements, which are objects with a
	// member of this name. A new item gets its own element.
	List string
	// Matcher is the member "matcher" of a new element, if it is not empty. The element of an
	// existing item keeps its own.
	Matcher string
	// Value is the wanted value. Structs keep the order of their members. Other members of an
	// object stay, since somebody else wrote them.
	Value any
	// Was is the object that was written there, nil if that is not known. If somebody else
	// changed or removed a member since, that change stays.
	Was json.RawMessage
}

// Add returns the text with the value in it. An existing value is updated. An empty text
// becomes an object.
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
	// The result is parsed again before it is returned.
	if root, err = parse(out); err != nil {
		return nil, err
	}
	if place, err = j.find(&root, out); err == nil && place.value == nil {
		err = errors.New("the value is not found in what was made")
	}
	return out, err
}

// change returns the text with the existing value updated: in an object only the wanted
// members, and any other value as a whole.
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

// kept reports whether a member is as it was written, or whether that is not known.
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

// Find returns the existing value, or nil if there is none.
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

// Remove returns the text without the value, and without members of Path that are empty then.
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

// parent returns the container of a removed value, if it is empty now.
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

// place is where a value is, or where it is to be added.
type place struct {
	// in is the innermost existing container of the path, and missing are the names below it
	// that do not exist.
	in      *hujson.Value
	missing []string
	// value is the existing value, the index-th item of in, or nil.
	value *hujson.Value
	index int
	// element is the array whose at-th element contains in, if items are in lists of their own.
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

// inElement returns the place of the value in an element of the array, if it is there.
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

// covers reports whether the JSON in a text equals a value. An object may have more members.
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

// Same reports whether two JSON texts, which may have comments, have the same value.
func Same(a, b []byte) bool {
	var one, two any
	return Decode(a, &one) && Decode(b, &two) && reflect.DeepEqual(one, two)
}

// Decode decodes JSON that may have comments. It reports whether it could.
func Decode(text []byte, to any) bool {
	standard, err := hujson.Standardize(bytes.Clone(text))
	return err == nil && json.Unmarshal(standard, to) == nil
}
