package canon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// pathOf returns a path as text, such as .a[1].b.
func pathOf(steps []canon.Step) string {
	s := ""
	for _, step := range steps {
		if step.Key != nil {
			s += "." + string(step.Key)
		} else {
			s += "[" + strconv.Itoa(step.Index) + "]"
		}
	}
	return s
}

func TestWalk(t *testing.T) {
	const text = ` {"a": [1, {"b": null}], "\u0061": "x", "c": {}} `
	got := []string{}
	err := canon.Walk([]byte(text), func(steps []canon.Step, v canon.Value, again bool) error {
		if text[v.Offset:v.Offset+len(v.Raw)] != string(v.Raw) {
			t.Errorf("%s is not at %d", v.Raw, v.Offset)
		}
		got = append(got, pathOf(steps)+" "+v.Kind.String()+" "+strconv.FormatBool(again))
		return nil
	})
	want := []string{
		".a[0] number false", ".a[1].b null false", ".a[1] object false", ".a array false",
		".a string true", ".c object false", " object false",
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

// TestWalkManyNames holds that a name is found again in an object of any size.
func TestWalkManyNames(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 1000} {
		var b strings.Builder
		b.WriteString("{")
		for i := range n {
			b.WriteString(`"k` + strconv.Itoa(i) + `":0,`)
		}
		b.WriteString(`"k0":1}`)
		twice := 0
		err := canon.Walk([]byte(b.String()), func(_ []canon.Step, _ canon.Value, again bool) error {
			if again {
				twice++
			}
			return nil
		})
		if err != nil || twice != 1 {
			t.Errorf("%d names: %d again, %v", n, twice, err)
		}
	}
}

func TestWalkStops(t *testing.T) {
	stop := errors.New("stop")
	for _, text := range []string{`1`, `[1]`, `{"a":1}`, `{"a":[{"b":1}]}`} {
		if err := canon.Walk([]byte(text), func([]canon.Step, canon.Value, bool) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAppendSorted(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"order of code points":  {`{"b":1,"a":2,"Z":3,"ä":4,"":5}`, `{"":5,"Z":3,"a":2,"b":1,"ä":4}`},
		"beyond U+FFFF":         {`{"😀":1,"￿":2}`, `{"￿":2,"😀":1}`}, // UTF-16 has them the other way round
		"nested":                {`[{"b":{"d":1,"c":[]},"a":{}}]`, `[{"a":{},"b":{"c":[],"d":1}}]`},
		"arrays keep order":     {`[3,1,2]`, `[3,1,2]`},
		"numbers keep digits":   {`[1.0,1e-7,1E+05,-0,100000000000000000001,0.10]`, `[1.0,1e-7,1E+05,-0,100000000000000000001,0.10]`},
		"raw text":              {"[\"\u2028\u007f\u00e9<>&/\"]", "[\"\u2028\u007f\u00e9<>&/\"]"},
		"escapes not needed":    {`["\u2028\u007f\u00e9\/\u003c\ud83d\ude00"]`, "[\"\u2028\u007f\u00e9/<😀\"]"},
		"escapes needed":        {`["\u000a\u0022\u005c\u0000\u001F"]`, `["\n\"\\\u0000\u001f"]`},
		"keys decoded":          {`{"\u0062":1,"a":2}`, `{"a":2,"b":1}`},
		"half a character":      {`["\uD800\n\/x\u0041\ud83d\ude00\uDC00\udc00"]`, `["\ud800\n/xA😀\udc00\udc00"]`},
		"white space":           {" {\n\t\"a\" : [ ] ,\r\n \"b\":{ } } ", `{"a":[],"b":{}}`},
		"a scalar":              {` "x" `, `"x"`},
		"members after objects": {`{"a":{"x":{"y":1}},"b":{},"c":[[],[1]]}`, `{"a":{"x":{"y":1}},"b":{},"c":[[],[1]]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := canon.AppendSorted([]byte("<"), []byte(c.in), nil)
			if err != nil || string(got) != "<"+c.want {
				t.Errorf("%s %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestAppendSortedKeep(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":null,"b":{"c":null,"d":[1,null,{"e":null}]}}`: `{"b":{"d":[1,{}]}}`,
		`null`:           ``,
		`{"a":[[],[]]}`:  `{"a":[[],[]]}`,
		`{"x":{"y":[]}}`: `{"x":{"y":[]}}`,
	} {
		got, err := canon.AppendSorted(nil, []byte(in), func(_ []canon.Step, v canon.Value) bool { return v.Kind != canon.Null })
		if err != nil || string(got) != want {
			t.Errorf("%s: %s %v, want %s", in, got, err, want)
		}
	}
	got, err := canon.AppendSorted(nil, []byte(`{"a":{"drop":{"x":[1,2]},"keep":3},"drop":4}`), func(path []canon.Step, _ canon.Value) bool {
		return len(path) == 0 || string(path[len(path)-1].Key) != "drop"
	})
	if err != nil || string(got) != `{"a":{"keep":3}}` {
		t.Errorf("%s %v", got, err)
	}
}

func TestAppendSortedRefuses(t *testing.T) {
	for in, offset := range map[string]int{
		`{"a":1,"\u0061":2}`: 16,
		`[{"a":{},"a":[]}]`:  13,
		`{"a":NaN}`:          5,
		``:                   0,
		`{} {}`:              3,
		strings.Repeat("[", 65) + strings.Repeat("]", 65): 64,
	} {
		_, err := canon.AppendSorted(nil, []byte(in), nil)
		syntax, ok := errors.AsType[*canon.SyntaxError](err)
		if !ok || syntax.Offset != offset {
			t.Errorf("%.30s: %v, want byte %d", in, err, offset)
		}
	}
}

// FuzzAppendSorted checks that the sorted form is JSON with the same values and is its
// own sorted form, and that Walk accepts the same texts as Valid.
func FuzzAppendSorted(f *testing.F) {
	for _, seed := range []string{`{"b":[1.0,{"z":null,"a":"\ud800\u000a"}],"a":{}}`, `"\ud83d\ude00"`, `[[[]]]`, `{"a":1,"a":2}`, `nul`, "[\"\u007f\"]", `{"a`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		twice := false
		err := canon.Walk(data, func(_ []canon.Step, _ canon.Value, again bool) error {
			twice = twice || again
			return nil
		})
		if (err == nil) != (canon.Valid(data) == nil) {
			t.Fatalf("Walk: %v, Valid: %v", err, canon.Valid(data))
		}
		sorted, err2 := canon.AppendSorted(nil, data, nil)
		if (err2 == nil) != (err == nil && !twice) {
			t.Fatalf("%v, though twice is %t and Walk says %v", err2, twice, err)
		}
		if err2 != nil {
			return
		}
		again, err := canon.AppendSorted(nil, sorted, nil)
		if err != nil || !bytes.Equal(again, sorted) {
			t.Fatalf("%q becomes %q: %v", sorted, again, err)
		}
		var was, is any
		if json.Unmarshal(data, &was) == nil && json.Unmarshal(sorted, &is) == nil && !cmp.Equal(was, is) {
			t.Fatal(cmp.Diff(was, is))
		}
	})
}

// BenchmarkAppendSortedDeep checks that depth costs copying, but no second reading.
func BenchmarkAppendSortedDeep(b *testing.B) {
	text := slices.Concat(bytes.Repeat([]byte(`{"a":`), 60), []byte(`"`), bytes.Repeat([]byte("x"), 500_000), []byte(`"`), bytes.Repeat([]byte("}"), 60))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := canon.AppendSorted(nil, text, nil); err != nil {
			b.Fatal(err)
		}
	}
}
