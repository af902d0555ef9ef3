// Package fields reads JSON into Go values as encoding/json does, several times faster:
// core/canon finds the members, and members without a field are not decoded. Start with [Read].
// It is for the records of other programs, most of whose text is not needed; the WASM module does
// not use it.
package fields

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Unmarshaler is a type that reads its own value from a cursor.
type Unmarshaler interface{ ReadFields(c *canon.Cursor) error }

// Read reads a JSON text into the value that into points to, by the rules of json.Unmarshal: a
// member of the wrong kind leaves its field unchanged, and the others are read. It reports
// whether everything had the right kind. If the text is not JSON, or is nested deeper than
// core/canon reads, the members before the fault are read. A [json.RawMessage] aliases data.
func Read(data []byte, into any) bool {
	if !canon.ValidUTF8(data) {
		return json.Unmarshal(data, into) == nil // it puts U+FFFD for invalid bytes
	}
	c := canon.NewCursor(data)
	if c.Kind() != canon.Mapping { // members are checked as they are read
		if canon.Valid(data) != nil {
			return false
		}
	}
	right, err := from(c, into)
	return right && err == nil && c.End() == nil
}

// Object is [Read] for an object in UTF-8. It returns a *[canon.SyntaxError] for any other
// text, after the members before the fault were read.
func Object(data []byte, into any) error {
	c := canon.NewCursor(data)
	if c.Kind() != canon.Mapping {
		return canon.Object(data, nil)
	}
	_, err := from(c, into)
	if err == nil {
		err = c.End()
	}
	return err
}

// From reads a cursor's next value as [Read] does.
func From(c *canon.Cursor, into any) error {
	_, err := from(c, into)
	return err
}

func from(c *canon.Cursor, into any) (right bool, err error) {
	_, custom := into.(Unmarshaler)
	return read(c, reflect.ValueOf(into).Elem(), custom)
}

// read reads a value. custom is set if its type is an [Unmarshaler]. Only invalid JSON is an error.
func read(c *canon.Cursor, to reflect.Value, custom bool) (right bool, err error) {
	switch kind, is := to.Kind(), c.Kind(); {
	case custom:
		return true, to.Addr().Interface().(Unmarshaler).ReadFields(c)
	case is == canon.Null:
	case kind == reflect.Pointer:
		if to.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
		}
		_, custom := to.Interface().(Unmarshaler)
		return read(c, to.Elem(), custom)
	case kind == reflect.Struct && is == canon.Mapping:
		return members(c, to)
	case kind == reflect.Map && is == canon.Mapping:
		return entries(c, to)
	case kind == reflect.Slice && is == canon.Array && to.Type() != rawMessage:
		return elements(c, to)
	}
	v, err := c.Value()
	return err == nil && scalar(v, to), err
}

var rawMessage, unmarshaler = reflect.TypeFor[json.RawMessage](), reflect.TypeFor[Unmarshaler]()

func scalar(v canon.Value, to reflect.Value) bool {
	kind := to.Kind()
	switch {
	case to.Type() == rawMessage:
		to.SetBytes(v.Raw)
		return true
	case v.Kind == canon.Null:
		if kind == reflect.Pointer || kind == reflect.Map || kind == reflect.Slice {
			to.SetZero()
		}
		return true
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

func members(c *canon.Cursor, to reflect.Value) (right bool, err error) {
	known, right := tableOf(to.Type()), true
	err = c.Members(func(key []byte) error {
		to, field := to, known.find(key)
		if field == nil {
			_, err := c.Value()
			return err
		}
		for _, i := range field.path {
			to = to.Field(i)
		}
		ok, err := read(c, to, field.custom)
		right = right && ok
		return err
	})
	return right, err
}

// entries reads an object into a map from strings.
func entries(c *canon.Cursor, to reflect.Value) (right bool, err error) {
	if to.IsNil() {
		to.Set(reflect.MakeMap(to.Type()))
	}
	custom, right := isUnmarshaler(to.Type().Elem()), true
	err = c.Members(func(key []byte) error {
		name, one := reflect.ValueOf(string(key)), reflect.New(to.Type().Elem()).Elem()
		ok, err := read(c, one, custom)
		if err == nil {
			to.SetMapIndex(name, one)
		}
		right = right && ok
		return err
	})
	return right, err
}

func elements(c *canon.Cursor, to reflect.Value) (right bool, err error) {
	custom, n, right := isUnmarshaler(to.Type().Elem()), 0, true
	err = c.Elements(func() error {
		if n >= to.Cap() {
			to.Grow(1)
		}
		if n >= to.Len() {
			to.SetLen(n + 1)
		}
		ok, err := read(c, to.Index(n), custom)
		right = right && ok
		n++
		return err
	})
	if to.SetLen(n); n == 0 {
		to.Set(reflect.MakeSlice(to.Type(), 0, 0))
	}
	return right, err
}

// table holds the fields of a struct by the lengths of their names, since few names have the
// same length.
type table [maxName + 1][]field

type field struct {
	name, folded string
	path         []int // the field's indexes in the struct and those around it, without pointers
	custom       bool  // the field's type is an Unmarshaler
}

func isUnmarshaler(t reflect.Type) bool { return reflect.PointerTo(t).Implements(unmarshaler) }

// maxName is the length in bytes of the longest name of a field.
const maxName = 64

// tables holds the tables of the structs that were read into.
var tables sync.Map

func tableOf(t reflect.Type) *table {
	if n, ok := tables.Load(t); ok {
		return n.(*table)
	}
	n := new(table)
	n.add(t, nil)
	tables.Store(t, n)
	return n
}

// add adds the fields of a struct, then the fields of the structs embedded in it.
func (n *table) add(t reflect.Type, path []int) {
	var embedded []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		f.Index = append(path[:len(path):len(path)], i)
		if f.Anonymous {
			embedded = append(embedded, f)
			continue
		}
		as := f.Tag.Get("json")
		if as == "-" || !f.IsExported() {
			continue
		}
		if as == "" {
			as = f.Name
		}
		n[len(as)] = append(n[len(as)], field{as, strings.ToLower(as), f.Index, isUnmarshaler(f.Type)})
	}
	for _, f := range embedded {
		n.add(f.Type, f.Index)
	}
}

// find returns the field with a name or, if there is none, with the name in another case, or
// nil. The first of several fields wins, and outer fields come before embedded ones.
func (n *table) find(key []byte) *field {
	if len(key) > maxName {
		return nil
	}
	like := n[len(key)]
	for i := range like {
		if string(key) == like[i].name {
			return &like[i]
		}
	}
	var buf [maxName]byte
	low := buf[:copy(buf[:], key)]
	for i, c := range low {
		if c >= utf8.RuneSelf {
			return n.findFolded(string(key))
		}
		if 'A' <= c && c <= 'Z' {
			low[i] = c | 0x20
		}
	}
	for i := range like {
		if string(low) == like[i].folded {
			return &like[i]
		}
	}
	return nil
}

// findFolded finds a name with a letter such as ſ, which is an s in another case.
func (n *table) findFolded(key string) *field {
	for _, like := range n {
		for i := range like {
			if strings.EqualFold(like[i].name, key) {
				return &like[i]
			}
		}
	}
	return nil
}
