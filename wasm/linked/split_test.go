package linked

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// small is a module as Go links it, of three functions: the bodies' only differences
// are the numbers that they give. After change its sections are those of the module.
func small(change func(map[byte][]byte)) []byte {
	sections := map[byte][]byte{
		typeSection:     {2, function, 1, i32, 1, i32, function, 0, 0},
		importSection:   {1, 1, 'w', 1, 'f', kindFunction, 1},
		functionSection: {3, 0, 1, 0},
		tableSection:    {1, funcref, 0, 9},
		memorySection:   {1, 0, 3},
		globalSection:   {2, i32, 1, i32Const, 0, end, 0x7e, 1, i64Const, 5, end},
		exportSection:   {1, 6, 'm', 'e', 'm', 'o', 'r', 'y', kindMemory, 0},
		elementSection:  {1, 0, i32Const, 5, end, 4, 0, 1, 2, 3},
		codeSection:     {3, 4, 0, i32Const, 1, end, 2, 0, end, 4, 0, i32Const, 3, end},
		dataSection:     {0},
	}
	if change != nil {
		change(sections)
	}
	var list []section
	for id := byte(1); id <= dataCountSection; id++ {
		if content, ok := sections[id]; ok {
			list = append(list, section{id, content})
		}
	}
	if content, ok := sections[customSection]; ok {
		list = append(list, section{customSection, content})
	}
	return write(list, 0)
}

// named adds names to a module's functions, from the import on.
func named(names ...string) func(map[byte][]byte) {
	return func(sections map[byte][]byte) {
		list := []byte{byte(len(names))}
		for i, name := range names {
			list = appendName(append(list, byte(i)), name)
		}
		content := append([]byte{0, 3, 2, 'm', 'm', 1}, binary.AppendUvarint(nil, uint64(len(list)))...)
		sections[customSection] = custom("name", append(content, list...)).content
	}
}

func TestFinish(t *testing.T) {
	for _, c := range []struct {
		name    string
		module  []byte
		profile string
		want    []byte // what follows the name of the section; nil for none
	}{
		{"no names", small(nil), "1 a", nil},
		{"all in the profile", small(named("w.f", "a", "b", "c")), "# said\n\n0 a\n2 b\n2 c\n", []byte{1, 0, 2, 2}},
		{"one that is not", small(named("w.f", "a", "b", "c")), "0 a\n1 b", []byte{1, 0, 1, 1, 1, 2}},
		{"an empty profile", small(named("w.f", "a", "b", "c")), "", []byte{3, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Finish(c.module, []byte(c.profile))
			want := small(nil)
			if c.want != nil {
				want = small(func(s map[byte][]byte) { s[customSection] = custom(partsSection, c.want).content })
			}
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%x, %v, want %x", got, err, want)
			}
		})
	}
}

