// Package gots serves the generator of the protocol's types: [Read] reads the
// declarations of a Go package from its source, and the other functions write
// TypeScript as prettier formats it.
package gots

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// Package is the source of one package.
type Package struct {
	Name string
	// Types are in the order of the files and of the declarations in them.
	Types []*Type
	// Words holds the values of the constants of each named string type.
	Words map[string][]string
	// Values holds what variables and constants are set to.
	Values map[string]ast.Expr
	// Bodies are the bodies of all functions.
	Bodies []*ast.BlockStmt

	methods map[string]*ast.FuncType // by receiver and name: "session.status"
}

// Type is the declaration of a type.
type Type struct {
	In   *Package
	Spec *ast.TypeSpec
	Doc  string
}

// Name returns the type's name in Go.
func (t *Type) Name() string { return t.Spec.Name.Name }

// Fields returns the fields of a struct, and nil for any other type.
func (t *Type) Fields() []*ast.Field {
	if s, ok := t.Spec.Type.(*ast.StructType); ok {
		return s.Fields.List
	}
	return nil
}

// Read reads the package in the files that match any of the patterns, without tests.
func Read(patterns ...string) (*Package, error) {
	p := &Package{Words: map[string][]string{}, Values: map[string]ast.Expr{}, methods: map[string]*ast.FuncType{}}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			p.Name = parsed.Name.Name
			for _, d := range parsed.Decls {
				p.add(d)
			}
		}
	}
	if p.Name == "" {
		return nil, fmt.Errorf("no Go files in %s", strings.Join(patterns, ", "))
	}
	return p, nil
}

// add adds one declaration of a file.
func (p *Package) add(d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Body != nil {
			p.Bodies = append(p.Bodies, f.Body)
		}
		if f.Recv != nil {
			p.methods[TypeName(f.Recv.List[0].Type)+"."+f.Name.Name] = f.Type
		}
		return
	}
	group := d.(*ast.GenDecl)
	for _, spec := range group.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			doc := group.Doc
			if spec.Doc != nil {
				doc = spec.Doc
			}
			p.Types = append(p.Types, &Type{In: p, Spec: spec, Doc: doc.Text()})
		case *ast.ValueSpec:
			p.addValues(spec)
		}
	}
}

func (p *Package) addValues(spec *ast.ValueSpec) {
	for i, value := range spec.Values {
		p.Values[spec.Names[i].Name] = value
		literal, ok := value.(*ast.BasicLit)
		if ok && literal.Kind == token.STRING && spec.Type != nil {
			text, _ := strconv.Unquote(literal.Value)
			of := TypeName(spec.Type)
			p.Words[of] = append(p.Words[of], text)
		}
	}
}

// Type returns the type of that name, or nil.
func (p *Package) Type(name string) *Type {
	for _, t := range p.Types {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

// Method returns the type of a method of a struct or an interface, or nil.
func (p *Package) Method(owner, name string) *ast.FuncType {
	t := p.Type(owner)
	if f := p.methods[owner+"."+name]; f != nil || t == nil {
		return f
	}
	list, ok := t.Spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	for _, m := range list.Methods.List {
		if f, ok := m.Type.(*ast.FuncType); ok && m.Names[0].Name == name {
			return f
		}
		if f := p.Method(TypeName(m.Type), name); f != nil {
			return f
		}
	}
	return nil
}

// TypeName returns the name in an expression such as T, *T or pkg, or "".
func TypeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return TypeName(e.X)
	}
	return ""
}

// tag returns the struct tag of a field.
func tag(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	text, _ := strconv.Unquote(f.Tag.Value)
	return reflect.StructTag(text)
}

// JSONName returns a field's name in JSON as its tag has it, and whether the member may
// be left out when it is written.
func JSONName(f *ast.Field) (name string, optional bool) {
	name, options, _ := strings.Cut(tag(f).Get("json"), ",")
	return name, strings.Contains(options, "omit")
}
