package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// program is the source of the packages that the types come from.
type program struct {
	packages []*source
}

// source is one package.
type source struct {
	name    string
	order   []*declaration // of types, by file and place
	types   map[string]*declaration
	values  map[string]ast.Expr      // of package variables
	methods map[string]*ast.FuncType // by receiver and name: "session.status"
	bodies  []*ast.BlockStmt         // of functions
	literal map[string][]string      // the values of the constants of a named type
}

// declaration is the declaration of a type.
type declaration struct {
	in   *source
	spec *ast.TypeSpec
	doc  string
	// wireName is the name in TypeScript: an alias names what it stands for.
	wireName string
	used     bool
}

// parse reads packages. Tests are left out.
func parse(dirs []string) (*program, error) {
	p := &program{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		s := &source{types: map[string]*declaration{}, values: map[string]ast.Expr{}, methods: map[string]*ast.FuncType{}, literal: map[string][]string{}}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			s.name = parsed.Name.Name
			for _, d := range parsed.Decls {
				s.add(d)
			}
		}
		if s.name == "" {
			return nil, fmt.Errorf("no Go files in %s", dir)
		}
		p.packages = append(p.packages, s)
	}
	p.nameAliases()
	return p, nil
}

// add takes one declaration of a file.
func (s *source) add(d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
		s.bodies = append(s.bodies, f.Body)
		if f.Recv != nil {
			s.methods[typeName(f.Recv.List[0].Type)+"."+f.Name.Name] = f.Type
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
			t := &declaration{in: s, spec: spec, doc: doc.Text(), wireName: exported(spec.Name.Name)}
			s.order, s.types[spec.Name.Name] = append(s.order, t), t
		case *ast.ValueSpec:
			s.addValues(spec)
		}
	}
}

// method returns a method of a type in s and the package that declares it. An
// interface may have it from one that it embeds.
func (p *program) method(s *source, owner, name string) (*source, *ast.FuncType) {
	if f := s.methods[owner+"."+name]; f != nil || s.types[owner] == nil {
		return s, f
	}
	list, ok := s.types[owner].spec.Type.(*ast.InterfaceType)
	if !ok {
		return s, nil
	}
	for _, m := range list.Methods.List {
		if f, ok := m.Type.(*ast.FuncType); ok && m.Names[0].Name == name {
			return s, f
		}
		in, embedded := s, typeName(m.Type)
		if other, ok := m.Type.(*ast.SelectorExpr); ok {
			in, embedded = p.named(typeName(other.X)), other.Sel.Name
		}
		if in == nil {
			continue
		}
		if in, f := p.method(in, embedded, name); f != nil {
			return in, f
		}
	}
	return s, nil
}

// named returns the package of a name, or nil.
func (p *program) named(name string) *source {
	for _, s := range p.packages {
		if s.name == name {
			return s
		}
	}
	return nil
}

// addValues takes the constants of named string types, and variables.
func (s *source) addValues(spec *ast.ValueSpec) {
	for i, value := range spec.Values {
		s.values[spec.Names[i].Name] = value
		literal, ok := value.(*ast.BasicLit)
		if ok && literal.Kind == token.STRING && spec.Type != nil {
			text, _ := strconv.Unquote(literal.Value)
			of := typeName(spec.Type)
			s.literal[of] = append(s.literal[of], text)
		}
	}
}

// resolve returns the declaration that a type's name stands for in a package, through
// aliases, or nil for one of the language's own types.
func (p *program) resolve(in *source, t ast.Expr) *declaration {
	var d *declaration
	switch t := t.(type) {
	case *ast.Ident:
		d = in.types[t.Name]
	case *ast.SelectorExpr:
		i := slices.IndexFunc(p.packages, func(s *source) bool { return s.name == typeName(t.X) })
		if i < 0 {
			return nil
		}
		d = p.packages[i].types[t.Sel.Name]
	}
	if d == nil || !d.spec.Assign.IsValid() {
		return d
	}
	return p.resolve(d.in, d.spec.Type)
}

// nameAliases returns what aliases stand for the names of the aliases.
func (p *program) nameAliases() {
	for _, s := range p.packages {
		for _, d := range s.order {
			if to := p.resolve(s, d.spec.Name); to != nil && to != d {
				to.wireName = d.wireName
			}
		}
	}
}

// find returns the declaration of the type with a name, in whatever package, or nil.
func (p *program) find(name string) *declaration {
	for _, s := range p.packages {
		if d := s.types[name]; d != nil && !d.spec.Assign.IsValid() {
			return d
		}
	}
	return nil
}

// typeName returns the name in an expression such as T, *T or pkg.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	}
	return ""
}

func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