func TestFinishRefuses(t *testing.T) {
	good := small(named("w.f", "a", "b", "c"))
	for _, profile := range []string{"a", "x a", "-1 a", "15 a", "0 a\n1"} {
		if _, err := Finish(good, []byte(profile)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q gave %v", profile, err)
		}
	}
	for name, content := range map[string][]byte{
		"a name that is cut off": {1, 3, 1, 0, 9},
		"more than there is":     {1, 9, 1, 0, 1, 'a'},
	} {
		broken := small(func(s map[byte][]byte) { s[customSection] = custom("name", content).content })
		if _, err := Finish(broken, nil); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// parted is a module whose functions are of these parts.
func parted(parts ...int) []byte {
	return small(func(s map[byte][]byte) { s[customSection] = custom(partsSection, writeParts(parts)).content })
}

// contentOf is a section of a module.
func contentOf(t *testing.T, module []byte, id byte) []byte {
	t.Helper()
	list, err := read(module)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(s section) bool { return s.id == id })
	if i < 0 {
		t.Fatalf("%x has no section %d", module, id)
	}
	return list[i].content
}

func TestSplit(t *testing.T) {
	for name, module := range map[string][]byte{"no list": small(nil), "one part": parted(0, 0, 0), "no functions": write([]section{custom(partsSection, nil)}, 0)} {
		parts, err := Split(module)
		if err != nil || !bytes.Equal(parts.First, module) || parts.Door != nil || parts.Count != 1 {
			t.Errorf("%s: %+v, %v", name, parts, err)
		}
	}

	parts, err := Split(parted(1, 0, 2))
	if err != nil || parts.Count != 3 {
		t.Fatalf("%+v, %v", parts, err)
	}
	// The functions stand at 6, 7 and 8 of the table, and the doors at 9 and 10. What
	// has no parameters and no results is the type 2 that was added.
	door := func(n byte) []byte { return []byte{i32Const, n, callIndirect, 2, 0} }
	through := func(n byte) []byte { return []byte{localGet, 0, i32Const, n, callIndirect, 0, 0} }
	body := func(parts ...[]byte) []byte { return append(slices.Concat(append([][]byte{{0}}, parts...)...), end) }
	code := func(bodies ...[]byte) []byte {
		out := []byte{byte(len(bodies))}
		for _, b := range bodies {
			out = appendSized(out, b)
		}
		return out
	}
	first, middle, last := body([]byte{i32Const, 1}), body(), body([]byte{i32Const, 3})
	for _, c := range []struct {
		name   string
		module []byte
		id     byte
		want   []byte
	}{
		{"first", parts.First, codeSection, code(body(door(9), through(6)), middle, body(door(10), through(8)))},
		{"first", parts.First, tableSection, []byte{1, funcref, 0, 11}},
		{"first", parts.First, elementSection, []byte{1, 0, i32Const, 5, end, 4, 0, 1, 2, 3}},
		{"part 1", parts.Later(1), codeSection, code(first, body([]byte{i32Const, 7, callIndirect, 1, 0}), body(through(8)), middle)},
		{"part 1", parts.Later(1), elementSection, []byte{2, 0, i32Const, 6, end, 1, 1, 0, i32Const, 9, end, 1, 4}},
		{"part 2", parts.Later(2), codeSection, code(body(through(6)), body([]byte{i32Const, 7, callIndirect, 1, 0}), last, middle)},
		{"part 2", parts.Later(2), elementSection, []byte{2, 0, i32Const, 8, end, 1, 3, 0, i32Const, 10, end, 1, 4}},
		{"door", parts.Door, codeSection, code([]byte{0, i32Const, 1, call, 0, end}, []byte{0, i32Const, 2, call, 0, end})},
		{"door", parts.Door, elementSection, []byte{1, 0, i32Const, 9, end, 2, 1, 2}},
	} {
		if got := contentOf(t, c.module, c.id); !bytes.Equal(got, c.want) {
			t.Errorf("%s, section %d: %x, want %x", c.name, c.id, got, c.want)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	good := parted(1, 0, 2)
	for n := range good {
		if got, err := Split(good[:n]); err == nil && got.Count != 1 {
			t.Errorf("the first %d bytes gave %x", n, got.First)
		}
	}
	list := func(content ...byte) func(map[byte][]byte) {
		return func(s map[byte][]byte) { s[customSection] = custom(partsSection, content).content }
	}
	with := func(id byte, content ...byte) func(map[byte][]byte) {
		return func(s map[byte][]byte) {
			list(1, 0, 2, 1)(s)
			s[id] = content
		}
	}
	for name, change := range map[string]func(map[byte][]byte){
		"parts of too few functions":      list(2, 1),
		"parts of too many":               list(4, 1),
		"a run without end":               list(0xff, 0xff, 0xff, 0xff, 7, 1),
		"a part beyond the most":          list(3, 16),
		"a part without functions":        list(3, 0, 0, 1),
		"half a pair":                     list(3),
		"a function without a body":       with(functionSection, 4, 0, 1, 0, 0),
		"a function of no type":           with(functionSection, 3, 0, 1, 2),
		"a function outside the table":    with(elementSection, 1, 0, i32Const, 5, end, 3, 0, 1, 2),
		"a place beyond the table":        with(elementSection, 1, 0, i32Const, 6, end, 4, 0, 1, 2, 3),
		"an element that is no function":  with(elementSection, 1, 0, i32Const, 5, end, 4, 0, 1, 2, 9),
		"a passive element":               with(elementSection, 1, 1, 0, 1, 1),
		"an imported memory":              with(importSection, 1, 1, 'w', 1, 'm', kindMemory, 0, 1),
		"a table with an end":             with(tableSection, 1, funcref, 1, 9, 9),
		"two memories":                    with(memorySection, 2, 0, 3, 0, 3),
		"a variable that is computed":     with(globalSection, 1, i32, 1, 0x23, 0, end),
		"a type of twenty parameters":     with(typeSection, append([]byte{1, function, 20}, make([]byte, 21)...)...),
		"a section that is not Go's":      with(8, 0),
		"more in a section than it needs": with(codeSection, 3, 4, 0, i32Const, 1, end, 2, 0, end, 4, 0, i32Const, 3, end, 0),
	} {
		if got, err := Split(small(change)); err == nil {
			t.Errorf("%s gave %d parts", name, got.Count)
		}
	}
}

// FuzzSplit sees that whatever is split comes apart into modules that can be read,
// of the same functions.
func FuzzSplit(f *testing.F) {
	f.Add(small(nil))
	f.Add(parted(1, 0, 2))
	f.Add(parted(1, 1, 1))
	f.Fuzz(func(t *testing.T, in []byte) {
		parts, err := Split(in)
		if err != nil || parts.Count == 1 {
			return
		}
		functions := len(parts.whole.bodies)
		for part := range parts.Count {
			module := parts.First
			if part > 0 {
				module = parts.Later(part)
				functions = len(parts.whole.bodies) + 1 // what the door becomes
			}
			r := reader{contentOf(t, module, codeSection), false}
			if n := r.number(); n != functions {
				t.Fatalf("part %d has %d functions, want %d", part, n, functions)
			}
		}
		contentOf(t, parts.Door, elementSection)
	})
}

// FuzzFinish sees that a module that is finished can be split, and that its memory
// and code are what they were.
func FuzzFinish(f *testing.F) {
	f.Add(small(named("w.f", "a", "b", "c")), "0 a\n1 b")
	f.Add(small(named("w.f", "a", "b", "c")), "")
	f.Add(small(nil), "1 a\n# b\n")
	f.Fuzz(func(t *testing.T, in []byte, profile string) {
		out, err := Finish(in, []byte(profile))
		if err != nil {
			return
		}
		before, err := read(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range before {
			if s.id == codeSection && !bytes.Contains(out, s.content) {
				t.Fatalf("the code is gone: %x", out)
			}
		}
	})
}
