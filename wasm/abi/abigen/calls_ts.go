package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/wasm/gots"
)

// callsTS writes the classes, with a method for each op. A class whose format has ops
// written by hand is the base of one that adds them.
func (m *model) callsTS() string {
	var b strings.Builder
	for _, c := range clients {
		name, ops := c.jsType, m.opsOf(c.format)
		by := func(o *op) bool { return o.byHand("js") }
		if slices.ContainsFunc(ops, by) {
			name += "Calls"
		}
		b.WriteString("\n" + docTS("", "The ops of "+c.about+". Every method is one call of the module."))
		fmt.Fprintf(&b, "export class %s {\n  protected readonly ops: Ops;\n\n  constructor(caller: Caller) {\n    this.ops = new Ops(caller);\n  }\n", name)
		for _, o := range slices.DeleteFunc(ops, by) {
			b.WriteString("\n" + m.callTS(o))
		}
		b.WriteString("}\n")
	}
	return jsHead + "import { hex, Input, Ops, randomBytes } from './caller.js';\nimport type { Caller } from './caller.js';\n" +
		"import type { Bytes } from './json.js';\n" + m.importsTS(b.String()) + b.String()
}

func (m *model) opsOf(format string) []*op {
	var list []*op
	for i := range m.ops {
		if m.ops[i].format() == format {
			list = append(list, &m.ops[i])
		}
	}
	return list
}

// importsTS imports the types that a text names.
func (m *model) importsTS(text string) string {
	var names []string
	for _, r := range m.types {
		for _, name := range []string{jsName(r.name), "New" + jsName(r.name)} {
			for _, after := range []string{";", ",", ")", " ", "["} {
				if strings.Contains(text, ": "+name+after) || strings.Contains(text, ": readonly "+name+after) {
					names = append(names, name)
				}
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return "import type {\n  " + strings.Join(slices.Compact(names), ",\n  ") + ",\n} from './types.js';\n"
}

func (m *model) callTS(o *op) string {
	_, name, _ := strings.Cut(o.Name, ".")
	var params []string
	for _, a := range o.args {
		params = append(params, m.paramTS(o, a))
	}
	result, body := m.resultTS(o)
	signature := fmt.Sprintf("  %s(%s): %s {\n", name, strings.Join(params, ", "), result)
	if len(signature) > gots.Width {
		signature = fmt.Sprintf("  %s(\n    %s,\n  ): %s {\n", name, strings.Join(params, ",\n    "), result)
	}
	return docTS("  ", o.About) + signature + body + "  }\n"
}

// paramTS writes a parameter of a method. From a spread one it takes out the members
// that are not parameters of the op under their own name.
func (m *model) paramTS(o *op, a arg) string {
	if !a.spread {
		switch {
		case a.typ == "random8":
			return a.name + ": Uint8Array = randomBytes(8)"
		case a.typ == "random16":
			return a.name + ": Uint8Array = randomBytes(16)"
		case a.optional && strings.HasSuffix(a.typ, "[]"):
			return a.name + ": " + m.argTS(a.typ, true) + " = []"
		case a.input && a.typ == "text":
			return a.name + ": Bytes"
		case a.optional:
			return a.name + "?: " + m.argTS(a.typ, true)
		}
		return a.name + ": " + m.argTS(a.typ, true)
	}
	typ := m.writtenName(a.typ)
	if a.optional {
		return a.name + ": " + typ + " = {}"
	}
	var out []string
	for _, p := range m.pieces(o) {
		if p.field == nil || p.name != a.name {
			continue
		}
		switch name := p.field.json; {
		case p.input && p.optional:
			out = append(out, name+" = []")
		case p.input:
			out = append(out, name)
		case camel(name) != name:
			out = append(out, camel(name))
		}
	}
	if out == nil {
		return a.name + ": " + typ
	}
	if hasParams(m.record(a.typ)) {
		out = append(out, "..."+a.name)
	}
	return "{ " + strings.Join(out, ", ") + " }: " + typ
}

// resultTS returns the type of a method and its statements.
func (m *model) resultTS(o *op) (typ, body string) {
	params, input, measured := m.argumentsTS(o)
	list := "{ " + strings.Join(params, ", ") + " }"
	if len(params) == 0 {
		list = "{}"
	}
	if len(params) == 1 && strings.HasPrefix(params[0], "...") {
		list = strings.TrimPrefix(params[0], "...")
	}
	before := ""
	if measured {
		before = "    const input = new Input('" + o.Name + "');\n"
		if len(params) > 0 {
			before += "    const params = " + list + ";\n"
			if len(before) > len("    const input = new Input('');\n")+len(o.Name)+gots.Width {
				before = "    const input = new Input('" + o.Name + "');\n    const params = {\n      " + strings.Join(params, ",\n      ") + ",\n    };\n"
			}
			list = "params"
		}
	}
	args := "('" + o.Name + "', " + list
	if input != "" {
		args += ", " + input
	}
	args += ")"
	if name, single, ok := o.single(); ok {
		return m.argTS(single, false), before + "    return this.ops.json" + args + "." + name + ";\n"
	}
	switch typ = o.resultType(); {
	case o.isText():
		return "string", before + "    return this.ops.text" + args + ";\n"
	case typ == "":
		return "Uint8Array", before + "    return this.ops.bytes" + args + ";\n"
	case m.hasRest(typ):
		return jsName(typ), before + "    const [head, rest] = this.ops.header" + args + ";\n    return { ...head, data: rest };\n"
	}
	return jsName(typ), before + "    return this.ops.json" + args + ";\n"
}

// argumentsTS returns the members of the parameters and the second argument.
// measured is set if the lengths of its parts are parameters.
func (m *model) argumentsTS(o *op) (params []string, input string, measured bool) {
	pieces := m.pieces(o)
	for _, p := range pieces {
		measured = measured || p.input && !p.last
	}
	for _, a := range o.args {
		if a.spread && hasParams(m.record(a.typ)) {
			params = append(params, "..."+a.name)
		}
	}
	for _, p := range pieces {
		name := p.name
		if p.field != nil {
			name = camel(p.field.json)
		}
		switch {
		case p.last && measured:
			input = "input.join(" + name + ")"
		case p.last:
			input = name
		case p.isLogs():
			params = append(params, m.json(p)+": input.logs("+name+")")
		case p.input && m.isList(p):
			params = append(params, m.json(p)+": input.all("+name+")")
		case p.input:
			params = append(params, m.json(p)+": input.one("+name+")")
		case p.field != nil && name != p.field.json:
			params = append(params, p.field.json+": "+name)
		case p.field != nil:
		case strings.HasPrefix(p.typ, "random"):
			params = append(params, name+": hex("+name+")")
		default:
			params = append(params, name)
		}
	}
	if measured && input == "" {
		input = "input.join()"
	}
	return params, input, measured
}
