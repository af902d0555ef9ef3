package ops

import (
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

func sampThread(dst, a, b []byte) ([]byte, error) {
	var from, date string
	var p samp.Profile
	if err := read(a, needed(text("from", &from)), needed(text("date", &date)), profile(&p)); err != nil {
		return nil, err
	}
	if !isDate(date) {
		return nil, wrong("date", "YYYY-MM-DD")
	}
	if err := samp.CheckAlias(from); err != nil {
		return nil, refused(err)
	}
	if !utf8.Valid(b) {
		return nil, refused(&canon.Fault{Rule: "R2", Reason: "the body is not valid UTF-8"})
	}
	thread, stored := samp.DeriveThread(string(b), from, date, p)
	e := encoder{buf: dst}
	e.open('{')
	e.text("thread", thread)
	e.text("body", stored)
	e.close('}')
	return e.buf, nil
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

func sampBuild(dst, a, b []byte) ([]byte, error) {
	var from, to, thread string
	var ts int64
	var p samp.Profile
	if err := read(a,
		needed(text("from", &from)), needed(text("to", &to)), needed(text("thread", &thread)),
		needed(integer("ts", &ts, nil)), profile(&p),
	); err != nil {
		return nil, err
	}
	r, err := samp.Build(from, to, thread, string(b), ts, p)
	if err != nil {
		return nil, refused(err)
	}
	return r.Append(dst), nil
}

func sampAlias(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	alias := string(b)
	var reason, log, mark string
	err := samp.CheckAlias(alias)
	if err != nil {
		reason = strings.TrimPrefix(err.Error(), "L2: ")
	}
	valid := samp.ValidAlias(alias)
	if valid {
		log, mark = samp.LogName(alias), samp.WatermarkName(alias)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.bool("valid", valid)
	e.bool("allowed", err == nil)
	e.text("reason", reason)
	e.text("log", log)
	e.text("watermark", mark)
	e.close('}')
	return e.buf, nil
}
