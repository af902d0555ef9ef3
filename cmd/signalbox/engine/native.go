package engine

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// Native is the core that this program is linked with.
func Native() Core { return native{} }

type native struct{}

func (native) Store() store.Core     { return nil }
func (native) Threads() threads.Core { return nil }
func (native) Close() error          { return nil }

func (native) LineID(_ context.Context, line []byte, p samp.Profile) (string, error) {
	return samp.LineID(line, p)
}

func (native) Thread(_ context.Context, body, from, date string, p samp.Profile) (thread, rest string, err error) {
	thread, rest = samp.DeriveThread(body, from, date, p)
	return thread, rest, nil
}

func (native) FormOf(m *samp.Found) samp.Form { return samp.Identify(&m.Record) }

func (native) Mail(_ context.Context, data []byte) (Mail, error) {
	m, err := amp.ParseMessage(data)
	return Mail{m, m.SignatureID()}, err
}

func (native) Agent(_ context.Context, address string) (agent string, ok bool, err error) {
	a, ok := amp.ParseAddress(address)
	return a.Agent, ok, nil
}

func (native) Key(_ context.Context, data []byte) (Key, error) {
	key, err := amp.ParseKey(data)
	if err != nil {
		return Key{}, err
	}
	return Key{own: key, text: data}, nil
}

func (native) Judge(_ context.Context, m *Mail, known Known) (amp.Trust, error) {
	k := amp.Known{Earlier: known.Earlier, Now: known.Now}
	if known.Key.OK() || known.Nobody {
		k.Keys = []amp.Key{known.Key.own}
	}
	return amp.Judge(&m.Message, k), nil
}

func (native) Task(_ context.Context, data []byte) (agn.Message, error) {
	return agn.ParseMessage(data)
}

func (native) TaskPayload(_ context.Context, kind string, data []byte) (agn.Findings, error) {
	_, found, err := agn.ParsePayload(kind, data)
	return found, err
}

func (native) Ack(_ context.Context, data []byte) (agn.Ack, error) { return agn.ParseAck(data) }

func (native) Resume(_ context.Context, data []byte) (agn.Resume, error) {
	return agn.ParseResume(data)
}

func (native) Record(_ context.Context, data []byte) error {
	_, err := agn.ParseRecord(data)
	return err
}

func (native) CheckTask(_ context.Context, m *agn.Message, history []agn.Message) (agn.Findings, error) {
	return agn.Check(m, history), nil
}
