package ops

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// param is a member of an op's first argument and how it is read. The functions that make
// one are not inlined, like the encoder's methods, which saves 20 KB gzipped.
type param struct {
	name     string
	required bool
	// null is set if null is an ordinary value.
	null bool
	read func(v canon.Value) error
}

// read reads an op's first argument. Unknown and repeated members are refused, and null
// means a missing one. An empty argument is an object without members.
func read(a []byte, want ...param) error {
	have := make([]bool, len(want))
	if len(a) > 0 {
		if !utf8.Valid(a) {
			return badArgument("the parameters are not valid UTF-8")
		}
		if err := members(a, want, have); err != nil {
			return err
		}
	}
	for i := range want {
		if want[i].required && !have[i] {
			return badArgument("parameter " + strconv.Quote(want[i].name) + " is missing")
		}
	}
	return nil
}

func members(data []byte, want []param, have []bool) error {
	seen := make([]bool, len(want))
	err := canon.Object(data, func(key []byte, v canon.Value) error {
		for i := range want {
			if want[i].name != string(key) {
				continue
			}
			if seen[i] {
				return badArgument("parameter " + strconv.Quote(want[i].name) + " stands twice")
			}
			seen[i] = true
			if v.Kind == canon.Null && !want[i].null {
				return nil
			}
			have[i] = true
			return want[i].read(v)
		}
		return badArgument("there is no parameter " + quoted(string(key)))
	})
	if s, ok := errors.AsType[*canon.SyntaxError](err); ok {
		return badArgument("the parameters are not a JSON object: " + s.Reason + " at byte " + strconv.Itoa(s.Offset+1))
	}
	return err
}

func wrong(name, form string) error {
	return badArgument("parameter " + strconv.Quote(name) + " is not " + form)
}

// quoted returns a text from others, cut short and made safe, for an error message.
func quoted(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most]
	}
	return strconv.QuoteToASCII(s)
}

//go:noinline
func needed(p param) param {
	p.required = true
	return p
}

//go:noinline
func text(name string, into *string) param {
	return param{name: name, read: func(v canon.Value) error {
		if v.Kind != canon.String {
			return wrong(name, "a string")
		}
		s, lossy := canon.Unquote(v.Raw)
		if lossy {
			return wrong(name, "text: an escape stands for half a character")
		}
		*into = s
		return nil
	}}
}

//go:noinline
func integer(name string, into *int64, set *bool) param {
	return param{name: name, read: func(v canon.Value) error {
		n, ok := v.Int64()
		if !ok {
			return wrong(name, "an integer of 64 bits")
		}
		*into = n
		if set != nil {
			*set = true
		}
		return nil
	}}
}

// bounded reads a number from least to most.
//
//go:noinline
func bounded(name string, into *int64, least, most int64) param {
	p := integer(name, into, nil)
	number := p.read
	p.read = func(v canon.Value) error {
		err := number(v)
		if err == nil && (*into < least || *into > most) {
			return wrong(name, "a number from "+strconv.FormatInt(least, 10)+" to "+strconv.FormatInt(most, 10))
		}
		return err
	}
	return p
}

//go:noinline
func boolean(name string, into *bool) param {
	return param{name: name, read: func(v canon.Value) error {
		if v.Kind != canon.Bool {
			return wrong(name, "true or false")
		}
		*into = v.Raw[0] == 't'
		return nil
	}}
}

// object returns a parameter that is an object with its own parameters. set, which may be nil, is
// called if the member is there.
//
//go:noinline
func object(name string, set func(), want ...param) param {
	return param{name: name, read: func(v canon.Value) error {
		if v.Kind != canon.Mapping {
			return wrong(name, "an object")
		}
		if set != nil {
			set()
		}
		return read(v.Raw, want...)
	}}
}

// array reads an array. An empty array is not nil, since a missing list may mean something else.
// The code that is the same for every T is in elements, since each T has its own copy of array.
//
//go:noinline
func array[T any](name string, into *[]T, element func(v canon.Value, to *T) error) param {
	return elements(name, func() { *into = []T{} }, func(v canon.Value) error {
		var one T
		err := element(v, &one)
		*into = append(*into, one)
		return err
	})
}

//go:noinline
func elements(name string, begin func(), element func(canon.Value) error) param {
	return param{name: name, read: func(v canon.Value) error {
		if v.Kind != canon.Array {
			return wrong(name, "an array")
		}
		begin()
		return canon.Elements(v.Raw, element)
	}}
}

// items reads an array of objects.
//
//go:noinline
func items[T any](name string, into *[]T, members func(raw []byte, to *T) error) param {
	return elements(name, func() { *into = []T{} }, func(v canon.Value) error {
		if v.Kind != canon.Mapping {
			return wrong(name, "an array of objects")
		}
		var one T
		err := members(v.Raw, &one)
		*into = append(*into, one)
		return err
	})
}

func texts(name string, into *[]string) param {
	return array(name, into, func(v canon.Value, to *string) error { return text(name, to).read(v) })
}

// checked reads a text that take may refuse by returning the required form.
//
//go:noinline
func checked(name string, take func(s string) (form string)) param {
	var s string
	p := text(name, &s)
	readText := p.read
	p.read = func(v canon.Value) error {
		err := readText(v)
		if err != nil {
			return err
		}
		if form := take(s); form != "" {
			return wrong(name, form)
		}
		return nil
	}
	return p
}

// digits reads as many bytes as into has, two hexadecimal digits each. Package
// encoding/hex would add fmt to the module.
func digits(name string, into []byte) param {
	return checked(name, func(s string) string {
		ok := len(s) == 2*len(into)
		for i := 0; ok && i < len(into); i++ {
			n, err := strconv.ParseUint(s[2*i:2*i+2], 16, 8)
			into[i], ok = byte(n), err == nil
		}
		if !ok {
			return strconv.Itoa(2*len(into)) + " hexadecimal digits"
		}
		return ""
	})
}

// value reads any JSON value unchanged, and null only if the param allows it.
//
//go:noinline
func value(name string, into *[]byte) param {
	return param{name: name, read: func(v canon.Value) error {
		*into = v.Raw
		return nil
	}}
}

// given sets set if the parameter is there.
//
//go:noinline
func given(p param, set *bool) param {
	inner := p.read
	p.read = func(v canon.Value) error {
		*set = true
		return inner(v)
	}
	return p
}

func profile(into *samp.Profile) param {
	return checked("profile", func(s string) string {
		var ok bool
		if *into, ok = samp.ParseProfile(s); !ok {
			return `"v1" or "v1-compact"`
		}
		return ""
	})
}

// logFile reads a log's file name and stores its stem.
func logFile(into *string) param {
	return needed(checked("log", func(s string) string {
		var ok bool
		if *into, ok = samp.LogStem(s); !ok {
			return "the name of a log: " + quoted(s)
		}
		return ""
	}))
}

func notFound(id string) error {
	return &failure{code: abi.NotFound, message: "no message to the reader has the id " + quoted(id)}
}
