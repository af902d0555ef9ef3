//go:build !noengine

package engine

import (
	"context"
	"errors"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/wasm/client"
)

// mailError is taskError for amp/0.1.
func mailError(err error, own func() error) error {
	if err == nil {
		return nil
	}
	rule, reason, ok := malformed(err)
	if !ok {
		return engineError(err)
	}
	bad := &amp.Fault{Rule: rule, Reason: reason}
	if same, is := errors.AsType[*amp.Fault](own()); is && same.Rule == rule && same.Reason == reason {
		bad.Field, bad.Offset = same.Field, same.Offset
	}
	return bad
}

func (g *guest) Mail(ctx context.Context, data []byte) (Mail, error) {
	r, err := g.module.AMP().Message(ctx, data)
	if err != nil {
		return Mail{}, mailError(err, func() error { _, err := amp.ParseMessage(data); return err })
	}
	m := amp.Message{
		Raw: data, ID: r.ID, From: r.From, To: r.To, Signature: r.Signature,
		Findings: amp.Findings{Faults: mailFaults(r.Faults), Notes: mailFaults(r.Notes)},
	}
	m.Time = amp.Time(r.Time)
	m.Local.Received = amp.Time(r.Local.Received)
	return Mail{m, r.SignatureID}, nil
}

func mailFaults(list []client.Fault) []amp.Fault {
	var faults []amp.Fault
	for _, f := range list {
		faults = append(faults, amp.Fault{Rule: f.Rule, Field: f.Field, Offset: int(f.Offset), Reason: f.Reason})
	}
	return faults
}

func (g *guest) Agent(ctx context.Context, address string) (agent string, ok bool, err error) {
	a, err := g.module.AMP().Address(ctx, address)
	if err != nil {
		return "", false, engineError(err)
	}
	return a.Agent, a.Valid, nil
}

func (g *guest) Key(ctx context.Context, data []byte) (Key, error) {
	if _, err := g.module.AMP().Key(ctx, data); err != nil {
		return Key{}, mailError(err, func() error { _, err := amp.ParseKey(data); return err })
	}
	return Key{text: data}, nil
}

// someKey is a public key that nobody signs with: the module reads whole keys
// alone, and without any it says that one is missing.
const someKey = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"

func (g *guest) Judge(ctx context.Context, m *Mail, known Known) (amp.Trust, error) {
	k := client.MailKnown{Now: known.Now}
	switch {
	case known.Key.OK():
		k.Keys = [][]byte{known.Key.text}
	case known.Nobody:
		k.Keys = [][]byte{[]byte(someKey)}
	}
	// Of many signatures this message's alone is asked for.
	if first, seen := known.Earlier[m.SignatureID]; seen {
		k.Earlier = []client.MailSignature{{SignatureID: m.SignatureID, ID: first}}
	}
	t, err := g.module.AMP().Judge(ctx, m.Raw, k)
	if err != nil {
		return amp.Trust{}, engineError(err)
	}
	return amp.Trust{State: amp.State(t.State), Reason: t.Reason, Step: stepNamed(t.Step), Key: t.Key, Flags: t.Flags}, nil
}

func stepNamed(name client.SignedStep) amp.Step {
	for step := amp.AsStored; step <= amp.NoWrapper; step++ {
		if step.String() == string(name) {
			return step
		}
	}
	return amp.NotVerified
}
