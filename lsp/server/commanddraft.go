package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// submitName is the command that the lens and the action of a draft have.
const submitName = "signalbox.submit"

// draftCommand is signalbox.draft [message id, thread's name or ref?]: the text of a
// new message, of a reply, or of an answer to an escalation, to be written and given
// to signalbox.submit.
func (s *session) draftCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	if len(args[0]) == 0 || string(args[0]) == "null" {
		return draftText(&written{}, "To", "Thread")
	}
	if isString(args[0]) {
		id, err := argument[string](args[0])
		if err != nil {
			return answered{}, err
		}
		return s.draft(ctx, answeree{ID: id})
	}
	return s.draft(ctx, answeree{Ref: args[0]})
}

// draft begins the answer to something.
func (s *session) draft(ctx context.Context, to answeree) (answered, error) {
	ref, err := s.answereeRef(ctx, to)
	if err != nil {
		return answered{}, err
	}
	if ref.Protocol == mail.AGN {
		return draftText(&written{Draft: panel.Draft{ReplyTo: &ref}, Action: "redirect"})
	}
	compose, err := s.panel.ComposeContext(ctx, panel.ComposeParams{Ref: &ref})
	switch {
	case err != nil:
		return answered{}, err
	case compose.Draft == nil:
		return answered{}, failKind(panel.Unsupported, compose.Reason, "this cannot be replied to")
	}
	w := &written{Draft: *compose.Draft}
	if w.ReplyTo == nil {
		w.ReplyTo = &ref
	}
	return draftText(w)
}

func draftText(w *written, ask ...string) (answered, error) {
	text, err := w.text(ask...)
	return answered{text, w.Draft}, err
}

// documentArgument gives signalbox.submit the text of the open document that its
// argument names by uri, and a client token of that: the same draft is sent once,
// however often it is submitted.
func (s *session) documentArgument(args []json.RawMessage) ([]json.RawMessage, error) {
	a, err := argument[struct {
		URI string `json:"uri"`
	}](args[0])
	if err != nil || a.URI == "" {
		return args, err
	}
	doc := s.docs.get(a.URI)
	if doc == nil {
		return nil, badField("arguments.uri", "is no open document")
	}
	once := sha256.Sum256([]byte(a.URI + "\n" + doc.text))
	raw, err := marshal(map[string]string{"text": doc.text, "clientToken": hex.EncodeToString(once[:])})
	return []json.RawMessage{raw}, err
}

// submitCommand is signalbox.submit [{text or uri, clientToken?}]: it sends a draft.
func (s *session) submitCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	a, err := argument[struct {
		Text        string `json:"text"`
		ClientToken string `json:"clientToken"`
	}](args[0])
	if err != nil {
		return answered{}, err
	}
	w, err := readDraft(a.Text)
	if err != nil {
		return answered{}, err
	}
	if !w.escalation() {
		if w.Action != "" {
			return answered{}, badField("text", "has an Action, and answers no escalation")
		}
		return s.sendDraft(ctx, w.Draft, a.ClientToken)
	}
	p := panel.RespondParams{Response: panel.Response{Ref: *w.ReplyTo, Action: panel.Action(w.Action), Body: w.Body}, ClientToken: a.ClientToken}
	if err := checkText("arguments.clientToken", p.ClientToken); err != nil {
		return answered{}, err
	}
	if err := checkResponse(p.Response); err != nil {
		return answered{}, err
	}
	if p.ClientToken == "" {
		p.ClientToken = s.Token()
	}
	done, err := s.panel.Respond(ctx, p)
	return answered{respondedText("Answered", done), done}, err
}

// sending is what the lens and the action of a draft do.
func sending(uri string) lspCommand {
	type document struct {
		URI string `json:"uri"`
	}
	return lspCommand{"Send", submitName, []any{document{uri}}}
}
