package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// modulePath is the path of this module, which begins the paths of its packages.
const modulePath = "github.com/signalbox-dev/signalbox/"

// comments finds the comments of types and fields in the source.
type comments struct {
	// words describe the members that mean the same in everything that is printed. A
	// field's comment takes precedence.
	words map[string]string
	// fields has the comments of each type, "" for the type's own.
	fields map[string]map[string]string
	read   map[string]bool
}

func readComments() (*comments, error) {
	c := &comments{words: make(map[string]string), fields: make(map[string]map[string]string), read: make(map[string]bool)}
	data, err := os.ReadFile(filepath.Join(repository, "testdata", "json", "vocabulary.txt"))
	for line := range strings.Lines(string(data)) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		c.words[name] = text
	}
	return c, err
}

// file returns the text of the schema of a value, as it is in docs/json.
func (c *comments) file(v any) ([]byte, error) {
	s, err := schemaOf(v)
	if err == nil {
		err = c.describe(s, reflect.TypeOf(v), schemaName(v))
	}
	if err != nil {
		return nil, err
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = schemaName(v)
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), err
}

// describe adds descriptions to the members of a schema, and lets objects have more
// members: later releases may add some. A member without a description is an error.
func (c *comments) describe(s *jsonschema.Schema, t reflect.Type, path string) error {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		if t.Kind() != reflect.Pointer {
			s = s.Items
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || len(s.Properties) == 0 {
		return nil
	}
	s.AdditionalProperties = nil
	comments, err := c.of(t)
	if err != nil {
		return err
	}
	if s.Description == "" {
		s.Description = comments[""]
	}
	var faults []error
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		member := s.Properties[name]
		if f.Anonymous || member == nil {
			continue
		}
		owner, err := c.of(ownerOf(t, f.Index))
		if err != nil {
			return err
		}
		// A tag comes first, then the field's comment.
		member.Description = cmp.Or(member.Description, owner[f.Name], c.words[name])
		if member.Description == "" {
			faults = append(faults, fmt.Errorf("%s.%s has no description: write a tag, a comment, or a row of the vocabulary", path, name))
		}
		if f.Type.Kind() == reflect.Slice && strings.HasSuffix(ownerOf(t, f.Index).PkgPath(), "/printed") && member.Items != nil {
			member.Type, member.Types = "array", nil // an empty list is printed as one
		}
		faults = append(faults, c.describe(member, f.Type, path+"."+name))
	}
	return errors.Join(faults...)
}

// ownerOf returns the struct that declares a field, which may be an embedded one.
func ownerOf(t reflect.Type, index []int) reflect.Type {
	for _, i := range index[:len(index)-1] {
		t = t.Field(i).Type
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	return t
}

// of returns the comments of a type by the names of its fields.
func (c *comments) of(t reflect.Type) (map[string]string, error) {
	dir, ours := strings.CutPrefix(t.PkgPath(), modulePath)
	if !ours {
		return nil, nil
	}
	if !c.read[dir] {
		c.read[dir] = true
		if err := c.parse(t.PkgPath(), filepath.Join(repository, filepath.FromSlash(dir))); err != nil {
			return nil, err
		}
	}
	return c.fields[t.PkgPath()+"."+t.Name()], nil
}

func (c *comments) parse(pkg, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range files {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, entry.Name()), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				c.types(pkg, g)
			}
		}
	}
	return nil
}

func (c *comments) types(pkg string, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		typ, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		st, ok := typ.Type.(*ast.StructType)
		if !ok {
			continue
		}
		docs := map[string]string{"": sentence(decl.Doc, typ.Name.Name)}
		var names []string
		for _, f := range st.Fields.List {
			for _, name := range f.Names {
				names = append(names, name.Name)
				text := oneLine(f.Doc)
				if text == "" {
					text = oneLine(f.Comment)
				}
				docs[name.Name] = text
			}
		}
		// A comment calls fields by their names in Go.
		for name, text := range docs {
			for _, field := range names {
				if jsonName := memberOf(st, field); jsonName != "" {
					text = regexp.MustCompile(`\b`+field+`\b`).ReplaceAllString(text, jsonName)
				}
			}
			docs[name] = text
		}
		c.fields[pkg+"."+typ.Name.Name] = docs
	}
}

// memberOf returns the name in JSON of a struct's field.
func memberOf(st *ast.StructType, field string) string {
	for _, f := range st.Fields.List {
		if f.Tag != nil && slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == field }) {
			name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
			return name
		}
	}
	return ""
}

func oneLine(doc *ast.CommentGroup) string { return strings.Join(strings.Fields(doc.Text()), " ") }

// sentence returns the comment of a type without the type's name, which is not in the
// JSON.
func sentence(doc *ast.CommentGroup, name string) string {
	text := oneLine(doc)
	for _, verb := range []string{" is ", " are ", " has "} {
		if rest, ok := strings.CutPrefix(text, name+verb); ok {
			return strings.ToUpper(rest[:1]) + rest[1:]
		}
	}
	return text
}
