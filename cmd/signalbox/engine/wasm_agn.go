//go:build !noengine

package engine

import (
	"context"
	"errors"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/wasm/client"
)

// taskError words the error of a call. The ABI's errors have a rule and a reason
// and no place; the place is that of the program's own reader, where it says the
// same.
func taskError(err error, own func() error) error {
	if err == nil {
		return nil
	}
	rule, reason, ok := malformed(err)
	if !ok {
		return engineError(err)
	}
	bad := &agn.Fault{Rule: rule, Reason: reason}
	if same, is := errors.AsType[*agn.Fault](own()); is && same.Rule == rule && same.Reason == reason {
		bad.Field, bad.Offset = same.Field, same.Offset
	}
	return bad
}

func (g *guest) Task(ctx context.Context, data []byte) (agn.Message, error) {
	r, err := g.module.AGN().Message(ctx, data)
	if err != nil {
		return agn.Message{}, taskError(err, func() error { _, err := agn.ParseMessage(data); return err })
	}
	return agn.Message{
		Raw: data, ID: r.ID, Version: r.Version, Type: r.Type, From: r.From, To: r.To, TaskID: r.TaskID,
		Findings: taskFindings(r.Findings),
	}, nil
}

func (g *guest) TaskPayload(ctx context.Context, kind string, data []byte) (agn.Findings, error) {
	r, err := g.module.AGN().Payload(ctx, kind, data)
	return taskFindings(r.Findings), taskError(err, func() error { _, _, err := agn.ParsePayload(kind, data); return err })
}

func (g *guest) Ack(ctx context.Context, data []byte) (agn.Ack, error) {
	a, err := g.module.AGN().Ack(ctx, data)
	return agn.Ack(a), taskError(err, func() error { _, err := agn.ParseAck(data); return err })
}

func (g *guest) Resume(ctx context.Context, data []byte) (agn.Resume, error) {
	r, err := g.module.AGN().Resume(ctx, data)
	return agn.Resume{MsgID: r.MsgID, Action: agn.Action(r.Action), Text: r.Text, Millis: r.Millis},
		taskError(err, func() error { _, err := agn.ParseResume(data); return err })
}

func (g *guest) Record(ctx context.Context, data []byte) error {
	_, err := g.module.AGN().Record(ctx, data)
	return taskError(err, func() error { _, err := agn.ParseRecord(data); return err })
}

func (g *guest) CheckTask(ctx context.Context, m *agn.Message, history []agn.Message) (agn.Findings, error) {
	texts := make([][]byte, len(history))
	for i := range history {
		texts[i] = history[i].Raw
	}
	found, err := g.module.AGN().Check(ctx, m.Raw, texts)
	if err != nil {
		return agn.Findings{}, engineError(err)
	}
	if found.Unread > 0 {
		return agn.Findings{}, errors.New("wasm: agn.check: the module did not read what it had read before")
	}
	return taskFindings(found.Findings), nil
}

func taskFindings(f client.Findings) agn.Findings {
	return agn.Findings{Faults: taskFaults(f.Faults), Notes: taskFaults(f.Notes)}
}

func taskFaults(list []client.Fault) []agn.Fault {
	var faults []agn.Fault
	for _, f := range list {
		faults = append(faults, agn.Fault{Rule: f.Rule, Field: f.Field, Offset: int(f.Offset), Reason: f.Reason})
	}
	return faults
}
