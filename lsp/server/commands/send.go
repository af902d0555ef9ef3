package commands

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// sender has the methods that the commands for sending need.
type sender interface {
	ComposeContext(ctx context.Context, p panel.ComposeParams) (panel.ComposeContext, error)
	Send(ctx context.Context, p panel.SendParams) (panel.Sent, error)
}

func (c *Set) sendCommands() map[string]*Command {
	return map[string]*Command{
		"signalbox.send":  {Run: c.sendCommand},
		"signalbox.reply": {Run: c.replyCommand},
	}
}

// sendCommand is signalbox.send [{to, body, thread?, clientToken?}]. For signed mail it also
// takes subject, priority, type, context and attachments.
func (c *Set) sendCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	a, err := Argument[struct {
		panel.Draft
		ClientToken string `json:"clientToken"`
	}](args[0])
	if err != nil {
		return Answer{}, err
	}
	if a.To == "" {
		return Answer{}, codec.BadField("arguments.to", "is missing")
	}
	a.ReplyTo = nil
	return c.sendDraft(ctx, a.Draft, a.ClientToken)
}

// replyCommand is signalbox.reply [{to?, ref?, id?, body, attachments?, clientToken?}]. It
// replies to the message or thread in ref or id. Without these, it replies to the newest
// message from to or, without to, to the newest message of all.
func (c *Set) replyCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	a, err := Argument[struct {
		answeree
		Body        string   `json:"body"`
		Attachments []string `json:"attachments"`
		ClientToken string   `json:"clientToken"`
	}](args[0])
	if err != nil {
		return Answer{}, err
	}
	ref, err := c.answereeRef(ctx, a.answeree)
	if err != nil {
		return Answer{}, err
	}
	draft, err := c.replyTo(ctx, ref)
	if err != nil {
		return Answer{}, err
	}
	draft.Body, draft.Attachments = a.Body, a.Attachments
	return c.sendDraft(ctx, draft, a.ClientToken)
}

// replyTo returns the draft of a reply.
func (c *Set) replyTo(ctx context.Context, ref panel.Ref) (panel.Draft, error) {
	compose, err := c.panel.ComposeContext(ctx, panel.ComposeParams{Ref: &ref})
	switch {
	case err != nil:
		return panel.Draft{}, err
	case compose.Draft == nil:
		return panel.Draft{}, codec.KindError(panel.Unsupported, compose.Reason, "this cannot be replied to")
	}
	return *compose.Draft, nil
}

// sendDraft sends a draft. Without a client token, it makes a new one, so that two
// commands send two messages.
func (c *Set) sendDraft(ctx context.Context, d panel.Draft, clientToken string) (Answer, error) {
	if err := cmp.Or(limits.Params("arguments.clientToken", clientToken), limits.Params("arguments", d)); err != nil {
		return Answer{}, err
	}
	if clientToken == "" {
		clientToken = c.token()
	}
	sent, err := c.panel.Send(ctx, panel.SendParams{Draft: d, ClientToken: clientToken})
	return Answer{sentText(sent, d.To), sent}, err
}
