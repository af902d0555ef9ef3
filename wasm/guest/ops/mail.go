package ops

import (
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/detect"
	model "github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

func mailDetect(dst, a, b []byte) ([]byte, error) {
	var name string
	if err := read(a, text("name", &name)); err != nil {
		return nil, err
	}
	f := detect.File(name, b)
	e := encoder{buf: dst}
	e.open('{')
	e.word("protocol", string(f.Protocol))
	e.word("kind", string(f.Kind))
	e.word("certainty", string(f.Certainty))
	e.text("reason", f.Reason)
	e.close('}')
	return e.buf, nil
}

func mailLinks(dst, a, b []byte) ([]byte, error) {
	limit, err := atMost(a)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(b) {
		return nil, badArgument("the text is not valid UTF-8")
	}
	e := encoder{buf: dst}
	e.open('{')
	e.key("mentions")
	e.open('[')
	more := int64(0)
	for m := range model.Mentions(string(b)) {
		if limit--; limit < 0 {
			more++
			continue
		}
		e.item()
		e.open('{')
		e.text("kind", m.Kind)
		e.number("offset", int64(m.Offset))
		e.number("length", int64(m.Length))
		e.text("token", m.Token)
		e.close('}')
	}
	e.close(']')
	e.number("more", more)
	e.close('}')
	return e.buf, nil
}

// atMost reads the parameter "limit" and others.
func atMost(a []byte, others ...param) (limit int64, err error) {
	limit = abi.DefaultFindings
	if err := read(a, append(others, integer("limit", &limit, nil))...); err != nil {
		return 0, err
	}
	if limit < 0 || limit > abi.MaxFindings {
		return 0, wrong("limit", "a number from 0 to 100000")
	}
	return limit, nil
}

// word writes a text, or null for an empty one.
func (e *encoder) word(name, value string) {
	if value == "" {
		e.null(name)
		return
	}
	e.text(name, value)
}
