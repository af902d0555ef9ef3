package canon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// jsonSeeds are texts at the edges of JSON.
var jsonSeeds = []string{
	"", "{}", "[]", "0", "-0.0e+00", "1e999", `"\ud800\udc00"`, `{"a":1,"a":2}`, `{"\u0074o":"me"}`, "\ufeff{}",
	`{"a":[1,{"b":[null,true,false]}]}`, "\"\x7f\xff\"", "[1,]", `{"a":1,}`, "01", "1.", "nul", " \r\n\t1 ", "\v1",
	strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65),
	strings.Repeat(`{"":`, 64) + "1" + strings.Repeat("}", 64), `"\u12"`, `"\x"`, "\"\n\"", "[1 2]", `{"a" 1}`, "{1:2}", "--1", "+1",
}

// FuzzValid compares the reader with encoding/json. They differ in one thing
// only: the reader refuses nesting beyond MaxDepth.
func FuzzValid(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		err := canon.Valid(data)
		if want := json.Valid(data); (err == nil) != want && !(want && depth(data) > canon.MaxDepth) {
			t.Fatalf("Valid says %v, encoding/json %v", err, want)
		}
		if err == nil && depth(data) > canon.MaxDepth {
			t.Fatal("too deep, and read")
		}
		checkObject(t, data, err)
		if !bytes.Equal(before, data) {
			t.Fatal("the input was changed")
		}
	})
}

// checkObject compares Object with Valid, and the members with encoding/json's.
func checkObject(t *testing.T, data []byte, valid error) {
	t.Helper()
	got := map[string]string{}
	err := canon.Object(data, func(key []byte, v canon.Value) error {
		if !bytes.Equal(data[v.Offset:v.Offset+len(v.Raw)], v.Raw) || canon.Valid(v.Raw) != nil && depth(data) < canon.MaxDepth {
			t.Fatalf("value %q at %d", v.Raw, v.Offset)
		}
		got[string(key)] = string(v.Raw)
		return nil
	})
	if err != nil {
		fault, ok := errors.AsType[*canon.SyntaxError](err)
		if !ok || fault.Offset < 0 || fault.Offset > len(data) || fault.Reason == "" {
			t.Fatalf("error %#v", err)
		}
	}
	isObject := bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
	if (err == nil) != (valid == nil && isObject) {
		t.Fatalf("Object says %v, Valid %v", err, valid)
	}
	if err != nil || !utf8.Valid(data) {
		return
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d members, want %d", len(got), len(want))
	}
	for key, raw := range want {
		if got[key] != string(raw) {
			t.Fatalf("member %q is %s, want %s", key, got[key], raw)
		}
	}
}

// depth counts the nesting of a text that encoding/json calls valid.
func depth(data []byte) int {
	most, now, quoted := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

// FuzzUnquote compares the decoding of strings with encoding/json's, which
// agrees on all valid UTF-8, lone surrogates included.
func FuzzUnquote(f *testing.F) {
	for _, s := range []string{
		``, `a`, `\n\/\"`, `\u0041`, `\ud83d\ude00`, `\ud800`, `\udc00\ud800`, `\ud800\u0041`, `\ud800\ud83d\ude00`, `\\ud800`,
		"\u2028\x7f", `\ufffd`, `01234567\t01234567`, `\u00`, `\`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, inner string) {
		raw := []byte(`"` + inner + `"`)
		if canon.Valid(raw) != nil || !utf8.Valid(raw) {
			return
		}
		var want string
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got, lossy := canon.Unquote(raw)
		if got != want {
			t.Fatalf("%s: %q, want %q", raw, got, want)
		}
		if !utf8.ValidString(got) || lossy && !strings.Contains(got, "\ufffd") {
			t.Fatalf("%s: %q, lossy %v", raw, got, lossy)
		}
		text, again := canon.UnquoteInPlace(bytes.Clone(raw))
		if string(text) != got || again != lossy {
			t.Fatalf("in place: %q, %v", text, again)
		}
	})
}

// FuzzAppend writes a text in both forms and reads it back with both readers.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "a", "\x00\x1f\"\\\n\r\t\b\f\v", "\x7f\u0080\u2028\ufffd", "\U0001f600", "<&>/", "\xff\xfe", "\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		raw, ascii := canon.AppendString(nil, s), appendASCII(nil, s)
		if err := canon.Valid(raw); err != nil {
			t.Fatal(err)
		}
		if back, lossy := canon.Unquote(raw); back != s || lossy {
			t.Fatalf("%q came back as %q", s, back)
		}
		if i := bytes.IndexFunc(ascii, func(r rune) bool { return r < 0x20 || r > 0x7e }); i >= 0 {
			t.Fatalf("%s is not ASCII at %d", ascii, i)
		}
		for _, form := range [][]byte{raw, ascii} {
			var back string
			if err := json.Unmarshal(form, &back); err != nil {
				t.Fatal(err)
			}
			if utf8.ValidString(s) && back != s {
				t.Fatalf("%s came back as %q, want %q", form, back, s)
			}
		}
	})
}

// FuzzNFC checks for valid UTF-8 that normalising twice, or in two parts cut at a
// boundary, has the same result as normalising once.
func FuzzNFC(f *testing.F) {
	for _, s := range []string{"", "cafe\u0301", strings.Repeat("\u0301", 40), "a" + strings.Repeat("\u0323\u0301", 20), "\u1112\u1161\u11ab", "\xff\u0301", "\u034f\u0301"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, from int) {
		once := canon.NFC(s)
		if !utf8.ValidString(s) {
			return
		}
		if twice := canon.NFC(once); twice != once {
			t.Fatalf("NFC of %+q is %+q, then %+q", s, once, twice)
		}
		if from < 0 || from > len(s) {
			return
		}
		at := canon.NextBoundary(s, from)
		if parts := canon.NFC(s[:at]) + canon.NFC(s[at:]); parts != once {
			t.Fatalf("%+q cut at %d: %+q, want %+q", s, at, parts, once)
		}
	})
}
