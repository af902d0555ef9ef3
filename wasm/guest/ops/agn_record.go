package ops

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// recordOp parses one of our records and writes its members.
func recordOp[T any](dst, a, b []byte, parse func(data []byte) (T, error), write func(e *encoder, r *T)) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	r, err := parse(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	write(&e, &r)
	e.close('}')
	return e.buf, nil
}

func agnAck(dst, a, b []byte) ([]byte, error) {
	return recordOp(dst, a, b, agn.ParseAck, (*encoder).ack)
}

func agnResume(dst, a, b []byte) ([]byte, error) {
	return recordOp(dst, a, b, agn.ParseResume, (*encoder).resume)
}

func agnRecord(dst, a, b []byte) ([]byte, error) {
	return recordOp(dst, a, b, agn.ParseRecord, (*encoder).taskRecord)
}

func agnRejection(dst, a, b []byte) ([]byte, error) {
	return recordOp(dst, a, b, agn.ParseRejection, (*encoder).rejection)
}

// buildRecord reads the parameters of a record and writes it.
func buildRecord(dst, a, b []byte, build func() ([]byte, error), want ...param) ([]byte, error) {
	if err := none(b); err != nil {
		return nil, err
	}
	if err := read(a, want...); err != nil {
		return nil, err
	}
	out, err := build()
	if err != nil {
		return nil, refused(err)
	}
	return append(dst, out...), nil
}

func agnBuildAck(dst, a, b []byte) ([]byte, error) {
	var r agn.Ack
	return buildRecord(dst, a, b, func() ([]byte, error) { return agn.BuildAck(r) },
		needed(text("msgId", &r.MsgID)), needed(text("by", &r.By)), needed(integer("millis", &r.Millis, nil)))
}

func agnBuildResume(dst, a, b []byte) ([]byte, error) {
	var r agn.Resume
	var action string
	return buildRecord(dst, a, b, func() ([]byte, error) {
		r.Action = agn.Action(action)
		return agn.BuildResume(r)
	}, needed(text("msgId", &r.MsgID)), needed(text("action", &action)), text("text", &r.Text), needed(integer("millis", &r.Millis, nil)))
}

func agnBuildRecord(dst, a, b []byte) ([]byte, error) {
	var r agn.Record
	var phase string
	return buildRecord(dst, a, b, func() ([]byte, error) {
		r.Phase = agn.Phase(phase)
		return agn.BuildRecord(r)
	}, needed(text("taskId", &r.TaskID)), text("title", &r.Title), text("repo", &r.Repo), text("branch", &r.Branch), text("risk", &r.Risk),
		needed(text("phase", &phase)), integer("rejectCount", &r.RejectCount, nil), integer("messages", &r.Messages, nil),
		text("lastMsgId", &r.LastMsgID), needed(integer("created", &r.Created, nil)), needed(integer("updated", &r.Updated, nil)))
}

func agnBuildRejection(dst, a, b []byte) ([]byte, error) {
	var r agn.Rejection
	return buildRecord(dst, a, b, func() ([]byte, error) { return agn.AppendRejection(nil, r), nil },
		needed(integer("millis", &r.Millis, nil)), needed(text("source", &r.Source)), text("msgId", &r.MsgID), text("taskId", &r.TaskID),
		needed(text("digest", &r.Digest)),
		needed(list("faults", func(v canon.Value) error {
			var f canon.Fault
			var offset int64
			err := read(v.Raw, needed(text("rule", &f.Rule)), text("field", &f.Field), integer("offset", &offset, nil), needed(text("reason", &f.Reason)))
			f.Offset = int(offset)
			r.Faults = append(r.Faults, f)
			return err
		})), text("text", &r.Text))
}
