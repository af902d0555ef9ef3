package ops

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/samp"
)

func sampParse(c *call) error {
	var p samp.Profile
	if err := c.read(profile(&p)); err != nil {
		return err
	}
	r, err := samp.Parse(c.b)
	if err != nil {
		return malformed(err)
	}
	c.Text("id", r.ID)
	c.record(&r)
	c.Text("key", samp.EffectiveID(&r, p))
	c.Text("form", samp.Identify(&r).String())
	c.Bool("lossy", r.Lossy)
	return nil
}

// record writes the members of §2 except the id, whose meaning differs between ops.
func (e *encoder) record(r *samp.Record) {
	e.Number("ts", r.TS)
	e.Text("from", r.From)
	e.Text("to", r.To)
	e.Text("thread", r.Thread)
	e.Text("body", r.Body)
}

func sampInspect(c *call) error {
	var stem string
	if err := c.read(logFile(&stem)); err != nil {
		return err
	}
	in := samp.Inspect(bytes.Clone(c.b), stem) // Inspect overwrites its line
	c.Bool("malformed", in.Malformed)
	if in.Malformed {
		c.Raw("form", nil)
	} else {
		c.Text("form", in.Form.String())
	}
	c.both(in.Findings)
	return nil
}

func sampID(c *call) error {
	var p samp.Profile
	if err := c.read(profile(&p)); err != nil {
		return err
	}
	// A copy, because the reader may decode escapes in place.
	id, err := samp.LineID(bytes.Clone(c.b), p)
	if err != nil {
		return malformed(err)
	}
	return c.plain(id)
}

func sampCanonical(c *call) error {
	var p samp.Profile
	if err := c.read(profile(&p)); err != nil {
		return err
	}
	r, err := samp.Parse(c.b)
	if err != nil {
		return malformed(err)
	}
	return c.bytes(samp.AppendCanonical(nil, &r, p))
}

func sampCompact(c *call) error {
	var p samp.Profile
	if err := c.read(profile(&p)); err != nil {
		return err
	}
	out := samp.Compact(c.b, p)
	c.Bool("changed", out.Changed(c.b))
	c.Number("before", int64(out.Before))
	c.Number("after", int64(out.After))
	c.Number("filled", int64(out.Filled))
	c.Number("malformed", int64(out.Malformed))
	c.Number("conflicts", int64(out.Conflicts))
	c.Number("length", int64(len(out.Data)))
	return c.rest(out.Data)
}

func sampWatermark(c *call) error {
	var now int64
	var capped bool
	if err := c.read(integer("now", &now, &capped)); err != nil {
		return err
	}
	w, err := samp.ParseWatermark(c.b)
	if err != nil {
		return malformed(err)
	}
	if capped {
		w = w.Capped(now)
	}
	return c.bytes(w.Append(nil))
}

// sampValidate checks a log (rule C3).
func sampValidate(c *call) error {
	var stem string
	var found findings
	if err := c.read(logFile(&stem), found.limited()); err != nil {
		return err
	}
	var number int
	var lines, malformed int64
	var forms [samp.FormWrong + 1]int64
	var line []byte // Inspect overwrites its line
	samp.Lines(c.b, func(offset int, raw []byte) {
		if number++; len(bytes.TrimSpace(raw)) == 0 {
			return
		}
		lines++
		line = append(line[:0], raw...)
		in := samp.Inspect(line, stem)
		if in.Malformed {
			malformed++
		} else {
			forms[in.Form]++
		}
		found.addAll("", number, offset, in.Findings)
	})
	c.Number("lines", lines)
	c.Number("malformed", malformed)
	c.Bool("torn", len(c.b) > 0 && c.b[len(c.b)-1] != '\n')
	c.Open("forms", '{')
	for form, n := range forms {
		c.Number(samp.Form(form).String(), n)
	}
	c.Close('}')
	c.findings(&found)
	return nil
}
