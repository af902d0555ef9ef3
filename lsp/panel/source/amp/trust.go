package amp

import (
	"errors"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// judged is the trust in a message, its state, the key and form that the signature fits,
// and the flags of suspicious words.
type judged struct {
	panel.Trust
	state     panel.AmpState
	key, step string
	flags     []string
}

// judge reads a message and returns it with the trust in it.
func (v *view) judge(m *mailbox.Message) (amp.Message, judged) {
	v.learn()
	if m.Err != nil {
		return amp.Message{}, judgedAs(amp.Trust{}, m.Err)
	}
	msg, t, err := v.Snapshot.Trust(m, v.root.pins, v.now)
	return msg, judgedAs(t, err)
}

// trust returns the trust in a message, which is only read if the trust may have changed.
func (v *view) trust(m *mailbox.Message) judged {
	v.learn()
	if m.Err != nil {
		return judgedAs(amp.Trust{}, m.Err)
	}
	return judgedAs(v.TrustOf(m, v.root.pins, v.now))
}

// judgedAs returns a trust as the panel shows it. err is why the message cannot be read.
func judgedAs(t amp.Trust, err error) judged {
	if err != nil {
		detail := err.Error()
		if fault, ok := errors.AsType[*canon.Fault](err); ok {
			detail = fault.Rule + ": " + fault.Reason
		}
		return judged{state: amp.TrustUntrusted, Trust: panel.Trust{Level: panel.TrustWarn, Label: "cannot be read", Detail: show.Line(detail)}}
	}
	j := judged{state: t.State, key: t.Key, flags: t.Flags}
	if t.Step != amp.NotVerified {
		j.step = t.Step.String()
	}
	j.Trust = panel.Trust{Level: Level(t.State), Label: string(t.State), Detail: show.Line(t.Reason)}
	return j
}

// Level returns how far a message in a state can be trusted.
func Level(state amp.State) panel.TrustLevel {
	switch state {
	case amp.TrustVerified:
		return panel.TrustOK
	case amp.TrustExternal, amp.TrustExpired, amp.TrustRepeated:
		return panel.TrustNote
	}
	return panel.TrustWarn
}

// Trust returns the trust in the text of a message, as [diagnose.Stores] says. It pins
// no key.
func (v *view) Trust(path string, m *amp.Message) (t amp.Trust, ok bool) {
	if len(v.Mailboxes) == 0 {
		return amp.Trust{}, false
	}
	key := ""
	if rel, err := filepath.Rel(v.root.path, path); path != "" && err == nil && filepath.IsLocal(rel) {
		key = filepath.ToSlash(rel)
	}
	return v.Judge(key, m, v.root.pins, v.now), true
}
