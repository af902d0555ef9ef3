package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// readme writes the table of ops, a sentence or more about each, and the shapes of
// their JSON.
func (m *model) readme() string {
	var b strings.Builder
	b.WriteString("| op | name | parameters | argument 2 | result |\n|---|---|---|---|---|\n")
	for i := range m.ops {
		o := &m.ops[i]
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s | %s |\n", o.Op, o.Name, code(m.params(o)), o.Input, m.result(o))
	}
	b.WriteString("\n")
	for _, o := range m.ops {
		fmt.Fprintf(&b, "- `%s`: %s\n", o.Name, o.About)
	}
	b.WriteString("\nThe shapes, with a question mark after members that may be missing:\n\n")
	for _, s := range m.shapes() {
		fmt.Fprintf(&b, "- %s: `%s`\n", s.name, s.text)
	}
	return b.String()
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// params lists the members of an op's first argument.
func (m *model) params(o *op) string {
	var list []string
	for _, p := range m.pieces(o) {
		if p.last {
			continue
		}
		text := `"` + m.json(p) + `"`
		switch {
		case p.isLogs():
			text += `:[{"name","length"}]`
		case p.input && m.isList(p):
			text += ":[…]"
		case p.input:
		case p.field != nil:
			text += m.shapeOf(p.field.typ, true)
		case m.record(typeName(p.typ)) != nil && strings.HasSuffix(p.typ, "[]"):
			text += ":[" + m.writtenName(typeName(p.typ)) + "]"
		case m.record(p.typ) != nil && m.record(p.typ).fields != nil:
			text += ":" + m.writtenName(p.typ)
		}
		if p.optional && (!p.input || m.isList(p)) {
			text += "?"
		}
		list = append(list, text)
	}
	return strings.Join(list, ",")
}

// result returns the name of a shape, an object, or a phrase.
func (m *model) result(o *op) string {
	name, typ, ok := o.single()
	switch {
	case ok && typ == "bool":
		return code(`{"` + name + `"}`)
	case ok && typ == "text[]":
		return code(`{"` + name + `":[…]}`)
	case ok && strings.HasSuffix(typ, "[]"):
		return code(`{"` + name + `":[` + jsName(typeName(typ)) + `]}`)
	case ok:
		return code(`{"` + name + `":` + jsName(typeName(typ)) + `}`)
	case o.resultType() == "":
		return strings.TrimPrefix(o.Result, "text: ")
	case m.hasRest(o.Result):
		return jsName(o.Result) + ", a line feed, and the new bytes"
	case o.byHand("js") && o.Input != "" && strings.HasSuffix(o.Result, "Head"):
		return jsName(o.Result) + ", a line feed, and bytes"
	}
	return jsName(o.Result)
}

type shape struct{ name, text string }

// shapes lists the objects by name, as they are read and as they are written.
func (m *model) shapes() []shape {
	var list []shape
	for _, r := range m.types {
		if r.fields == nil {
			continue
		}
		if m.read[r.name] {
			list = append(list, shape{jsName(r.name), "{" + m.members(r, false) + "}"})
		}
		if m.written[r.name] && r.name != "Time" && m.nested(r.name) && (!m.read[r.name] || m.differs(r.name)) {
			list = append(list, shape{m.writtenName(r.name), "{" + m.members(r, true) + "}"})
		}
	}
	return list
}

// nested reports whether a type is not only spread over the parameters of ops.
func (m *model) nested(name string) bool {
	for _, o := range m.ops {
		for _, a := range o.args {
			if a.spread && a.typ == name {
				return false
			}
		}
	}
	return true
}

func (m *model) members(r *record, write bool) string {
	var list []string
	for _, f := range r.fields {
		switch {
		case f.input || f.rest:
			continue
		case f.name == "":
			if id, ok := f.typ.(*ast.Ident); ok {
				list = append(list, m.members(m.record(id.Name), write))
			}
			continue
		}
		text := `"` + f.json + `"` + m.shapeOf(f.typ, write)
		if f.optional || write && f.newOptional {
			text += "?"
		}
		list = append(list, text)
	}
	return strings.Join(list, ",")
}

// shapeOf returns what a member consists of, if it is a list or an object: ":[Fault]".
func (m *model) shapeOf(typ ast.Expr, write bool) string {
	switch t := typ.(type) {
	case *ast.StarExpr:
		return m.shapeOf(t.X, write)
	case *ast.MapType:
		return ":{…}"
	case *ast.ArrayType:
		if element := m.shapeOf(t.Elt, write); element != "" {
			return ":[" + element[1:] + "]"
		}
		return ":[…]"
	case *ast.Ident:
		if r := m.record(t.Name); r != nil && r.fields != nil && (t.Name != "Time" || !write) {
			if write {
				return ":" + m.writtenName(t.Name)
			}
			return ":" + jsName(t.Name)
		}
	}
	return ""
}

// manifestGo writes what the manifest of a release says about the ops.
func (m *model) manifestGo() string {
	var b strings.Builder
	b.WriteString(goHead + "package main\n\n// ops lists the ops as the table in wasm/README.md does, with the shapes of results.\nfunc ops() []op {\n\treturn []op{\n")
	for i := range m.ops {
		o := &m.ops[i]
		result := strings.ReplaceAll(m.result(o), "`", "")
		if r := m.record(o.Result); r != nil {
			result = "{" + m.members(r, false) + "}" + strings.TrimPrefix(result, jsName(o.Result))
		}
		fmt.Fprintf(&b, "\t\t{%d, %q, %s, %s, %s, %s},\n", o.Op, o.Name, raw(m.params(o)), raw(o.Input), raw(result), raw(o.About))
	}
	b.WriteString("\t}\n}\n\n// shapes are the objects that ops name.\nfunc shapes() map[string]string {\n\treturn map[string]string{\n")
	for _, s := range m.shapes() {
		fmt.Fprintf(&b, "\t\t%q: %s,\n", s.name, raw(s.text))
	}
	b.WriteString("\t}\n}\n")
	return b.String()
}

func raw(s string) string { return "`" + s + "`" }
