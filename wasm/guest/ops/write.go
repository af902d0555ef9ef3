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

// isDate checks only the form: checking the calendar would add package time to the module.
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

func sampReply(c *call) error {
	var me, body, toID string
	var ts int64
	var p samp.Profile
	var list []logPart
	if err := c.read(
		needed(text("me", &me)), needed(text("body", &body)), needed(integer("ts", &ts, nil)),
		profile(&p), text("to_id", &toID), logList(&list),
	); err != nil {
		return err
	}
	logs, err := cut(c.b, list)
	if err != nil {
		return err
	}
	box := gather(logs, &me, p)
	target, tied, err := choose(box.Messages, toID, ts)
	if err != nil {
		return err
	}
	var r samp.Record
	if target != nil {
		// The thread is inherited unchanged (rule T3).
		if r, err = samp.Build(me, target.From, target.Thread, body, ts, p); err != nil {
			return refused(err)
		}
	}
	c.draft(target, tied, logs, &r)
	return nil
}

// choose returns the message to answer (rules P1 and P2). If several messages have the
// id, all of them are tied and there is no target.
func choose(messages []samp.Found, id string, now int64) (target *samp.Found, tied []samp.Found, err error) {
	if id == "" {
		target, tied = samp.ReplyTarget(messages, now)
		return target, tied, nil
	}
	for i := range messages {
		if messages[i].Key == id {
			tied = append(tied, messages[i])
		}
	}
	switch len(tied) {
	case 0:
		return nil, nil, notFound(id)
	case 1:
		return &tied[0], nil, nil
	}
	return nil, tied, nil
}

func (e *encoder) draft(target *samp.Found, tied []samp.Found, logs []logPart, r *samp.Record) {
	as := display{logs: logs, forms: true}
	nested(e, "target", target, as.message)
	every(e, "tied", tied, as.message)
	if target == nil {
		e.Raw("id", nil)
		e.Raw("line", nil)
		return
	}
	e.Text("id", r.ID)
	e.Text("line", string(r.Append(nil)))
}
