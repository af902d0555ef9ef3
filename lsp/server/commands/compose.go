package commands

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// SubmitName is the command of a draft's lens and code action.
const SubmitName = "signalbox.submit"

func (c *Set) draftCommands() map[string]*Command {
	return map[string]*Command{
		"signalbox.draft": {c.draftCommand, DraftDocument},
		SubmitName:        {Run: c.submitCommand},
	}
}

// draftCommand is signalbox.draft [message id, thread's name or ref?]. It returns a draft of
// a new message, a reply, or an answer to an escalation. The user completes the draft and
// sends it with signalbox.submit.
func (c *Set) draftCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	if len(args[0]) == 0 || string(args[0]) == "null" {
		return draftText(&written{}, "To", "Thread")
	}
	if isString(args[0]) {
		id, err := Argument[string](args[0])
		if err != nil {
			return Answer{}, err
		}
		return c.Draft(ctx, answeree{ID: id})
	}
	return c.Draft(ctx, answeree{Ref: args[0]})
}

// Draft returns a draft of a reply to a message or of an answer to an escalation.
func (c *Set) Draft(ctx context.Context, to answeree) (Answer, error) {
	ref, err := c.answereeRef(ctx, to)
	if err != nil {
		return Answer{}, err
	}
	if ref.Protocol == mail.AGN {
		return draftText(&written{Draft: panel.Draft{ReplyTo: &ref}, Action: "redirect"})
	}
	draft, err := c.replyTo(ctx, ref)
	if err != nil {
		return Answer{}, err
	}
	w := &written{Draft: draft}
	if w.ReplyTo == nil {
		w.ReplyTo = &ref
	}
	return draftText(w)
}

func draftText(w *written, ask ...string) (Answer, error) {
	text, err := w.text(ask...)
	return Answer{text, w.Draft}, err
}

// submitCommand is signalbox.submit [{text or uri, clientToken?}]. It sends a draft.
func (c *Set) submitCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	a, err := Argument[struct {
		Text        string `json:"text"`
		ClientToken string `json:"clientToken"`
	}](args[0])
	if err != nil {
		return Answer{}, err
	}
	w, err := readDraft(a.Text)
	if err != nil {
		return Answer{}, err
	}
	if !w.escalation() {
		if w.Action != "" {
			return Answer{}, codec.BadField("text", "has an Action, and answers no escalation")
		}
		return c.sendDraft(ctx, w.Draft, a.ClientToken)
	}
	p := panel.RespondParams{Response: panel.Response{Ref: *w.ReplyTo, Action: panel.Action(w.Action), Body: w.Body}, ClientToken: a.ClientToken}
	if err := limits.Params("arguments.clientToken", p.ClientToken); err != nil {
		return Answer{}, err
	}
	return c.respond(ctx, p)
}

// answeree identifies the message or thread that a reply or an answer is to. If it has neither
// Ref nor ID, that is the newest message from To.
type answeree struct {
	Ref json.RawMessage `json:"ref"`
	ID  string          `json:"id"`
	To  string          `json:"to"`
}

// Unwritten reports whether a command is a reply or an answer without a text, and returns
// what it is to. The command itself reports faults in its argument.
func Unwritten(name string, raw json.RawMessage) (answeree, bool) {
	if name != "signalbox.reply" && name != "signalbox.respond" {
		return answeree{}, false
	}
	a, err := Argument[struct {
		answeree
		Body   string `json:"body"`
		Action string `json:"action"`
	}](raw)
	return a.answeree, err == nil && a.Body == "" && a.Action == ""
}

// answereeRef looks up the message or thread that is answered.
func (c *Set) answereeRef(ctx context.Context, a answeree) (panel.Ref, error) {
	switch {
	case len(a.Ref) > 0:
		return c.refArgument(ctx, a.Ref)
	case a.ID != "":
		return c.named(ctx, a.ID)
	}
	if err := limits.Params("arguments.to", a.To); err != nil {
		return panel.Ref{}, err
	}
	return c.panel.ReplyTarget(ctx, a.To)
}
