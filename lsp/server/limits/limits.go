// Package limits checks the limits of params that do not depend on stored data. Start with
// [Params].
package limits

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

const (
	maxList = 1000 // elements of a list
	maxText = 4096 // bytes of names, cursors, filters, client tokens
)

// Params checks params by the types and tags of their fields. Its error names the first field
// that breaks a limit, as a field of prefix if that is not empty.
//
// A ref must be complete, a number must not be negative, a text has at most 4096 bytes, and a
// list at most 1000 elements. A field called Limit is the size of a page. The tag check adds:
//
//	given        it is not empty
//	long         the panel has its own limit
//	most N       a text has at most N bytes, a list N elements
//	one A B C    it is empty or one of these words
func Params(prefix string, params any) error { return value(prefix, "", reflect.ValueOf(params)) }

func value(name, rule string, v reflect.Value) error {
	if r, ok := v.Interface().(panel.Ref); ok {
		return ref(name, r)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Struct && !v.IsNil() {
			return value(name, rule, v.Elem())
		}
	case reflect.Struct:
		return fields(name, v)
	case reflect.Slice:
		return list(name, rule, v)
	case reflect.String:
		return text(name, rule, v.String())
	case reflect.Int, reflect.Int64:
		return number(name, rule, v.Int())
	}
	return nil
}

func fields(of string, v reflect.Value) error {
	for f, field := range v.Fields() {
		name, rule := of, f.Tag.Get("check")
		if !f.Anonymous {
			member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			name = strings.TrimPrefix(of+"."+member, ".")
		}
		switch {
		case f.Tag.Get("json") == "-":
			continue
		case f.Name == "Limit" && rule == "":
			rule = "page"
		}
		if err := value(name, rule, field); err != nil {
			return err
		}
	}
	return nil
}

func list(name, rule string, v reflect.Value) error {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return nil // raw JSON
	}
	if most := bound(rule, maxList); v.Len() > most {
		return codec.BadField(name, "has %d elements, more than %d", v.Len(), most)
	}
	for i := range v.Len() {
		if err := value(fmt.Sprintf("%s[%d]", name, i), "", v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func text(name, rule, s string) error {
	words, limited := strings.CutPrefix(rule, "one ")
	switch most := bound(rule, maxText); {
	case rule == "long":
	case rule == "given" && s == "":
		return codec.BadField(name, "is missing")
	case limited && s != "" && !slices.Contains(strings.Fields(words), s):
		return codec.BadField(name, "is none of %s", strings.ReplaceAll(words, " ", ", "))
	case len(s) > most:
		return codec.BadField(name, "has %d bytes, more than %d", len(s), most)
	}
	return nil
}

func number(name, rule string, n int64) error {
	switch most := bound(rule, panel.MaxPage); {
	case (rule == "page" || strings.HasPrefix(rule, "most ")) && (n < 0 || n > int64(most)):
		return codec.BadField(name, "%d is not within 1 to %d", n, most)
	case rule == "given" && n == 0:
		return codec.BadField(name, "is missing")
	case n < 0:
		return codec.BadField(name, "%d is negative", n)
	}
	return nil
}

// ref refuses a ref that the server cannot have issued, before it is looked up.
func ref(name string, r panel.Ref) error {
	if r.Protocol == "" || r.Store == "" || r.ID == "" {
		return codec.BadField(name, "is not a ref (protocol, store, id)")
	}
	return text(name, "", string(r.Protocol)+r.Store+r.ID)
}

// bound returns the number in a rule "most N". For other rules it returns usual.
func bound(rule string, usual int) int {
	if n, err := strconv.Atoi(strings.TrimPrefix(rule, "most ")); err == nil {
		return n
	}
	return usual
}
