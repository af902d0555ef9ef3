package ops

import (
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

func sampThread(c *call) error {
	var from, date string
	var p samp.Profile
	if err := c.read(needed(text("from", &from)), needed(text("date", &date)), profile(&p)); err != nil {
		return err
	}
	if !isDate(date) {
		return wrong("date", "YYYY-MM-DD")
	}
	if err := samp.CheckAlias(from); err != nil {
		return refused(err)
	}
	if !utf8.Valid(c.b) {
		return refused(&canon.Fault{Rule: "R2", Reason: "the body is not valid UTF-8"})
	}
	thread, stored := samp.DeriveThread(string(c.b), from, date, p)
	c.Text("thread", thread)
	c.Text("body", stored)
	return nil
}

// isDate checks only the form: a calendar would bring package time along.
func isDate(s string) bool {
	if len(s) != len("YYYY-MM-DD") {
		return false
	}
	for i := range len(s) {
		if dash := i == 4 || i == 7; dash != (s[i] == '-') || !dash && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}

func sampBuild(c *call) error {
	var from, to, thread string
	var ts int64
	var p samp.Profile
	if err := c.read(
		needed(text("from", &from)), needed(text("to", &to)), needed(text("thread", &thread)),
		needed(integer("ts", &ts, nil)), profile(&p),
	); err != nil {
		return err
	}
	r, err := samp.Build(from, to, thread, string(c.b), ts, p)
	if err != nil {
		return refused(err)
	}
	return c.bytes(r.Append(nil))
}

func sampAlias(c *call) error {
	alias := string(c.b)
	var reason, log, mark string
	err := samp.CheckAlias(alias)
	if err != nil {
		reason = strings.TrimPrefix(err.Error(), "L2: ")
	}
	valid := samp.ValidAlias(alias)
	if valid {
		log, mark = samp.LogName(alias), samp.WatermarkName(alias)
	}
	c.Bool("valid", valid)
	c.Bool("allowed", err == nil)
	c.Text("reason", reason)
	c.Text("log", log)
	c.Text("watermark", mark)
	return nil
}
