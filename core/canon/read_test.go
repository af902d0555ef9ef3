package canon_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestValid checks the reason and position for each way in which a text can fail to
// be JSON.
func TestValid(t *testing.T) {
	for _, c := range []struct {
		name, in string
		offset   int
		reason   string
	}{
		{"empty", "", 0, "text ends too early"},
		{"only space", " \t\r\n", 4, "text ends too early"},
		{"vertical tab is no space", "\v1", 0, "expected a value"},
		{"no-break space is no space", "\u00a01", 0, "expected a value"},
		{"byte order mark", "\ufeff1", 0, "expected a value"},
		{"word cut short", "tru", 0, "expected a value"},
		{"word with a tail", "nullx", 4, "text after the value"},
		{"python's NaN", "NaN", 0, "expected a value"},
		{"python's Infinity", "-Infinity", 1, "expected a digit"},
		{"capital word", "True", 0, "expected a value"},
		{"two values", "1 2", 2, "text after the value"},
		{"leading zero", "01", 2, "a number may not start with 0"},
		{"negative leading zero", "-01", 3, "a number may not start with 0"},
		{"plus sign", "+1", 0, "expected a value"},
		{"lone minus", "-", 1, "expected a digit"},
		{"no digit before the point", ".5", 0, "expected a value"},
		{"no digit after the point", "1.", 2, "expected a digit after the point"},
		{"empty exponent", "1e", 2, "expected a digit in the exponent"},
		{"empty signed exponent", "1e+", 3, "expected a digit in the exponent"},
		{"hexadecimal", "0x1", 1, "text after the value"},
		{"open string", `"a`, 2, "a string is not closed"},
		{"open after a backslash", `"a\`, 2, "a string is not closed"},
		{"open after an escaped quote", `"a\"`, 4, "a string is not closed"},
		{"single quotes", `'a'`, 0, "expected a value"},
		{"unknown escape", `"\x41"`, 1, "an unknown escape"},
		{"capital u", `"\U0041"`, 1, "an unknown escape"},
		{"short escape", `"\u12`, 1, "an escape is not complete"},
		{"escape cut by the quote", `"\u123"`, 1, `a \u escape needs four hexadecimal digits`},
		{"escape without digits", `"\u00g0"`, 1, `a \u escape needs four hexadecimal digits`},
		{"raw tab", "\"a\tb\"", 2, "a control character in a string is not escaped"},
		{"raw line end far in", `"12345678` + "\n\"", 9, "a control character in a string is not escaped"},
		{"open array", "[1", 2, "text ends too early"},
		{"array of nothing and comma", "[,]", 1, "expected a value"},
		{"trailing comma in an array", "[1,]", 3, "expected a value"},
		{"no comma", "[1 2]", 3, "expected a comma or the end of the object or array"},
		{"wrong bracket", "[1}", 2, "expected a comma or the end of the object or array"},
		{"open object", `{"a":1`, 6, "text ends too early"},
		{"object with a bare name", `{a:1}`, 1, "expected a member name in quotes"},
		{"object with a number as name", `{1:1}`, 1, "expected a member name in quotes"},
		{"no colon", `{"a" 1}`, 5, "expected a colon after a member name"},
		{"no value", `{"a":}`, 5, "expected a value"},
		{"trailing comma in an object", `{"a":1,}`, 7, "expected a member name in quotes"},
		{"comment", `{/**/}`, 1, "expected a member name in quotes"},
		{"fault within a nested value", `{"a":[{"b":01}]}`, 13, "a number may not start with 0"},
	} {
		t.Run("R3/"+c.name, func(t *testing.T) {
			fault := syntax(t, canon.Valid([]byte(c.in)))
			if fault.Offset != c.offset || fault.Reason != c.reason {
				t.Errorf("Valid(%q): byte %d, %s; want byte %d, %s", c.in, fault.Offset, fault.Reason, c.offset, c.reason)
			}
		})
	}
	for _, in := range []string{
		"0", "-0", "10", "1.0", "-1.5e-10", "1E+2", "null", " true ", "false\r\n", `""`, `"\u0000\/\b\f\n\r\t\"\\"`,
		"[]", "[ ]", "{}", "{ }", `{"a":{"b":[1,[2]]},"a":null}`, "\"\x7f\u2028\"", `"\ud800"`, "\"\xff\"",
	} {
		t.Run("R2/"+in, func(t *testing.T) {
			if err := canon.Valid([]byte(in)); err != nil {
				t.Error(err)
			}
		})
	}
}

func syntax(t *testing.T, err error) *canon.SyntaxError {
	t.Helper()
	fault, ok := errors.AsType[*canon.SyntaxError](err)
	if !ok {
		t.Fatalf("got error %v, want a SyntaxError", err)
	}
	return fault
}

// TestDepth checks both sides of the limit for every function and bracket.
func TestDepth(t *testing.T) {
	nest := func(open, inner, end string, n int) []byte {
		return []byte(strings.Repeat(open, n) + inner + strings.Repeat(end, n))
	}
	object := func(data []byte) error {
		return canon.Object(data, func([]byte, canon.Value) error { return nil })
	}
	elements := func(data []byte) error {
		return canon.Elements(data, func(canon.Value) error { return nil })
	}
	for _, c := range []struct {
		name             string
		read             func([]byte) error
		open, inner, end string
	}{
		{"arrays", canon.Valid, "[", "", "]"},
		{"objects", canon.Valid, `{"a":`, "{}", "}"},
		{"Object", object, `{"a":`, "{}", "}"},
		{"Elements", elements, "[", "", "]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			most := canon.MaxDepth
			if c.inner != "" {
				most--
			}
			if err := c.read(nest(c.open, c.inner, c.end, most)); err != nil {
				t.Errorf("%d levels: %v", canon.MaxDepth, err)
			}
			fault := syntax(t, c.read(nest(c.open, c.inner, c.end, most+1)))
			if fault.Reason != "nested more than 64 levels deep" {
				t.Errorf("%d levels: %v", canon.MaxDepth+1, fault)
			}
			if err := c.read(nest(c.open, c.inner, c.end, 1_000_000)); err == nil {
				t.Error("a million levels were read")
			}
		})
	}
}

