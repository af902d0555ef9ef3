package canon

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Step is one level of the path from the outermost value down to another one.
type Step struct {
	// Key is a member's decoded name, or nil for an element. It must not be
	// changed.
	Key []byte
	// Index counts the elements of an array from 0.
	Index int
}

// Walk reads data as exactly one JSON value and calls visit for it and for every nested value,
// inner values before the array or object around them. path is empty for the whole value and
// valid only during the call. again is set if the same object had a member of this name before;
// names are compared decoded.
//
// Every byte is read once, whereas [Object] and [Elements] would read nested values
// again at each level. Walk returns a *[SyntaxError], or the error of visit.
func Walk(data []byte, visit func(path []Step, v Value, again bool) error) error {
	w := walker{reader: reader{data: data}, visit: visit}
	w.space()
	if err := w.walk(0, false); err != nil {
		return err
	}
	return w.end()
}

type walker struct {
	reader
	path  []Step
	visit func(path []Step, v Value, again bool) error
}

func (w *walker) walk(depth int, again bool) error {
	if w.pos == len(w.data) || w.data[w.pos] != '{' && w.data[w.pos] != '[' {
		var v Value
		if err := w.value(depth, &v); err != nil {
			return err
		}
		return w.visit(w.path, v, again)
	}
	v := Value{Kind: Mapping, Offset: w.pos}
	closing := byte('}')
	if w.data[w.pos] == '[' {
		v.Kind, closing = Array, ']'
	}
	if err := w.children(depth+1, v.Kind, closing); err != nil {
		return err
	}
	v.Raw = w.data[v.Offset:w.pos]
	return w.visit(w.path, v, again)
}

// children walks the members or elements of the object or array that opens at pos.
func (w *walker) children(depth int, kind Kind, closing byte) error {
	if depth > MaxDepth {
		return w.fail("nested more than 64 levels deep")
	}
	w.pos++
	w.space()
	if w.pos < len(w.data) && w.data[w.pos] == closing {
		w.pos++
		return nil
	}
	var seen nameSet
	for n := 0; ; n++ {
		step, again := Step{Index: n}, false
		if kind == Mapping {
			key, err := w.key()
			if err != nil {
				return err
			}
			step, again = Step{Key: key}, seen.again(key)
		}
		w.path = append(w.path, step)
		if err := w.walk(depth, again); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
		if done, err := w.next(closing); err != nil || done {
			return err
		}
	}
}

// nameSet holds the names of one object. A few are compared one by one. Many go into a
// map, so that a hostile object costs no more than its length.
type nameSet struct {
	few  [][]byte
	many map[string]struct{}
}

// again adds a name, and reports whether it was there before.
func (s *nameSet) again(key []byte) bool {
	const few = 16
	if s.many == nil {
		for _, k := range s.few {
			if bytes.Equal(k, key) {
				return true
			}
		}
		if s.few = append(s.few, key); len(s.few) < few {
			return false
		}
		s.many = make(map[string]struct{}, 2*few)
		for _, k := range s.few {
			s.many[string(k)] = struct{}{}
		}
		return false
	}
	if _, ok := s.many[string(key)]; ok {
		return true
	}
	s.many[string(key)] = struct{}{}
	return false
}

// AppendSorted appends data, one JSON value, as amp/0.1 hashes it: no white space, the members of
// every object sorted by the code points of their names, unchanged digits of numbers, strings as
// in [AppendString]. An escape for half a character stays an escape, in lower case, as in
// JSON.stringify.
//
// If keep is not nil, it is called like Walk's visit, and values for which it returns false are
// left out. AppendSorted returns a *[SyntaxError] if data is not JSON, or has a repeated member,
// since readers disagree on which one counts.
func AppendSorted(dst, data []byte, keep func(path []Step, v Value) bool) ([]byte, error) {
	s := sorter{out: dst}
	err := Walk(data, func(path []Step, v Value, again bool) error {
		if again {
			return &SyntaxError{Offset: v.Offset, Reason: "a member stands twice", Repeated: true}
		}
		s.add(path, v, keep == nil || keep(path, v))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.out, nil
}

// sorter holds the values that were written and are not yet part of a larger one.
type sorter struct {
	out, scratch []byte
	parts        []part
}

// part is a value in the output, with its member name.
type part struct {
	key               []byte
	depth, start, end int
}

func (s *sorter) add(path []Step, v Value, keep bool) {
	depth, first := len(path), len(s.parts)
	for first > 0 && s.parts[first-1].depth == depth+1 {
		first--
	}
	inside, start := s.parts[first:], len(s.out)
	if len(inside) > 0 {
		start = inside[0].start
	}
	s.parts = s.parts[:first]
	if !keep {
		s.out = s.out[:start]
		return
	}
	switch v.Kind {
	case Mapping, Array:
		s.join(inside, v.Kind)
		s.out = append(s.out[:start], s.scratch...)
	case String:
		s.out = appendText(s.out, v)
	default:
		s.out = append(s.out, v.Raw...)
	}
	p := part{depth: depth, start: start, end: len(s.out)}
	if depth > 0 {
		p.key = path[depth-1].Key
	}
	s.parts = append(s.parts, p)
}

// join makes an array or object of its parts.
func (s *sorter) join(inside []part, kind Kind) {
	opening, closing := byte('['), byte(']')
	if kind == Mapping {
		opening, closing = '{', '}'
		// SortFunc would be twice as large in the module.
		slices.SortStableFunc(inside, func(a, b part) int { return bytes.Compare(a.key, b.key) })
	}
	s.scratch = append(s.scratch[:0], opening)
	for i, p := range inside {
		if i > 0 {
			s.scratch = append(s.scratch, ',')
		}
		if kind == Mapping {
			s.scratch = append(AppendString(s.scratch, string(p.key)), ':')
		}
		s.scratch = append(s.scratch, s.out[p.start:p.end]...)
	}
	s.scratch = append(s.scratch, closing)
}

// appendText appends a string that was read, with the escapes that it needs.
func appendText(dst []byte, v Value) []byte {
	if !v.Escaped {
		return append(dst, v.Raw...)
	}
	text, lossy := Unquote(v.Raw)
	if !lossy {
		return AppendString(dst, text)
	}
	dst = append(dst, '"')
	for in := v.Raw[1 : len(v.Raw)-1]; len(in) > 0; {
		if in[0] != '\\' {
			n := Plain(in)
			dst, in = append(dst, in[:n]...), in[n:]
			continue
		}
		if in[1] != 'u' {
			dst, in = Escape(dst, string(rune(unescaped(in[1])))), in[2:]
			continue
		}
		escape := in[:6]
		r, _ := hex4(in[2:])
		in = in[6:]
		if utf16.IsSurrogate(r) {
			if r, in = pair(r, in); r == utf8.RuneError {
				dst = append(dst, bytes.ToLower(escape)...)
				continue
			}
		}
		dst = Escape(dst, string(r))
	}
	return append(dst, '"')
}
