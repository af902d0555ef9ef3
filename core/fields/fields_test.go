package fields_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/fields"
)

// record has a field of each kind that records of agents' programs have.
type record struct {
	inner
	Name, CWD string
	Text      string `json:"the_text"`
	Flag      bool
	Count     int64
	Ratio     float64
	Hidden    string `json:"-"`
	Raw       json.RawMessage
	Own       own
	Owns      []own
	Ptr       *inner
	PtrText   *string `json:"ptr"`
	List      []inner
	Names     []string
	Map       map[string]json.RawMessage
	Changes   map[string]inner
	Deep      struct{ Deeper struct{ At int64 } }
}

type inner struct {
	ID   string
	Name string // the outer one hides it
	Seq  int64  `json:"seq"`
}

// own is a text, or a list of texts.
type own struct{ texts []string }

func (o *own) ReadFields(c *canon.Cursor) error {
	v, err := c.Value()
	if err == nil {
		_ = o.UnmarshalJSON(v.Raw)
	}
	return err
}

func (o *own) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		o.texts = []string{string(data)}
		return nil
	}
	_ = json.Unmarshal(data, &o.texts)
	return nil
}

var seeds = []string{
	``, ` `, `{}`, `null`, `[]`, `"x"`, `{"name":"a","NAME":"b","cwd":"/x","CwD":"/y","the_text":"\u00e9\n\ud83d\ude00 \ud83d"}`,
	`{"flag":true,"count":12,"ratio":1.5e3,"hidden":"x","Hidden":"x","-":"x"}`,
	`{"count":1.0,"ratio":1e999,"flag":"no","name":3,"list":{},"map":[],"own":5,"ptr":7,"deep":[],"id":"read"}`,
	`{"count":9223372036854775807,"ratio":-0}`, `{"count":9223372036854775808}`, `{"count":-5,"ratio":7}`,
	`{"raw":{"a": [1, 2]},"own":"x","owns":["a",["b","c"],4,null]}`,
	`{"ptr":"t","Ptr":{"id":"x","seq":4},"ptrtext":"no"}`, `{"ptr":null,"Ptr":null,"list":null,"map":null,"name":null,"own":null,"raw":null}`,
	`{"list":[{"id":"1"},null,{"seq":2,"name":"x"},"no"],"names":["a",1,"b"]}`, `{"list":[],"names":[]}`,
	`{"list":[{"id":"1","seq":1},{"id":"2"}],"list":[{"seq":9}]}`,
	`{"map":{"a":1,"b":"x","a":2},"changes":{"x":{"id":"1"},"y":5}}`, `{"deep":{"deeper":{"at":3},"DEEPER":{"AT":4}}}`,
	`{"na` + "\u017f" + `":1,"` + "\u017f" + `eq":5,"ſEQ":6,"é":1,"na\u006de":"escaped"}`,
	`  {"name" : "spaces" } `, `{"name":"a"} x`, `{"name":"a",`, `{"name":"a"`, `[{"id":"1"}]`, "{\"name\":\"\xff\"}", `{"name":"a\x"}`, `nul`,
	`{"` + strings.Repeat("n", 80) + `":1,"name":"after a long one"}`,
}

// TestRead reads seeds into other values than a record.
func TestRead(t *testing.T) {
	for _, s := range seeds {
		same[map[string]json.RawMessage](t, s)
		same[[]json.RawMessage](t, s)
		same[[]inner](t, s)
		same[string](t, s)
		same[[]string](t, s)
		same[*inner](t, s)
		same[int64](t, s)
	}
}

// FuzzRead checks that JSON is read as encoding/json reads it, and of any other text at most
// the members before the fault.
func FuzzRead(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { same[record](t, s) })
}

func same[T any](t *testing.T, s string) {
	t.Helper()
	var got, want T
	data := []byte(s)
	ok, err := fields.Read(data, &got), json.Unmarshal([]byte(s), &want)
	if !bytes.Equal(data, []byte(s)) {
		t.Fatalf("%q became %q", s, data)
	}
	if json.Valid(data) && canon.Valid(data) != nil {
		return // nested too deep
	}
	if ok != (err == nil) {
		t.Errorf("%q: read %v, and json.Unmarshal says %v", s, ok, err)
	}
	var object T
	if _, bad := errors.AsType[*canon.SyntaxError](fields.Object(data, &object)); utf8.Valid(data) && bad != (canon.Object(data, func([]byte, canon.Value) error { return nil }) != nil) {
		t.Errorf("%q: as an object, fault is %v", s, bad)
	} else if !bad && utf8.Valid(data) && !reflect.DeepEqual(object, got) {
		t.Errorf("%q: as an object %v, not %v", s, object, got)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(record{}, own{}), cmp.Transformer("inner", func(in inner) []any { return []any{in.ID, in.Name, in.Seq} })); json.Valid(data) && diff != "" {
		t.Errorf("%q (want -, got +):\n%s", s, diff)
	}
}

// TestKept checks that a raw part costs nothing, since it aliases the text.
func TestKept(t *testing.T) {
	data := []byte(`{"raw":` + strings.Repeat(" ", 10) + `"` + strings.Repeat("x", 1000) + `"}`)
	var r struct{ Raw json.RawMessage }
	if !fields.Read(data, &r) || &r.Raw[0] != &data[slices.Index(data, 'x')-1] {
		t.Errorf("read %.20q", r.Raw)
	}
	if n := testing.AllocsPerRun(100, func() { fields.Read(data, &r) }); n > 3 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkRead reads a record of which most parts are skipped or returned raw.
func BenchmarkRead(b *testing.B) {
	data := []byte(`{"name":"a","unknown":{"x":["` + strings.Repeat("long text ", 300) + `"]},"raw":"` + strings.Repeat("\\n and more", 300) + `","list":[{"id":"1"},{"id":"2"}]}`)
	for name, read := range map[string]func([]byte, any) bool{
		"fields":        fields.Read,
		"encoding-json": func(data []byte, v any) bool { return json.Unmarshal(data, v) == nil },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if r := new(record); !read(data, r) {
					b.Fatal(r)
				}
			}
		})
	}
}
