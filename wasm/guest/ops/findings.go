package ops

import (
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// findings are what samp.validate and atsf.check have found. They are written as they come
// and bounded in number, because a line of two bytes can cause one that is fifty times as
// long.
type findings struct {
	out         encoder
	limit, more int64
}

// limited is the parameter "limit", which findings begin with.
func (f *findings) limited() param {
	f.limit = abi.DefaultFindings
	f.out = appending(nil)
	f.out.Open("", '[')
	return bounded("limit", &f.limit, 0, abi.MaxFindings)
}

// add writes a finding in a line that begins at offset. file is empty where there is only
// one.
func (f *findings) add(file string, number, offset int, level string, fault *canon.Fault) {
	if f.limit == 0 {
		f.more++
		return
	}
	f.limit--
	e := &f.out
	e.Open("", '{')
	e.Optional("file", file)
	e.Number("line", int64(number))
	e.Number("offset", int64(offset+fault.Offset))
	e.Text("level", level)
	e.Text("rule", fault.Rule)
	e.Text("field", fault.Field)
	e.Text("reason", fault.Reason)
	e.Close('}')
}

func (f *findings) addAll(file string, number, offset int, all canon.Findings) {
	for i := range all.Faults {
		f.add(file, number, offset, "fault", &all.Faults[i])
	}
	for i := range all.Notes {
		f.add(file, number, offset, "note", &all.Notes[i])
	}
}

// findings writes them, and how many were more than the limit.
func (e *encoder) findings(f *findings) {
	f.out.Close(']')
	e.Raw("findings", f.out.Out)
	e.Number("more", f.more)
}
