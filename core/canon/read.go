package canon

// Object reads data as exactly one JSON object and calls member for each of
// its members in order. The key is decoded and is valid only during the call.
// Members of nested objects are checked for syntax and handed over raw.
//
// Object does not check for duplicate keys, since only the caller knows which
// keys matter, nor for invalid UTF-8, which one utf8.Valid over the whole input
// finds faster. It returns a *[SyntaxError], or the error of member.
func Object(data []byte, member func(key []byte, v Value) error) error {
	r := reader{data: data}
	r.space()
	if r.pos == len(data) {
		return r.fail("empty text")
	}
	if data[r.pos] != '{' {
		if err := r.value(1, new(Value)); err != nil {
			return err
		}
		return &SyntaxError{Offset: 0, Reason: "not an object"}
	}
	err := r.members(1, func(key []byte) error {
		var v Value
		if err := r.value(1, &v); err != nil {
			return err
		}
		return member(key, v)
	})
	if err != nil {
		return err
	}
	return r.end()
}

// Valid checks that data is exactly one JSON value, nested at most [MaxDepth]
// deep, and returns a *[SyntaxError] if it is not.
func Valid(data []byte) error {
	_, err := Parse(data)
	return err
}

// Parse checks data as [Valid] does, and returns the value.
func Parse(data []byte) (v Value, err error) {
	r := reader{data: data}
	r.space()
	if err := r.value(0, &v); err != nil {
		return Value{}, err
	}
	return v, r.end()
}

// Elements reads data as exactly one JSON array and calls element for each of
// its values in order. It returns a *[SyntaxError], or the error of element.
func Elements(data []byte, element func(v Value) error) error {
	r := reader{data: data}
	r.space()
	if r.pos == len(data) || data[r.pos] != '[' {
		return r.fail("not an array")
	}
	err := r.elements(1, func() error {
		var v Value
		if err := r.value(1, &v); err != nil {
			return err
		}
		return element(v)
	})
	if err != nil {
		return err
	}
	return r.end()
}

type reader struct {
	data []byte
	pos  int
}

func (r *reader) fail(reason string) error { return &SyntaxError{Offset: r.pos, Reason: reason} }

// space skips white space. Usually there is none, and spaces is not called.
func (r *reader) space() {
	if r.pos < len(r.data) && r.data[r.pos] <= ' ' {
		r.spaces()
	}
}

func (r *reader) spaces() {
	pos := r.pos
	for pos < len(r.data) && (r.data[pos] == ' ' || r.data[pos] == '\n' || r.data[pos] == '\t' || r.data[pos] == '\r') {
		pos++
	}
	r.pos = pos
}

func (r *reader) end() error {
	r.space()
	if r.pos != len(r.data) {
		return r.fail("text after the value")
	}
	return nil
}

// members reads an object whose brace is at pos. depth counts the object itself. member
// reads the value of a member; if it is nil, members only checks the syntax.
func (r *reader) members(depth int, member func(key []byte) error) error {
	if depth > MaxDepth {
		return r.fail("nested more than 64 levels deep")
	}
	r.pos++
	r.space()
	if r.pos < len(r.data) && r.data[r.pos] == '}' {
		r.pos++
		return nil
	}
	for {
		key, err := r.key()
		if err != nil {
			return err
		}
		if member != nil {
			err = member(key)
		} else {
			err = r.value(depth, new(Value))
		}
		if err != nil {
			return err
		}
		done, err := r.next('}')
		if err != nil || done {
			return err
		}
	}
}

// key reads a member's name and its colon.
func (r *reader) key() ([]byte, error) {
	data, start := r.data, r.pos+1
	if r.pos == len(data) || data[r.pos] != '"' {
		return nil, r.fail("expected a member name in quotes")
	}
	// Nearly every name has no escape, and the colon directly follows it.
	end := start + Plain(data[start:])
	if end+1 < len(data) && data[end] == '"' && data[end+1] == ':' {
		r.pos = end + 2
		r.space()
		return data[start:end], nil
	}
	escaped, err := r.str()
	if err != nil {
		return nil, err
	}
	name := data[start : r.pos-1]
	if escaped {
		s, _ := Unquote(data[start-1 : r.pos])
		name = []byte(s)
	}
	r.space()
	if r.pos == len(data) || data[r.pos] != ':' {
		return nil, r.fail("expected a colon after a member name")
	}
	r.pos++
	r.space()
	return name, nil
}

// next reads the comma or the closing byte after an element.
func (r *reader) next(closing byte) (done bool, err error) {
	r.space()
	if r.pos == len(r.data) {
		return false, r.fail("text ends too early")
	}
	switch r.data[r.pos] {
	case closing:
		r.pos++
		return true, nil
	case ',':
		r.pos++
		r.space()
		return false, nil
	}
	return false, r.fail("expected a comma or the end of the object or array")
}

