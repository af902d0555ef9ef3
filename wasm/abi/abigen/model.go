package main

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/gots"
)

// model is the list of ops and the types that it names.
type model struct {
	ops   []op
	types []*record
	codes []string
	// read and written are the names of the types in results and in arguments.
	read, written map[string]bool
}

type op struct {
	abi.Spec
	args []arg
}

// arg is an argument of a call.
type arg struct {
	name, typ               string
	input, spread, optional bool
}

// record is a type of wasm/client: a struct, or a text with few values.
type record struct {
	name, doc string
	fields    []field
	words     []string
}

type field struct {
	name, json, doc string
	typ             ast.Expr
	// optional is set if the member may be missing in a result, and newOptional if it
	// may be missing when it is written.
	optional, newOptional, null bool
	// input is set for bytes of argument 2, and rest for bytes after a line of JSON.
	input, rest bool
	words       []string
}

func load(dir string) (*model, error) {
	m := &model{read: map[string]bool{}, written: map[string]bool{}}
	types, err := gots.Read(filepath.Join(dir, "client", "*_types.go"))
	if err != nil {
		return nil, err
	}
	contract, err := gots.Read(filepath.Join(dir, "abi", "abi.go"))
	if err != nil {
		return nil, err
	}
	for _, t := range append(types.Types, contract.Types...) {
		r := &record{name: t.Name(), doc: t.Doc, words: t.In.Words[t.Name()]}
		for _, f := range t.Fields() {
			r.fields = append(r.fields, fieldsOf(f)...)
		}
		m.types = append(m.types, r)
	}
	m.codes = contract.Words["Code"]
	for _, s := range abi.Ops() {
		o := op{Spec: s}
		for text := range strings.SplitSeq(s.Args, ", ") {
			if text != "" {
				o.args = append(o.args, parseArg(text))
			}
		}
		m.ops = append(m.ops, o)
		if err := m.use(&o); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return m, nil
}

func parseArg(text string) arg {
	var a arg
	a.name, a.typ, _ = strings.Cut(text, ": ")
	a.name, a.input = strings.CutPrefix(a.name, "*")
	a.name, a.spread = strings.CutPrefix(a.name, "...")
	a.name, a.optional = strings.CutSuffix(a.name, "?")
	return a
}

// fieldsOf reads a line of a struct. An embedded type is a field without a name.
func fieldsOf(f *ast.Field) []field {
	json, optional := gots.JSONName(f)
	one := field{typ: f.Type, doc: f.Doc.Text(), json: json, newOptional: optional}
	for option := range strings.SplitSeq(gots.Tag(f).Get("abi"), ",") {
		switch option {
		case "":
		case "?":
			one.optional, one.newOptional = true, true
		case "new?":
			one.newOptional = true
		case "null":
			one.null = true
		case "input":
			one.input = true
		case "rest":
			one.rest = true
		default:
			one.words = strings.Split(option, "|")
		}
	}
	if len(f.Names) == 0 {
		return []field{one}
	}
	if json == "-" && !one.input && !one.rest {
		return nil
	}
	var list []field
	for _, n := range f.Names {
		next := one
		next.name = n.Name
		if json == "" || json == "-" {
			next.json = lowerCamel(n.Name)
		}
		list = append(list, next)
		one.doc = ""
	}
	return list
}

func (m *model) record(name string) *record {
	for _, r := range m.types {
		if r.name == name {
			return r
		}
	}
	return nil
}

// use notes the types of an op's arguments and result.
func (m *model) use(o *op) error {
	for _, a := range o.args {
		if err := m.mark(m.written, typeName(a.typ)); err != nil {
			return err
		}
	}
	return m.mark(m.read, typeName(o.resultType()))
}

var builtin = map[string]bool{
	"": true, "text": true, "int": true, "bool": true, "bytes": true, "random8": true, "random16": true,
	"string": true, "int64": true, "float64": true, "byte": true, "Value": true, "Time": true, "Mode": true, "Negated": true,
}

// typeName returns the name in a type like "Fault[]" or "Fault?".
func typeName(text string) string {
	if strings.Contains(text, "|") {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(text, "[]"), "?")
}

func (m *model) mark(set map[string]bool, name string) error {
	if set[name] || builtin[name] && name != "Time" {
		return nil
	}
	r := m.record(name)
	if r == nil {
		return fmt.Errorf("wasm/client has no type %s", name)
	}
	set[name] = true
	for _, f := range r.fields {
		var err error
		ast.Inspect(f.typ, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && err == nil {
				err = m.mark(set, id.Name)
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// resultType returns the type of the result's JSON, or empty for bytes and texts.
func (o *op) resultType() string {
	if _, typ, ok := o.single(); ok {
		return typ
	}
	if strings.Contains(o.Result, " ") {
		return ""
	}
	return o.Result
}

// single takes a result like "{valid: bool}" apart.
func (o *op) single() (name, typ string, ok bool) {
	if !strings.HasPrefix(o.Result, "{") {
		return "", "", false
	}
	return strings.Cut(strings.Trim(o.Result, "{}"), ": ")
}

// isText reports whether the result is a text, and not bytes.
func (o *op) isText() bool { return strings.HasPrefix(o.Result, "text: ") }

func (o *op) byHand(client string) bool { return strings.Contains(o.ByHand, client) }

func (o *op) format() string {
	format, _, _ := strings.Cut(o.Name, ".")
	return format
}

// hasRest reports whether bytes follow the JSON of a type.
func (m *model) hasRest(name string) bool {
	r := m.record(name)
	return r != nil && len(r.fields) > 0 && r.fields[len(r.fields)-1].rest
}

// piece is a part of argument 2, or a parameter.
type piece struct {
	arg
	// field is the member of a spread argument, or nil for an argument itself.
	field *field
	// last is the piece that ends argument 2 without a length.
	last bool
}

// pieces lists the parts of the parameters and of argument 2: the members of spread
// arguments, and the other arguments.
func (m *model) pieces(o *op) []piece {
	var list []piece
	last := -1
	for _, a := range o.args {
		if !a.spread {
			list = append(list, piece{arg: a})
		} else {
			fields := m.record(a.typ).fields
			for i := range fields {
				list = append(list, piece{arg: arg{name: a.name, optional: fields[i].newOptional, input: fields[i].input}, field: &fields[i]})
			}
		}
		for i := range list {
			if list[i].input {
				last = i
			}
		}
	}
	if last >= 0 && !m.isList(list[last]) {
		list[last].last = true
	}
	return list
}

func (m *model) isList(p piece) bool {
	if p.field == nil {
		return strings.HasSuffix(p.typ, "[]")
	}
	array, ok := p.field.typ.(*ast.ArrayType)
	if !ok {
		return false
	}
	element, ok := array.Elt.(*ast.Ident)
	return !ok || element.Name != "byte"
}

func (p piece) isLogs() bool {
	if p.field == nil {
		return false
	}
	array, ok := p.field.typ.(*ast.ArrayType)
	if !ok {
		return false
	}
	element, ok := array.Elt.(*ast.Ident)
	return ok && element.Name == "Log"
}

// json returns the name of a piece among the parameters.
func (m *model) json(p piece) string {
	name := p.name
	if p.field != nil {
		name = p.field.json
	}
	if p.input && !m.isList(p) {
		name += "Length"
	}
	return name
}
