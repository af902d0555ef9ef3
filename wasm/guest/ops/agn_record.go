package ops

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// parsed parses the second argument and writes the members of the value.
func parsed[T any](c *call, parse func(data []byte) (T, error), members func(*encoder, *T)) error {
	v, err := parse(c.b)
	if err != nil {
		return malformed(err)
	}
	members(&c.encoder, &v)
	return nil
}

func agnAck(c *call) error {
	return parsed(c, agn.ParseAck, (*encoder).ack)
}

func agnResume(c *call) error {
	return parsed(c, agn.ParseResume, (*encoder).resume)
}

func agnRecord(c *call) error {
	return parsed(c, agn.ParseRecord, (*encoder).taskRecord)
}

func agnRejection(c *call) error {
	return parsed(c, agn.ParseRejection, (*encoder).rejection)
}

// buildRecord reads the parameters of a record and returns it as the result.
func buildRecord(c *call, build func() ([]byte, error), want ...param) error {
	if err := c.read(want...); err != nil {
		return err
	}
	out, err := build()
	if err != nil {
		return refused(err)
	}
	return c.bytes(out)
}

func agnBuildAck(c *call) error {
	var r agn.Ack
	return buildRecord(c, func() ([]byte, error) { return agn.BuildAck(r) },
		needed(text("msgId", &r.MsgID)), needed(text("by", &r.By)), needed(integer("millis", &r.Millis, nil)))
}

func agnBuildResume(c *call) error {
	var r agn.Resume
	var action string
	return buildRecord(c, func() ([]byte, error) {
		r.Action = agn.Action(action)
		return agn.BuildResume(r)
	}, needed(text("msgId", &r.MsgID)), needed(text("action", &action)), text("text", &r.Text), needed(integer("millis", &r.Millis, nil)))
}

func agnBuildRecord(c *call) error {
	var r agn.Record
	var phase string
	return buildRecord(c, func() ([]byte, error) {
		r.Phase = agn.Phase(phase)
		return agn.BuildRecord(r)
	}, needed(text("taskId", &r.TaskID)), text("title", &r.Title), text("repo", &r.Repo), text("branch", &r.Branch), text("risk", &r.Risk),
		needed(text("phase", &phase)), integer("rejectCount", &r.RejectCount, nil), integer("messages", &r.Messages, nil),
		text("lastMsgId", &r.LastMsgID), needed(integer("created", &r.Created, nil)), needed(integer("updated", &r.Updated, nil)))
}

func agnBuildRejection(c *call) error {
	var r agn.Rejection
	return buildRecord(c, func() ([]byte, error) { return agn.AppendRejection(nil, r), nil },
		needed(integer("millis", &r.Millis, nil)), needed(text("source", &r.Source)), text("msgId", &r.MsgID), text("taskId", &r.TaskID),
		needed(text("digest", &r.Digest)),
		needed(items("faults", &r.Faults, func(raw []byte, f *canon.Fault) error {
			var offset int64
			err := read(raw, needed(text("rule", &f.Rule)), text("field", &f.Field), integer("offset", &offset, nil), needed(text("reason", &f.Reason)))
			f.Offset = int(offset)
			return err
		})), text("text", &r.Text))
}
