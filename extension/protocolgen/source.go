package main

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/extension/protocolgen/gots"
)

// program is the source of the packages that the types come from.
type program struct {
	packages []*gots.Package
	// aliased maps a type to the name of its alias, if it has one: TypeScript has one
	// name for both.
	aliased map[*gots.Type]string
}

// parse reads packages. Tests are left out.
func parse(dirs []string) (*program, error) {
	p := &program{aliased: map[*gots.Type]string{}}
	for _, dir := range dirs {
		s, err := gots.Read(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		p.packages = append(p.packages, s)
	}
	for _, s := range p.packages {
		for _, t := range s.Types {
			if to := p.resolve(s, t.Spec.Name); to != nil && to != t {
				p.aliased[to] = exported(t.Name())
			}
		}
	}
	return p, nil
}

// wireName returns the name of a type in TypeScript.
func (p *program) wireName(t *gots.Type) string {
	if name := p.aliased[t]; name != "" {
		return name
	}
	return exported(t.Name())
}

// resolve returns the type that a name stands for in a package, through aliases, or
// nil for one of the language's own types.
func (p *program) resolve(in *gots.Package, e ast.Expr) *gots.Type {
	var t *gots.Type
	switch e := e.(type) {
	case *ast.Ident:
		t = in.Type(e.Name)
	case *ast.SelectorExpr:
		i := slices.IndexFunc(p.packages, func(s *gots.Package) bool { return s.Name == gots.TypeName(e.X) })
		if i < 0 {
			return nil
		}
		t = p.packages[i].Type(e.Sel.Name)
	}
	if t == nil || !t.Spec.Assign.IsValid() {
		return t
	}
	return p.resolve(t.In, t.Spec.Type)
}

// method returns a method of a type and the package that declares it. An interface may
// embed it from an interface of another package.
func (p *program) method(in *gots.Package, owner, name string) (*gots.Package, *ast.FuncType) {
	if f := in.Method(owner, name); f != nil {
		return in, f
	}
	t := in.Type(owner)
	if t == nil {
		return nil, nil
	}
	list, ok := t.Spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil, nil
	}
	for _, m := range list.Methods.List {
		if len(m.Names) > 0 {
			continue
		}
		if embedded := p.resolve(in, m.Type); embedded != nil {
			if in, f := p.method(embedded.In, embedded.Name(), name); f != nil {
				return in, f
			}
		}
	}
	return nil, nil
}

// find returns the first type of that name in any package, or nil.
func (p *program) find(name string) *gots.Type {
	for _, s := range p.packages {
		if t := s.Type(name); t != nil && !t.Spec.Assign.IsValid() {
			return t
		}
	}
	return nil
}

func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
