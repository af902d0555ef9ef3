package ops

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// validation is what samp.validate counts (rule C3). Findings are written as
// they come and bounded in number, because a line of two bytes can cause one
// that is fifty times as long.
type validation struct {
	out              encoder
	limit, more      int64
	lines, malformed int64
	forms            [samp.FormWrong + 1]int64
}

func sampValidate(dst, a, b []byte) ([]byte, error) {
	var stem string
	v := validation{limit: abi.DefaultFindings}
	if err := read(a, logFile(&stem), integer("limit", &v.limit, nil)); err != nil {
		return nil, err
	}
	if v.limit < 0 || v.limit > abi.MaxFindings {
		return nil, wrong("limit", "a number from 0 to 100000")
	}
	v.out.open('[')
	number := 0
	var line []byte // Inspect overwrites its line
	samp.Lines(b, func(offset int, raw []byte) {
		number++
		if len(bytes.TrimSpace(raw)) > 0 {
			line = append(line[:0], raw...)
			v.line(number, offset, samp.Inspect(line, stem))
		}
	})
	v.out.close(']')

	e := encoder{buf: dst}
	e.open('{')
	e.number("lines", v.lines)
	e.number("malformed", v.malformed)
	e.bool("torn", len(b) > 0 && b[len(b)-1] != '\n')
	e.key("forms")
	e.open('{')
	for form, n := range v.forms {
		e.number(samp.Form(form).String(), n)
	}
	e.close('}')
	e.key("findings")
	e.buf = append(e.buf, v.out.buf...)
	e.number("more", v.more)
	e.close('}')
	return e.buf, nil
}

func (v *validation) line(number, offset int, in samp.Inspection) {
	v.lines++
	if in.Malformed {
		v.malformed++
	} else {
		v.forms[in.Form]++
	}
	for i := range in.Faults {
		v.finding(number, offset, "fault", &in.Faults[i])
	}
	for i := range in.Notes {
		v.finding(number, offset, "note", &in.Notes[i])
	}
}

func (v *validation) finding(number, offset int, level string, f *canon.Fault) {
	if v.limit == 0 {
		v.more++
		return
	}
	v.limit--
	e := &v.out
	e.item()
	e.open('{')
	e.number("line", int64(number))
	e.number("offset", int64(offset+f.Offset))
	e.text("level", level)
	e.text("rule", f.Rule)
	e.text("field", f.Field)
	e.text("reason", f.Reason)
	e.close('}')
}
