package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// sendCommand is signalbox.send [{to, body, thread?, clientToken?}].
func (s *session) sendCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	a, err := argument[struct {
		To          string `json:"to"`
		Body        string `json:"body"`
		Thread      string `json:"thread"`
		ClientToken string `json:"clientToken"`
	}](args[0])
	if err != nil {
		return answered{}, err
	}
	if a.To == "" {
		return answered{}, badField("arguments.to", "is missing")
	}
	return s.sendDraft(ctx, panel.Draft{To: a.To, Thread: a.Thread, Body: a.Body}, a.ClientToken)
}

// replyCommand is signalbox.reply [{to?, ref?, id?, body, clientToken?}]: to
// the message or thread given, else to the newest message from to, else to the
// newest of all.
func (s *session) replyCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	a, err := argument[struct {
		To          string     `json:"to"`
		Ref         *panel.Ref `json:"ref"`
		ID          string     `json:"id"`
		Body        string     `json:"body"`
		ClientToken string     `json:"clientToken"`
	}](args[0])
	if err != nil {
		return answered{}, err
	}
	var ref panel.Ref
	switch {
	case a.Ref != nil:
		ref, err = *a.Ref, checkRef("arguments.ref", *a.Ref)
	case a.ID != "":
		ref, err = s.named(ctx, a.ID)
	default:
		if err = checkText("arguments.to", a.To); err == nil {
			ref, err = s.panel.ReplyTarget(ctx, a.To)
		}
	}
	if err != nil {
		return answered{}, err
	}
	compose, err := s.panel.ComposeContext(ctx, panel.ComposeParams{Ref: &ref})
	switch {
	case err != nil:
		return answered{}, err
	case compose.Draft == nil:
		return answered{}, failKind(panel.Unsupported, compose.Reason, "this cannot be replied to")
	}
	draft := *compose.Draft
	draft.Body = a.Body
	return s.sendDraft(ctx, draft, a.ClientToken)
}

// sendDraft sends what a command was given. Without a client token it makes
// one, so that two commands are two messages.
func (s *session) sendDraft(ctx context.Context, d panel.Draft, clientToken string) (answered, error) {
	if err := checkText("arguments.clientToken", clientToken); err != nil {
		return answered{}, err
	}
	if err := checkDraft("arguments", d); err != nil {
		return answered{}, err
	}
	if clientToken == "" {
		clientToken = s.Token()
	}
	sent, err := s.panel.Send(ctx, panel.SendParams{Draft: d, ClientToken: clientToken})
	return answered{sentText(sent, d.To), sent}, err
}