// value reads any value into v, which must be zero and stays so after an error.
func (r *reader) value(depth int, v *Value) (err error) {
	if r.pos == len(r.data) {
		return r.fail("text ends too early")
	}
	start, kind, escaped := r.pos, Null, false
	switch c := r.data[start]; {
	case c == '"':
		kind = String
		escaped, err = r.str()
	case c == '-' || isDigit(c):
		kind = Number
		err = r.number()
	case c == '{':
		kind = Mapping
		err = r.members(depth+1, nil)
	case c == '[':
		kind = Array
		err = r.elements(depth+1, nil)
	case c == 't':
		kind = Bool
		err = r.word("true")
	case c == 'f':
		kind = Bool
		err = r.word("false")
	case c == 'n':
		err = r.word("null")
	default:
		err = r.fail("expected a value")
	}
	if err != nil {
		return err
	}
	// Field by field: a whole Value would be built elsewhere and copied.
	v.Kind, v.Offset, v.Escaped = kind, start, escaped
	v.Raw = r.data[start:r.pos]
	return nil
}

// elements reads an array as members reads an object.
func (r *reader) elements(depth int, element func() error) error {
	if depth > MaxDepth {
		return r.fail("nested more than 64 levels deep")
	}
	r.pos++
	r.space()
	if r.pos < len(r.data) && r.data[r.pos] == ']' {
		r.pos++
		return nil
	}
	for {
		var err error
		if element != nil {
			err = element()
		} else {
			err = r.value(depth, new(Value))
		}
		if err != nil {
			return err
		}
		done, err := r.next(']')
		if err != nil || done {
			return err
		}
	}
}

func (r *reader) word(w string) error {
	if len(r.data)-r.pos < len(w) || string(r.data[r.pos:r.pos+len(w)]) != w {
		return r.fail("expected a value")
	}
	r.pos += len(w)
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (r *reader) digits() bool {
	n := Digits(r.data[r.pos:])
	r.pos += n
	return n > 0
}

func (r *reader) number() error {
	// Most numbers are only digits, with a comma or brace after them.
	if r.data[r.pos] > '0' {
		r.pos += Digits(r.data[r.pos:])
		if r.pos == len(r.data) || r.data[r.pos] == ',' || r.data[r.pos] == '}' {
			return nil
		}
		return r.fraction()
	}
	if r.data[r.pos] == '-' {
		r.pos++
	}
	zero := r.pos < len(r.data) && r.data[r.pos] == '0'
	start := r.pos
	if !r.digits() {
		return r.fail("expected a digit")
	}
	if zero && r.pos > start+1 {
		return r.fail("a number may not start with 0")
	}
	return r.fraction()
}

// fraction reads a number's fraction and exponent, if it has them.
func (r *reader) fraction() error {
	if r.pos < len(r.data) && r.data[r.pos] == '.' {
		r.pos++
		if !r.digits() {
			return r.fail("expected a digit after the point")
		}
	}
	if r.pos < len(r.data) && (r.data[r.pos] == 'e' || r.data[r.pos] == 'E') {
		r.pos++
		if r.pos < len(r.data) && (r.data[r.pos] == '+' || r.data[r.pos] == '-') {
			r.pos++
		}
		if !r.digits() {
			return r.fail("expected a digit in the exponent")
		}
	}
	return nil
}

// str reads a string whose opening quote is at pos.
func (r *reader) str() (escaped bool, err error) {
	r.pos++
	for {
		r.pos += Plain(r.data[r.pos:])
		if r.pos == len(r.data) {
			return escaped, r.fail("a string is not closed")
		}
		switch c := r.data[r.pos]; c {
		case '"':
			r.pos++
			return escaped, nil
		case '\\':
			escaped = true
			if err := r.escape(); err != nil {
				return escaped, err
			}
		default:
			return escaped, r.fail("a control character in a string is not escaped")
		}
	}
}

func (r *reader) escape() error {
	if r.pos+1 == len(r.data) {
		return r.fail("a string is not closed")
	}
	switch r.data[r.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		r.pos += 2
		return nil
	case 'u':
		if len(r.data)-r.pos < 6 {
			return r.fail("an escape is not complete")
		}
		if _, ok := hex4(r.data[r.pos+2:]); !ok {
			return r.fail("a \\u escape needs four hexadecimal digits")
		}
		r.pos += 6
		return nil
	}
	return r.fail("an unknown escape")
}

func hex4(b []byte) (rune, bool) {
	var r rune
	for _, c := range b[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
