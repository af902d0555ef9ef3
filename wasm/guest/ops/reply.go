package ops

import "github.com/signalbox-dev/signalbox/core/samp"

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

// choose returns the message to answer (rules P1 and P2). Where two senders used the
// same id, the id does not say which message is meant, and both are tied.
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
