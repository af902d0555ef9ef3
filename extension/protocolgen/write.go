package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/extension/protocolgen/gots"
)

// writer writes declarations. faults lists the types that it cannot write.
type writer struct {
	*program
	// names are the types that are written, by their names in TypeScript.
	names  map[string]*gots.Type
	open   []string // the string types written as string
	faults []string
}

func (w *writer) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// refer adds a type to those that are written, and returns its name in TypeScript.
func (w *writer) refer(name string, d *gots.Type) string {
	if d == nil {
		w.fault("no type %s", name)
		return "unknown"
	}
	wire := w.wireName(d)
	if other := w.names[wire]; other != nil && other != d {
		w.fault("%s.%s and %s.%s have the same name", d.In.Name, d.Name(), other.In.Name, other.Name())
	}
	w.names[wire] = d
	return wire
}

// types writes every type that was referred to, and the types that these refer to, in the
// order of the packages.
func (w *writer) types() string {
	texts := map[*gots.Type]string{}
	for {
		known := len(texts)
		for _, s := range w.packages {
			for _, d := range s.Types {
				if _, done := texts[d]; w.names[w.wireName(d)] == d && !done {
					texts[d] = w.declare(d)
				}
			}
		}
		if len(texts) == known {
			break
		}
	}
	var b strings.Builder
	for _, s := range w.packages {
		for _, d := range s.Types {
			b.WriteString(texts[d])
		}
	}
	return b.String()
}

// declare writes one type.
func (w *writer) declare(d *gots.Type) string {
	wire := w.wireName(d)
	fields := d.Fields()
	members := memberNames(fields)
	about := d.Doc
	if rest, ok := strings.CutPrefix(about, d.Name()+" "); ok {
		about = wire + " " + rest
	}
	doc := w.doc("", about, wire, members)
	if _, ok := d.Spec.Type.(*ast.StructType); !ok {
		return doc + gots.Union(wire, w.literals(d)) + "\n"
	}
	var b strings.Builder
	b.WriteString(doc + "export interface " + wire)
	word := " extends "
	for _, f := range fields {
		if len(f.Names) == 0 {
			b.WriteString(word + w.text(d.In, f.Type))
			word = ", "
		}
	}
	b.WriteString(" {\n")
	for _, f := range fields {
		w.field(&b, d.In, f, members)
	}
	b.WriteString("}\n\n")
	return b.String()
}

// literals returns the values of a string type, or string if it may have any.
func (w *writer) literals(d *gots.Type) []string {
	if gots.TypeName(d.Spec.Type) != "string" {
		w.fault("%s.%s is neither a struct nor a string", d.In.Name, d.Name())
	}
	values := d.In.Words[d.Name()]
	if len(values) == 0 || slices.Contains(w.open, d.Name()) {
		return []string{"string"}
	}
	return strings.Split(gots.UnionOf(values), " | ")
}

// field writes a field, or nothing if it is embedded or is not in JSON.
func (w *writer) field(b *strings.Builder, in *gots.Package, f *ast.Field, members map[string]string) {
	name, optional := gots.JSONName(f)
	if len(f.Names) == 0 || name == "-" {
		return
	}
	if name == "" {
		w.fault("%s: the field %s has no JSON name", in.Name, f.Names[0].Name)
	}
	doc := f.Doc.Text()
	if doc == "" {
		doc = f.Comment.Text()
	}
	b.WriteString(w.doc("  ", doc, "", members))
	mark := ""
	if optional {
		mark = "?"
	}
	text := w.text(in, f.Type)
	if _, pointer := f.Type.(*ast.StarExpr); pointer && !optional {
		text += " | null"
	}
	fmt.Fprintf(b, "  readonly %s%s: %s;\n", name, mark, text)
}

// memberNames maps the names of fields to their names in JSON.
func memberNames(fields []*ast.Field) map[string]string {
	names := map[string]string{}
	for _, f := range fields {
		if name, _ := gots.JSONName(f); name != "" && len(f.Names) > 0 {
			names[f.Names[0].Name] = name
		}
	}
	return names
}

// text writes the type of a field, of params or of a result.
func (w *writer) text(in *gots.Package, t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return w.text(in, t.X)
	case *ast.ArrayType:
		element := w.text(in, t.Elt)
		if length, ok := t.Len.(*ast.BasicLit); ok {
			n, _ := strconv.Atoi(length.Value)
			return "readonly [" + strings.Join(slices.Repeat([]string{element}, n), ", ") + "]"
		}
		return gots.List(element)
	case *ast.StructType:
		if len(t.Fields.List) == 0 {
			return "Record<string, never>"
		}
	case *ast.SelectorExpr:
		if gots.TypeName(t.X) == "json" && t.Sel.Name == "RawMessage" {
			return "unknown"
		}
		return w.refer(gots.TypeName(t.X)+"."+t.Sel.Name, w.resolve(in, t))
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "string"
		case "bool":
			return "boolean"
		case "int", "int32", "int64", "uint32":
			return "number"
		}
		return w.refer(t.Name, w.resolve(in, t))
	}
	w.fault("%s: a type that protocolgen does not know: %T", in.Name, t)
	return "unknown"
}

