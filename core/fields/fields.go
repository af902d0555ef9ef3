// Package fields reads JSON into Go values as encoding/json does, at several times its
// speed: core/canon finds the members, and what no field asks for is not decoded. Start
// with [Read]. It is for the records of other programs, of which most of the text is passed
// over; the WASM module does without it.
package fields

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Read reads a JSON text into what a pointer points to, by the rules of json.Unmarshal: a
// member of the wrong kind leaves its field as it is, and the others are read. It reports
// whether everything had the right kind. Of a text that is not JSON, or is nested deeper than
// core/canon reads, the members before the fault are read. A [json.RawMessage] is a part of
// data and no copy.
func Read(data []byte, into any) bool {
	if !canon.ValidUTF8(data) {
		return json.Unmarshal(data, into) == nil // which puts U+FFFD for what is broken
	}
	v := canon.Value{Kind: canon.Mapping, Raw: data}
	if len(data) == 0 || data[0] != '{' { // whose members are checked as they are read
		var err error
		if v, err = canon.Parse(data); err != nil {
			return false
		}
	}
	return read(v, reflect.ValueOf(into).Elem())
}

// Part is [Read] for a JSON text that was checked already, such as what [json.Unmarshaler] is
// given of one that Read reads. It is not looked through once more.
func Part(data []byte, into any) bool {
	v := canon.Value{Kind: kindOf(data), Raw: data}
	v.Escaped = v.Kind == canon.String && bytes.IndexByte(data, '\\') >= 0
	return read(v, reflect.ValueOf(into).Elem())
}

// Object is [Read] for an object in UTF-8 into a struct. It returns a *[canon.SyntaxError] for
// any other text, after the members before the fault were read.
func Object(data []byte, into any) error {
	_, err := members(data, reflect.ValueOf(into).Elem())
	return err
}

func kindOf(value []byte) canon.Kind {
	switch value[0] {
	case '{':
		return canon.Mapping
	case '[':
		return canon.Array
	case '"':
		return canon.String
	case 't', 'f':
		return canon.Bool
	case 'n':
		return canon.Null
	}
	return canon.Number
}

func read(v canon.Value, to reflect.Value) (ok bool) {
	switch own := to.Addr().Interface().(type) {
	case *json.RawMessage:
		*own = v.Raw
		return true
	case json.Unmarshaler:
		return own.UnmarshalJSON(v.Raw) == nil
	}
	kind := to.Kind()
	switch {
	case v.Kind == canon.Null:
		if kind == reflect.Pointer || kind == reflect.Map || kind == reflect.Slice {
			to.SetZero()
		}
		return true
	case kind == reflect.Pointer:
		if to.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
		}
		return read(v, to.Elem())
	case kind == reflect.Struct && v.Kind == canon.Mapping:
		right, err := members(v.Raw, to)
		return err == nil && right
	case kind == reflect.Map && v.Kind == canon.Mapping:
		return entries(v, to)
	case kind == reflect.Slice && v.Kind == canon.Array:
		return elements(v, to)
	case kind == reflect.String && v.Kind == canon.String:
		to.SetString(text(v))
		return true
	case kind == reflect.Bool && v.Kind == canon.Bool:
		to.SetBool(v.Raw[0] == 't')
		return true
	case kind == reflect.Int64 && v.Kind == canon.Number:
		n, ok := v.Int64()
		if ok {
			to.SetInt(n)
		}
		return ok
	case kind == reflect.Float64 && v.Kind == canon.Number:
		n, err := strconv.ParseFloat(string(v.Raw), 64)
		if err == nil {
			to.SetFloat(n)
		}
		return err == nil
	}
	return false
}

func text(v canon.Value) string {
	if !v.Escaped {
		return string(v.Raw[1 : len(v.Raw)-1])
	}
	s, _ := canon.Unquote(v.Raw)
	return s
}

func members(data []byte, to reflect.Value) (right bool, err error) {
	known, right := namesOf(to.Type()), true
	err = canon.Object(data, func(key []byte, v canon.Value) error {
		if way := known.find(key); way != nil {
			right = read(v, to.FieldByIndex(way)) && right
		}
		return nil
	})
	return right, err
}

// entries reads an object into a map from strings.
func entries(v canon.Value, to reflect.Value) bool {
	if to.IsNil() {
		to.Set(reflect.MakeMap(to.Type()))
	}
	right := true
	err := canon.Object(v.Raw, func(key []byte, v canon.Value) error {
		one := reflect.New(to.Type().Elem()).Elem()
		right = read(v, one) && right
		to.SetMapIndex(reflect.ValueOf(string(key)), one)
		return nil
	})
	return err == nil && right
}

func elements(v canon.Value, to reflect.Value) bool {
	n, right := 0, true
	_ = canon.Elements(v.Raw, func(v canon.Value) error {
		if n >= to.Cap() {
			to.Grow(1)
		}
		if n >= to.Len() {
			to.SetLen(n + 1)
		}
		right = read(v, to.Index(n)) && right
		n++
		return nil
	})
	if to.SetLen(n); n == 0 {
		to.Set(reflect.MakeSlice(to.Type(), 0, 0))
	}
	return right
}

// names are those of a struct's fields, with the way to each of them.
type names struct{ exact, folded map[string][]int }

// known holds the names of the structs that were read into. A type's are always the same.
var known sync.Map

func namesOf(t reflect.Type) *names {
	if n, ok := known.Load(t); ok {
		return n.(*names)
	}
	n := &names{exact: make(map[string][]int), folded: make(map[string][]int)}
	n.add(t, nil)
	known.Store(t, n)
	return n
}

// add takes the fields of a struct, then those of the structs embedded in it.
func (n *names) add(t reflect.Type, way []int) {
	var embedded []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		f.Index = append(way[:len(way):len(way)], i)
		if f.Anonymous {
			embedded = append(embedded, f)
			continue
		}
		name := f.Tag.Get("json")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if n.exact[name] == nil {
			n.exact[name] = f.Index
		}
		if folded := strings.ToLower(name); n.folded[folded] == nil {
			n.folded[folded] = f.Index
		}
	}
	for _, f := range embedded {
		n.add(f.Type, f.Index)
	}
}

// find returns the way to the field of a name, in any case if no field has it as it stands,
// or nil.
func (n *names) find(key []byte) []int {
	if way, ok := n.exact[string(key)]; ok {
		return way
	}
	var buf [64]byte
	if len(key) > len(buf) {
		return nil
	}
	low := buf[:copy(buf[:], key)]
	for i, c := range low {
		if c >= utf8.RuneSelf {
			return n.odd(string(key))
		}
		if 'A' <= c && c <= 'Z' {
			low[i] = c | 0x20
		}
	}
	return n.folded[string(low)]
}

// odd finds a name with a letter such as ſ, which is an s in another case.
func (n *names) odd(key string) []int {
	for name, way := range n.folded {
		if strings.EqualFold(name, key) {
			return way
		}
	}
	return nil
}
