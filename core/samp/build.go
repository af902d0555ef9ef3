package samp

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Build returns the record of a new message (§5 step 1, rule I4), with the body in the profile's
// normal form, ts in Unix seconds and a computed id. It uses thread unchanged: it comes from
// [DeriveThread] or, for a reply, from the answered message.
//
// It returns a *[canon.Fault] for an alias that may not be written (L2), a body or thread that is
// not UTF-8 (R2) and a body over [MaxBody] characters (R4).
func Build(from, to, thread, body string, ts int64, p Profile) (Record, error) {
	if err := CheckAlias(from); err != nil {
		return Record{}, inField(err, "from")
	}
	if err := CheckAlias(to); err != nil {
		return Record{}, inField(err, "to")
	}
	if !utf8.ValidString(body) {
		return Record{}, &canon.Fault{Rule: "R2", Field: "body", Reason: "the body is not valid UTF-8"}
	}
	if !utf8.ValidString(thread) {
		return Record{}, &canon.Fault{Rule: "R2", Field: "thread", Reason: "the thread's name is not valid UTF-8"}
	}
	if p == V1Compact {
		body = canon.NFC(body)
	}
	if n := utf8.RuneCountInString(body); n > MaxBody {
		return Record{}, &canon.Fault{Rule: "R4", Field: "body", Reason: "the body has " + strconv.Itoa(n) + " characters, and " + strconv.Itoa(MaxBody) + " is the limit"}
	}
	r := Record{TS: ts, From: from, To: to, Thread: thread, Body: body}
	r.ID = ID(&r, p)
	return r, nil
}

func inField(err error, name string) error {
	if f, ok := errors.AsType[*canon.Fault](err); ok {
		f.Field = name
	}
	return err
}
