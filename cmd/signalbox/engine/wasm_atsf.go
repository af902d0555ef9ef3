//go:build !noengine

package engine

import (
	"bytes"
	"context"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/wasm/client"
)

// talk is ATSF in the module.
type talk struct{ atsf client.ATSF }

func atsfError(err error) error {
	if err == nil {
		return nil
	}
	if rule, reason, ok := malformed(err); ok {
		return &atsf.Fault{Rule: rule, Reason: reason}
	}
	return engineError(err)
}

func (t talk) Thread(ctx context.Context, data []byte, dir string) (atsf.Thread, *atsf.Fault, error) {
	r, err := t.atsf.Thread(ctx, data, dir)
	if err != nil {
		return atsf.Thread{}, nil, atsfError(err)
	}
	thread := atsf.Thread{Raw: data, ID: r.ID, Findings: atsf.Findings{Faults: atsfFaults(r.Faults), Notes: atsfFaults(r.Notes)}}
	if r.Odd == nil {
		return thread, nil, nil
	}
	odd := atsfFault(*r.Odd)
	return thread, &odd, nil
}

func (t talk) Message(ctx context.Context, line []byte) (atsf.Message, error) {
	r, err := t.atsf.Message(ctx, line)
	if err != nil {
		return atsf.Message{}, atsfError(err)
	}
	m := atsf.Message{Raw: line, ID: r.ID, Role: r.Role, Findings: atsf.Findings{Faults: atsfFaults(r.Faults), Notes: atsfFaults(r.Notes)}}
	m.Time.Text, m.Time.Millis, m.Time.OK = r.Time.Text, r.Time.Millis, r.Time.OK
	for i := range r.Content {
		b := &r.Content[i]
		m.Content = append(m.Content, atsf.Block{Type: b.Type, Known: b.Known, AssetRef: b.AssetRef})
	}
	return m, nil
}

func (t talk) Config(ctx context.Context, data []byte) (atsf.Findings, []atsf.Fault, error) {
	c, err := t.atsf.Config(ctx, data)
	return atsf.Findings{Faults: atsfFaults(c.Faults), Notes: atsfFaults(c.Notes)}, atsfFaults(c.Secrets), atsfError(err)
}

func (t talk) AssetName(ctx context.Context, ref string) (atsf.AssetName, error) {
	n, err := t.atsf.AssetName(ctx, ref)
	if err != nil {
		return atsf.AssetName{}, atsfError(err)
	}
	if n.Fault != nil {
		bad := atsfFault(*n.Fault)
		return atsf.AssetName{}, &bad
	}
	return atsf.AssetName{Hex: n.Hex, Ext: n.Ext}, nil
}

func (t talk) Repair(ctx context.Context, thread, messages []byte) ([]byte, []atsf.Mismatch, error) {
	r, err := t.atsf.Repair(ctx, client.ThreadFiles{Thread: thread, Messages: messages})
	if err != nil {
		return nil, nil, atsfError(err)
	}
	return r.Data, mismatches(r.Mismatches), nil
}

func (t talk) Tally() threads.Tally { return &tally{atsf: t.atsf} }

// tally keeps the lines, since the module counts a log as a whole.
type tally struct {
	atsf  client.ATSF
	lines bytes.Buffer
}

func (t *tally) Add(line []byte, _ *atsf.Message) {
	t.lines.Write(line)
	t.lines.WriteByte('\n')
}

func (t *tally) Compare(ctx context.Context, thread *atsf.Thread) ([]atsf.Mismatch, error) {
	r, err := t.atsf.Compare(ctx, client.ThreadFiles{Thread: thread.Raw, Messages: t.lines.Bytes()})
	return mismatches(r.Mismatches), atsfError(err)
}

func mismatches(list []client.Mismatch) []atsf.Mismatch {
	var out []atsf.Mismatch
	for _, m := range list {
		out = append(out, atsf.Mismatch(m))
	}
	return out
}

func atsfFault(f client.Fault) atsf.Fault {
	return atsf.Fault{Rule: f.Rule, Field: f.Field, Offset: int(f.Offset), Reason: f.Reason}
}

func atsfFaults(list []client.Fault) []atsf.Fault {
	var faults []atsf.Fault
	for _, f := range list {
		faults = append(faults, atsfFault(f))
	}
	return faults
}
