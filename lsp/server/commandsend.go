package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// sendCommand is signalbox.send [{to, body, thread?, clientToken?}], for signed mail
// also with subject, priority, type, context and attachments.
func (s *session) sendCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	a, err := argument[struct {
		panel.Draft
		ClientToken string `json:"clientToken"`
	}](args[0])
	if err != nil {
		return answered{}, err
	}
	if a.To == "" {
		return answered{}, badField("arguments.to", "is missing")
	}
	a.ReplyTo = nil
	return s.sendDraft(ctx, a.Draft, a.ClientToken)
}

// replyCommand is signalbox.reply [{to?, ref?, id?, body, attachments?, clientToken?}]: to
// the message or thread given, else to the newest message from to, else to the
// newest of all.
func (s *session) replyCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	a, err := argument[struct {
		To          string     `json:"to"`
		Ref         *panel.Ref `json:"ref"`
		ID          string     `json:"id"`
		Body        string     `json:"body"`
		Attachments []string   `json:"attachments"`
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
	draft.Body, draft.Attachments = a.Body, a.Attachments
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
