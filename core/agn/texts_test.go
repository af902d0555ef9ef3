package agn_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// filled sets every text in a value to one of its own, and returns how many there are. Lists
// get two elements.
func filled(v reflect.Value, n int) int {
	switch v.Kind() {
	case reflect.String:
		n++
		v.SetString(fmt.Sprint("text ", n))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[agn.Time]() {
			return n // it was read
		}
		for i := range v.NumField() {
			n = filled(v.Field(i), n)
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k != reflect.String && k != reflect.Struct {
			return n
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			n = filled(v.Index(i), n)
		}
	}
	return n
}

// TestTexts checks that every text of every payload is listed exactly once.
func TestTexts(t *testing.T) {
	for _, p := range []agn.Payload{
		{Dispatch: &agn.Dispatch{}}, {Result: &agn.Result{}}, {Request: &agn.Request{}}, {Verdict: &agn.Verdict{}}, {Escalation: &agn.Escalation{}},
	} {
		want := 0
		for _, of := range []any{p.Dispatch, p.Result, p.Request, p.Verdict, p.Escalation} {
			if v := reflect.ValueOf(of); !v.IsNil() {
				want = filled(v.Elem(), 0)
			}
		}
		free, names := p.Texts()
		var got []string
		for _, s := range append(free, names...) {
			got = append(got, *s)
		}
		slices.Sort(got)
		if all := slices.Compact(got); len(all) != want || len(free)+len(names) != want || want == 0 {
			t.Errorf("%+v: %d texts, want %d: %q", p, len(free)+len(names), want, all)
		}
	}
}
