package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// width is the longest line that prettier leaves whole.
const width = 110

// writer writes declarations. Faults are the types it cannot write.
type writer struct {
	*program
	names  map[string]*declaration // by their names in TypeScript
	open   []string                // the string types written as string
	faults []string
}

func (w *writer) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// refer has a type written, and returns its name in TypeScript.
func (w *writer) refer(name string, d *declaration) string {
	if d == nil {
		w.fault("no type %s", name)
		return "unknown"
	}
	if other := w.names[d.wireName]; other != nil && other != d {
		w.fault("%s.%s and %s.%s have the same name", d.in.name, d.spec.Name.Name, other.in.name, other.spec.Name.Name)
	}
	w.names[d.wireName] = d
	d.used = true
	return d.wireName
}

// types writes every type that was referred to, and what these refer to, in the order
// of the packages.
func (w *writer) types() string {
	texts := map[*declaration]string{}
	for {
		known := len(texts)
		for _, s := range w.packages {
			for _, d := range s.order {
				if _, done := texts[d]; d.used && !done {
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
		for _, d := range s.order {
			b.WriteString(texts[d])
		}
	}
	return b.String()
}

// declare writes one type.
func (w *writer) declare(d *declaration) string {
	var b strings.Builder
	s, ok := d.spec.Type.(*ast.StructType)
	if !ok {
		w.comment(&b, "", d.doc, d.spec.Name.Name, d.wireName, nil)
		b.WriteString(union("export type "+d.wireName+" =", w.literals(d)) + "\n")
		return b.String()
	}
	members := memberNames(s)
	w.comment(&b, "", d.doc, d.spec.Name.Name, d.wireName, members)
	b.WriteString("export interface " + d.wireName)
	word := " extends "
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 {
			b.WriteString(word + w.text(d.in, f.Type))
			word = ", "
		}
	}
	b.WriteString(" {\n")
	for _, f := range s.Fields.List {
		w.field(&b, d.in, f, members)
	}
	b.WriteString("}\n\n")
	return b.String()
}

func (w *writer) literals(d *declaration) []string {
	if typeName(d.spec.Type) != "string" {
		w.fault("%s.%s is neither a struct nor a string", d.in.name, d.spec.Name.Name)
	}
	values := d.in.literal[d.spec.Name.Name]
	if len(values) == 0 || slices.Contains(w.open, d.spec.Name.Name) {
		return []string{"string"}
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = "'" + v + "'"
	}
	return quoted
}

// union writes a type's declaration as prettier does.
func union(begin string, of []string) string {
	if line := begin + " " + strings.Join(of, " | ") + ";\n"; len(line) <= width+1 {
		return line
	}
	return begin + "\n  | " + strings.Join(of, "\n  | ") + ";\n"
}

// field writes a field, or nothing for one that is embedded or stays here.
func (w *writer) field(b *strings.Builder, in *source, f *ast.Field, members map[string]string) {
	name, optional := jsonName(f)
	if len(f.Names) == 0 || name == "-" {
		return
	}
	if name == "" {
		w.fault("%s: the field %s has no JSON name", in.name, f.Names[0].Name)
	}
	doc := f.Doc.Text()
	if doc == "" {
		doc = f.Comment.Text()
	}
	w.comment(b, "  ", doc, "", "", members)
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

// jsonName returns a field's name in JSON, and whether it may be absent.
func jsonName(f *ast.Field) (name string, optional bool) {
	if f.Tag == nil {
		return "", false
	}
	tag, _ := strconv.Unquote(f.Tag.Value)
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name, strings.Contains(options, "omit")
}

// memberNames maps the names of fields to those in JSON.
func memberNames(s *ast.StructType) map[string]string {
	names := map[string]string{}
	for _, f := range s.Fields.List {
		if name, _ := jsonName(f); name != "" && len(f.Names) > 0 {
			names[f.Names[0].Name] = name
		}
	}
	return names
}

// text writes the type of a field, of params or of a result.
func (w *writer) text(in *source, t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return w.text(in, t.X)
	case *ast.ArrayType:
		element := w.text(in, t.Elt)
		if length, ok := t.Len.(*ast.BasicLit); ok {
			n, _ := strconv.Atoi(length.Value)
			return "readonly [" + strings.Join(slices.Repeat([]string{element}, n), ", ") + "]"
		}
		if strings.Contains(element, " ") {
			element = "(" + element + ")"
		}
		return "readonly " + element + "[]"
	case *ast.StructType:
		if len(t.Fields.List) == 0 {
			return "Record<string, never>"
		}
	case *ast.SelectorExpr:
		if typeName(t.X) == "json" && t.Sel.Name == "RawMessage" {
			return "unknown"
		}
		return w.refer(typeName(t.X)+"."+t.Sel.Name, w.resolve(in, t))
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
	w.fault("%s: a type that protocolgen does not know: %T", in.name, t)
	return "unknown"
}

// requests writes the table of requests, from the calls of route and ask.
func (w *writer) requests(server *source) string {
	var b strings.Builder
	b.WriteString("/** Every request besides those of LSP: its params and its result. */\nexport interface Requests {\n")
	for _, body := range server.bodies {
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
func (w *writer) request(server *source, method string, run *ast.SelectorExpr) string {
	if run == nil {
		if strings.HasPrefix(method, "signalbox/") {
			w.fault("%s is registered without route or ask", method)
		}
		return ""
	}
	owner := typeName(run.X)
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
		if ok && (typeName(call.Fun) == "route" || typeName(call.Fun) == "ask") {
			run, _ = call.Args[len(call.Args)-1].(*ast.SelectorExpr)
		}
		return run == nil
	})
	return run
}

// errorCodes writes the table of the same name.
func (w *writer) errorCodes() string {
	var table *ast.CompositeLit
	for _, s := range w.program.packages {
		if found, ok := s.values["errorCodes"].(*ast.CompositeLit); ok {
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

// named finds Go's names in a comment: as a link in brackets, or as a word.
var named = regexp.MustCompile(`\[(?:[a-z]+\.)?([A-Z]\w*(?:\.\w+)?)\]|\b[A-Z]\w*(?:\.[A-Z]\w*)?\b`)

// comment writes a doc comment: without Go's links, and with the names of TypeScript.
// name is what the comment begins with in Go.
func (w *writer) comment(b *strings.Builder, indent, doc, name, wireName string, members map[string]string) {
	if rest, ok := strings.CutPrefix(doc, name+" "); ok && name != "" {
		doc = wireName + " " + rest
	}
	begin := doc
	doc = named.ReplaceAllStringFunc(doc, func(s string) string {
		link := named.FindStringSubmatch(s)[1]
		word := cmp.Or(link, s)
		of, field, qualified := strings.Cut(word, ".")
		if d := w.find(of); qualified && d != nil {
			if s, ok := d.spec.Type.(*ast.StructType); ok && memberNames(s)[field] != "" {
				return of + "." + memberNames(s)[field]
			}
		}
		// Words such as HTML are meant as they are, unless the comment is about the field.
		m, ok := members[word]
		if !ok || link != "" || word == wireName || word == strings.ToUpper(word) && !strings.HasPrefix(begin, word) {
			return word
		}
		return "`" + m + "`"
	})
	doc = strings.ReplaceAll(strings.TrimSpace(doc), "*/", "* /")
	if doc == "" {
		return
	}
	if line := indent + "/** " + strings.Join(strings.Fields(doc), " ") + " */"; len(line) <= width && !strings.Contains(doc, "\n\n") {
		b.WriteString(line + "\n")
		return
	}
	b.WriteString(indent + "/**\n")
	for i, paragraph := range strings.Split(doc, "\n\n") {
		if i > 0 {
			b.WriteString(indent + " *\n")
		}
		line := indent + " *"
		for _, word := range strings.Fields(paragraph) {
			if len(line)+1+len(word) > width {
				b.WriteString(line + "\n")
				line = indent + " *"
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	b.WriteString(indent + " */\n")
}