type member struct {
	Key, Raw string
	Kind     canon.Kind
	Offset   int
	Escaped  bool
}

// TestObject checks what members are handed over: decoded names, raw values.
func TestObject(t *testing.T) {
	in := " {\"a\" : 1.50 ,\"\\u0062\\n\":\"x\\ty\", \"a\":[1, {\"c\":2}] ,\"\":{\"d\" : null},\"t\":true,\"n\":null}\r\n"
	want := []member{
		{"a", "1.50", canon.Number, 8, false},
		{"b\n", `"x\ty"`, canon.String, 25, true},
		{"a", `[1, {"c":2}]`, canon.Array, 37, false},
		{"", `{"d" : null}`, canon.Mapping, 54, false},
		{"t", "true", canon.Bool, 71, false},
		{"n", "null", canon.Null, 80, false},
	}
	var got []member
	err := canon.Object([]byte(in), func(key []byte, v canon.Value) error {
		got = append(got, member{string(key), string(v.Raw), v.Kind, v.Offset, v.Escaped})
		if in[v.Offset:v.Offset+len(v.Raw)] != string(v.Raw) {
			t.Errorf("offset %d does not find %s", v.Offset, v.Raw)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestNotAnObject checks the reasons for other kinds of values and for broken texts.
func TestNotAnObject(t *testing.T) {
	for in, reason := range map[string]string{
		"":      "empty text",
		" ":     "empty text",
		"[]":    "not an object",
		`"{}"`:  "not an object",
		"null":  "not an object",
		"[":     "text ends too early",
		"{} {}": "text after the value",
		"{}x":   "text after the value",
		"{":     "expected a member name in quotes",
	} {
		t.Run("R3/"+in, func(t *testing.T) {
			err := canon.Object([]byte(in), func([]byte, canon.Value) error { return nil })
			if fault := syntax(t, err); fault.Reason != reason {
				t.Errorf("%q, want %q", fault.Reason, reason)
			}
		})
	}
}

// TestElements checks arrays as TestObject does objects.
func TestElements(t *testing.T) {
	var got []member
	err := canon.Elements([]byte(` [1, "a\n" ,[],{}] `), func(v canon.Value) error {
		got = append(got, member{"", string(v.Raw), v.Kind, v.Offset, v.Escaped})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []member{
		{"", "1", canon.Number, 2, false},
		{"", `"a\n"`, canon.String, 5, true},
		{"", "[]", canon.Array, 12, false},
		{"", "{}", canon.Mapping, 15, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for in, reason := range map[string]string{
		"": "not an array", "{}": "not an array", "[1": "text ends too early", "[] 1": "text after the value",
	} {
		if fault := syntax(t, canon.Elements([]byte(in), func(canon.Value) error { return nil })); fault.Reason != reason {
			t.Errorf("%q: %s, want %s", in, fault.Reason, reason)
		}
	}
}

// TestStop checks that a callback's error ends the reading and is returned unchanged.
func TestStop(t *testing.T) {
	stop := errors.New("stop")
	calls := 0
	err := canon.Object([]byte(`{"a":1,"b":2,broken`), func([]byte, canon.Value) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("Object: %v after %d calls", err, calls)
	}
	calls = 0
	err = canon.Elements([]byte(`[1,2,broken`), func(canon.Value) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("Elements: %v after %d calls", err, calls)
	}
}

// TestInt64 follows Python's json: what it reads as int, within 64 bits.
func TestInt64(t *testing.T) {
	for in, want := range map[string]int64{
		"0": 0, "-0": 0, "1777075200": 1777075200, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
	} {
		if got, ok := number(t, in).Int64(); !ok || got != want {
			t.Errorf("%s: %d, %v", in, got, ok)
		}
	}
	for _, in := range []string{"1.0", "1e3", "1E3", "-0.0", "9223372036854775808", "-9223372036854775809", `"1"`, "true", "null", "[1]"} {
		if got, ok := number(t, in).Int64(); ok {
			t.Errorf("%s: read as %d", in, got)
		}
	}
}

func number(t *testing.T, in string) canon.Value {
	t.Helper()
	var v canon.Value
	err := canon.Elements([]byte("["+in+"]"), func(e canon.Value) error { v = e; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSyntaxErrorText holds the text that logs and diagnostics show.
func TestSyntaxErrorText(t *testing.T) {
	if got, want := canon.Valid([]byte("[1,")).Error(), "canon: byte 3: text ends too early"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	names := []string{}
	for k := canon.Null; k <= canon.Mapping; k++ {
		names = append(names, k.String())
	}
	if got := strings.Join(names, " "); got != "null boolean number string array object" {
		t.Error(got)
	}
}
