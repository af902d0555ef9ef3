package ops

import (
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// findings are the findings of samp.validate and atsf.check. They are written as they are
// found, and limited in number, because a line of two bytes can cause a finding that is
// fifty times as long.
type findings struct {
	out         encoder
	limit, more int64
}

// limited returns the parameter "limit", and begins the list of findings.
func (f *findings) limited() param {
	f.limit = abi.DefaultFindings
	f.out = appending(nil)
	f.out.Open("", '[')
	return bounded("limit", &f.limit, 0, abi.MaxFindings)
}

// add writes a finding in a line that begins at offset. file is empty if there is only one file.
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

// findings writes the findings, and how many exceeded the limit.
func (e *encoder) findings(f *findings) {
	f.out.Close(']')
	e.Raw("findings", f.out.Out)
	e.Number("more", f.more)
}
