package ops

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/samp"
)

func sampParse(dst, a, b []byte) ([]byte, error) {
	var p samp.Profile
	if err := read(a, profile(&p)); err != nil {
		return nil, err
	}
	r, err := samp.Parse(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.text("id", r.ID)
	e.record(&r)
	e.text("key", samp.EffectiveID(&r, p))
	e.text("form", samp.Identify(&r).String())
	e.bool("lossy", r.Lossy)
	e.close('}')
	return e.buf, nil
}

// record writes the members of §2 except the id, which has two meanings.
func (e *encoder) record(r *samp.Record) {
	e.number("ts", r.TS)
	e.text("from", r.From)
	e.text("to", r.To)
	e.text("thread", r.Thread)
	e.text("body", r.Body)
}

func sampInspect(dst, a, b []byte) ([]byte, error) {
	var stem string
	if err := read(a, logFile(&stem)); err != nil {
		return nil, err
	}
	in := samp.Inspect(bytes.Clone(b), stem) // Inspect overwrites its line
	e := encoder{buf: dst}
	e.open('{')
	e.bool("malformed", in.Malformed)
	if in.Malformed {
		e.null("form")
	} else {
		e.text("form", in.Form.String())
	}
	e.faults("faults", in.Faults)
	e.faults("notes", in.Notes)
	e.close('}')
	return e.buf, nil
}

func sampID(dst, a, b []byte) ([]byte, error) {
	var p samp.Profile
	if err := read(a, profile(&p)); err != nil {
		return nil, err
	}
	// A copy, because the reader may decode escapes in place.
	id, err := samp.LineID(bytes.Clone(b), p)
	if err != nil {
		return nil, malformed(err)
	}
	return append(dst, id...), nil
}

func sampCanonical(dst, a, b []byte) ([]byte, error) {
	var p samp.Profile
	if err := read(a, profile(&p)); err != nil {
		return nil, err
	}
	r, err := samp.Parse(b)
	if err != nil {
		return nil, malformed(err)
	}
	return samp.AppendCanonical(dst, &r, p), nil
}

func sampCompact(dst, a, b []byte) ([]byte, error) {
	var p samp.Profile
	if err := read(a, profile(&p)); err != nil {
		return nil, err
	}
	c := samp.Compact(b, p)
	e := encoder{buf: dst}
	e.open('{')
	e.bool("changed", c.Changed(b))
	e.number("before", int64(c.Before))
	e.number("after", int64(c.After))
	e.number("filled", int64(c.Filled))
	e.number("malformed", int64(c.Malformed))
	e.number("conflicts", int64(c.Conflicts))
	e.number("length", int64(len(c.Data)))
	e.close('}')
	return append(append(e.buf, '\n'), c.Data...), nil
}

func sampWatermark(dst, a, b []byte) ([]byte, error) {
	var now int64
	var capped bool
	if err := read(a, integer("now", &now, &capped)); err != nil {
		return nil, err
	}
	w, err := samp.ParseWatermark(b)
	if err != nil {
		return nil, malformed(err)
	}
	if capped {
		w = w.Capped(now)
	}
	return w.Append(dst), nil
}