// requests writes the table of requests, from the calls of route and ask.
func (w *writer) requests(server *gots.Package) string {
	var b strings.Builder
	b.WriteString("/** Every request besides those of LSP: its params and its result. */\nexport interface Requests {\n")
	for _, body := range server.Bodies {
		ast.Inspect(body, func(n ast.Node) bool {
			if entry, ok := n.(*ast.KeyValueExpr); ok {
				if name, ok := entry.Key.(*ast.BasicLit); ok && name.Kind == token.STRING {
					b.WriteString(w.request(server, strings.Trim(name.Value, `"`), routed(entry.Value)))
				}
			}
			return true
		})
	}
	return b.String() + "}\n\n"
}

// request writes one request. Its types are the last param and the first result of run.
func (w *writer) request(server *gots.Package, method string, run *ast.SelectorExpr) string {
	if run == nil {
		if strings.HasPrefix(method, "signalbox/") {
			w.fault("%s is registered without route or ask", method)
		}
		return ""
	}
	owner := gots.TypeName(run.X)
	if owner == "s" {
		owner = "session"
	}
	in, f := w.program.method(server, owner, run.Sel.Name)
	if f == nil {
		w.fault("%s: no function %s.%s", method, owner, run.Sel.Name)
		return ""
	}
	params, result := f.Params.List[len(f.Params.List)-1].Type, f.Results.List[0].Type
	return fmt.Sprintf("  '%s': {\n    params: %s;\n    result: %s;\n  };\n", method, w.text(in, params), w.text(in, result))
}

// routed returns the last argument of a call of route or ask in e, or nil.
func routed(e ast.Expr) (run *ast.SelectorExpr) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && (gots.TypeName(call.Fun) == "route" || gots.TypeName(call.Fun) == "ask") {
			run, _ = call.Args[len(call.Args)-1].(*ast.SelectorExpr)
		}
		return run == nil
	})
	return run
}

// errorCodes writes the table errorCodes of the server.
func (w *writer) errorCodes() string {
	var table *ast.CompositeLit
	for _, p := range w.program.packages {
		if found, ok := p.Values["errorCodes"].(*ast.CompositeLit); ok {
			table = found
		}
	}
	if table == nil {
		w.fault("no table errorCodes")
		return ""
	}
	var b strings.Builder
	b.WriteString("/** The server's own error codes, besides those of LSP. */\nexport const ErrorCode = {\n")
	for _, e := range table.Elts {
		entry := e.(*ast.KeyValueExpr)
		fmt.Fprintf(&b, "  %s: %s,\n", entry.Key.(*ast.SelectorExpr).Sel.Name, entry.Value.(*ast.BasicLit).Value)
	}
	return b.String() + "} as const;\n"
}

// limits are the constants of the Go packages that bound a request, and their names in
// TypeScript.
var limits = []struct{ constant, name string }{{"MaxPage", "page"}, {"MaxNeeds", "needs"}, {"MaxRefs", "refs"}}

// limits writes the server's limits, so that no number is written on both sides.
func (w *writer) limits() string {
	var b strings.Builder
	b.WriteString("\n/** The most that the server accepts in a request: rows or messages of a page, tokens of a link/resolve. */\nexport const Limit = {\n")
	for _, l := range limits {
		value := ""
		for _, p := range w.program.packages {
			if found, ok := p.Values[l.constant].(*ast.BasicLit); ok {
				value = found.Value
			}
		}
		if value == "" {
			w.fault("no constant %s", l.constant)
		}
		fmt.Fprintf(&b, "  %s: %s,\n", l.name, value)
	}
	return b.String() + "} as const;\n"
}

// named finds Go's names in a comment: as a link in brackets, or as a word.
var named = regexp.MustCompile(`\[(?:[a-z]+\.)?([A-Z]\w*(?:\.\w+)?)\]|\b[A-Z]\w*(?:\.[A-Z]\w*)?\b`)

// doc returns a doc comment without Go's links and with the names of TypeScript. name is
// the type that the comment begins with, or empty for a field.
func (w *writer) doc(indent, doc, name string, members map[string]string) string {
	begin := doc
	doc = named.ReplaceAllStringFunc(doc, func(s string) string {
		link := named.FindStringSubmatch(s)[1]
		word := cmp.Or(link, s)
		of, field, qualified := strings.Cut(word, ".")
		if t := w.find(of); qualified && t != nil {
			if member := memberNames(t.Fields())[field]; member != "" {
				return of + "." + member
			}
		}
		// Words such as HTML are meant as they are, unless the comment is about the field.
		m, ok := members[word]
		if !ok || link != "" || word == name || word == strings.ToUpper(word) && !strings.HasPrefix(begin, word) {
			return word
		}
		return "`" + m + "`"
	})
	return gots.Doc(indent, doc, gots.Width)
}
