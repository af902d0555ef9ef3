package check

import (
	"context"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// taskFixes returns the fixes of a task message. Each fix was tried before it is offered.
func taskFixes(ctx context.Context, doc *Document, stores Stores, start, end int) ([]Fix, error) {
	t, known := readTask(doc, othersOf(doc, stores))
	if !known || t.broken {
		return nil, nil
	}
	var before map[string]int
	var list []Fix
	for i := range t.found {
		f := &t.found[i]
		d := t.diagnostic(f)
		if !d.touches(start, end) {
			continue
		}
		if before == nil {
			before = t.tally()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list = append(list, t.fixes(f, &d, before)...)
	}
	return list, nil
}

// fixes returns the candidates that solve a fault, without duplicates.
func (t *openTask) fixes(f *taskFault, d *Diagnostic, before map[string]int) (list []Fix) {
	seen := map[string]bool{}
	for _, c := range t.candidates(f) {
		text := apply(t.doc.Text, c.Edits)
		if seen[text] || !t.solves(f, text, before) {
			continue
		}
		seen[text] = true
		c.Title, c.Diagnostic = safe(c.Title), *d
		list = append(list, c)
	}
	for i := range list {
		list[i].Preferred = list[i].Preferred && len(list) == 1
	}
	return list
}

// apply returns a text with edits applied.
func apply(text string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	return b.String() + text[at:]
}

// tally counts the faults and notes of each rule and member. It includes those of
// [openTask.checkInTask] even if the message has faults of its own, so that a fix is not blamed
// for problems that those had hidden.
func (t *openTask) tally() map[string]int {
	all := t.found
	if len(t.msg.Faults) > 0 {
		whole := openTask{doc: t.doc, others: t.others, msg: t.msg}
		whole.add(whole.checkInTask())
		all = append(all[:len(all):len(all)], whole.found...)
	}
	n := map[string]int{}
	for i := range all {
		n[all[i].key()]++
	}
	return n
}

// key identifies a fault or note before and after a fix. The key of a fault begins with an
// exclamation mark.
func (f *taskFault) key() string {
	if f.severity == Error {
		return "!" + f.Rule + " " + f.Field
	}
	return f.Rule + " " + f.Field
}

// solves reports whether a fault is gone in text, which a fix has made, and no other fault
// is new.
func (t *openTask) solves(f *taskFault, text string, before map[string]int) bool {
	changed := *t.doc
	changed.Text = text
	after, known := readTask(&changed, t.others)
	if !known || after.broken {
		return false
	}
	// The payload is read only if the type is valid. If a fix makes it valid, new notes
	// are no reason to refuse the fix.
	strict := agn.ValidType(t.msg.Type)
	now := after.tally()
	for key, n := range now {
		if n > before[key] && (strict || key[0] == '!') {
			return false
		}
	}
	return now[f.key()] < before[f.key()]
}

// candidates returns fixes that may solve a fault.
func (t *openTask) candidates(f *taskFault) []Fix {
	if t.base > 0 && f.Offset == 0 && f.Rule == "E0" {
		return []Fix{{Title: "Remove the byte order mark", Edits: []Edit{{End: t.base}}, Preferred: true}}
	}
	list := t.byRule(f)
	siblings, i, ok := memberAt(t.json, f.Offset-t.base)
	if ok && f.Rule != "C17" { // another program may need a member that we do not know
		list = append(list, generalFixes(siblings, i, f)...)
	}
	for i := range list {
		for j := range list[i].Edits {
			list[i].Edits[j].Start += t.base
			list[i].Edits[j].End += t.base
		}
	}
	return list
}

// generalFixes returns fixes for how a member is written, whatever its name is.
func generalFixes(siblings []jsonMember, i int, f *taskFault) (list []Fix) {
	p := &siblings[i]
	name := quoteName(p.name)
	for j := range siblings[:i] {
		if siblings[j].name != p.name {
			continue
		}
		if string(siblings[j].value.Raw) == string(p.value.Raw) {
			list = append(list, Fix{Title: "Remove the second " + name, Edits: []Edit{removal(siblings, i)}, Preferred: true})
		} else {
			list = append(list, Fix{Title: "Keep the first " + name + " and remove this one", Edits: []Edit{removal(siblings, i)}})
		}
		break
	}
	switch p.value.Kind {
	case canon.Null:
		list = append(list, Fix{Title: "Remove " + name + ", which is null", Edits: []Edit{removal(siblings, i)}, Preferred: true})
	case canon.String:
		if bare, ok := unquoted(p.value.Raw); ok {
			list = append(list, Fix{Title: "Write " + bare + " without quotes", Edits: []Edit{replacement(p.value, bare)}, Preferred: true})
		}
	case canon.Number:
		if f.Rule == "E9" {
			list = append(list, Fix{Title: "Remove " + name + " to use the default", Edits: []Edit{removal(siblings, i)}})
		}
	}
	return list
}

// unquoted returns the number or boolean in a string, and whether there is one.
func unquoted(raw []byte) (string, bool) {
	const most = 32
	if len(raw) < 3 || len(raw) > most {
		return "", false
	}
	inner := string(raw[1 : len(raw)-1])
	if inner == "true" || inner == "false" {
		return inner, true
	}
	numeric := strings.Trim(inner, "0123456789+-.eE") == "" && canon.Valid([]byte(inner)) == nil
	return inner, numeric
}

// quoteName returns a name in quotes, shortened for a title.
func quoteName(name string) string {
	const most = 40
	if cut := []rune(name); len(cut) > most {
		name = string(cut[:most]) + "…"
	}
	return `"` + name + `"`
}
