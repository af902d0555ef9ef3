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
	c.text("id", r.ID)
	c.record(&r)
	c.text("key", samp.EffectiveID(&r, p))
	c.text("form", samp.Identify(&r).String())
	c.bool("lossy", r.Lossy)
	return nil
}

// record writes the members of §2 except the id, which has two meanings.
func (e *encoder) record(r *samp.Record) {
	e.number("ts", r.TS)
	e.text("from", r.From)
	e.text("to", r.To)
	e.text("thread", r.Thread)
	e.text("body", r.Body)
}

func sampInspect(c *call) error {
	var stem string
	if err := c.read(logFile(&stem)); err != nil {
		return err
	}
	in := samp.Inspect(bytes.Clone(c.b), stem) // Inspect overwrites its line
	c.bool("malformed", in.Malformed)
	if in.Malformed {
		c.null("form")
	} else {
		c.text("form", in.Form.String())
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
	c.bool("changed", out.Changed(c.b))
	c.number("before", int64(out.Before))
	c.number("after", int64(out.After))
	c.number("filled", int64(out.Filled))
	c.number("malformed", int64(out.Malformed))
	c.number("conflicts", int64(out.Conflicts))
	c.number("length", int64(len(out.Data)))
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
