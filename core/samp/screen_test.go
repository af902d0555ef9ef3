package samp_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// screened reads a line in pieces of a size.
func screened(line []byte, size int) (fault *canon.Fault, blank bool) {
	var s samp.Screen
	for rest := line; len(rest) > 0; rest = rest[min(size, len(rest)):] {
		s.Add(rest[:min(size, len(rest))])
	}
	return s.End()
}

// checkScreen holds that a screen refuses no record, and says the same of a line
// whatever the pieces are.
func checkScreen(t *testing.T, line []byte, record bool) {
	t.Helper()
	whole, blank := screened(line, max(len(line), 1))
	if record && (whole != nil || blank) {
		t.Fatalf("a record is refused: %v, blank %v", whole, blank)
	}
	if blank && len(bytes.Trim(line, " \t\r\n")) > 0 {
		t.Fatalf("%q is no blank line", line)
	}
	for _, size := range []int{1, 2, 3, 7} {
		fault, empty := screened(line, size)
		if (fault == nil) != (whole == nil) || fault != nil && *fault != *whole || empty != blank {
			t.Fatalf("in pieces of %d: %v, at once: %v", size, fault, whole)
		}
	}
}

// TestScreen finds out without holding the line that it is no record (rule R3).
func TestScreen(t *testing.T) {
	const good = `"ts": 1, "from": "a", "to": "b", "thread": "t", "body": "x"`
	for _, c := range []struct{ name, line, want string }{
		{"a record", "{" + good + "}\n", ""},
		{"unknown members", `{"x": [1, {"y": [[], {}]}, "z", true, null, -1.5e+3], ` + good + `}`, ""},
		{"an id of null", `{"id": null, ` + good + `}`, ""},
		{"a name with an escape", `{"\u0074s": 1, "from": "a", "to": "b", "thread": "t", "body": "x"}`, ""},
		{"R3/bytes of zero", "\x00\x00\x00", "not an object at byte 1"},
		{"R3/zero bytes in a string", `{"id": "` + "\x00\x00", "a control character in a string is not escaped at byte 9"},
		{"R3/zero bytes behind the record", "{" + good + "}\x00", `unexpected "\x00" at byte 62`},
		{"R3/an array", `["a"]`, "not an object at byte 1"},
		{"R3/cut off", `{"id": "xxxxxxxx`, "text ends too early at byte 17"},
		{"R3/two values", "{" + good + "} {}", `unexpected "{" at byte 63`},
		{"R3/a comma before the brace", `{"id": "x",}`, `unexpected "}" at byte 12`},
		{"R3/an array closed by a brace", `{"x": [1}`, `unexpected "}" at byte 9`},
		{"R3/an object closed by a bracket", `{"x": {]`, `unexpected "]" at byte 8`},
		{"R3/no value", `{"x": :`, "expected a value at byte 7"},
		{"R3/no name", `{x: 1}`, `unexpected "x" at byte 2`},
		{"R3/too deep", `{"x":` + strings.Repeat("[", 64), "nested more than 64 levels deep at byte 69"},
		{"R3/no members", `{"text": "all of a novel"}`, `the record has no "ts"`},
		{"R3/no body", `{"ts": 1, "from": "a", "to": "b", "thread": "t"}`, `the record has no "body"`},
		{"R3/a member twice", `{"to": "b", ` + good + `}`, `the record has "to" twice`},
		{"R3/a body of another type", `{"body": ["x"], "ts": 1}`, `"body" is of the wrong type`},
		{"R3/a time of another type", `{"ts": "1"}`, `"ts" is of the wrong type`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := samp.Parse([]byte(c.line))
			checkScreen(t, []byte(c.line), err == nil)
			fault, blank := screened([]byte(c.line), len(c.line))
			if got := faultText(fault); blank || !strings.HasSuffix(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("%q, want %q", got, c.want)
			}
			if fault != nil && fault.Rule != "R3" {
				t.Errorf("rule %s", fault.Rule)
			}
		})
	}
	t.Run("a blank line", func(t *testing.T) {
		if fault, blank := screened([]byte(" \t \r\n"), 2); fault != nil || !blank {
			t.Errorf("%v, blank %v", fault, blank)
		}
	})
}

func faultText(f *canon.Fault) string {
	if f == nil {
		return ""
	}
	return f.Reason
}
