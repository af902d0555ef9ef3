package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// Some clients can run commands but do nothing with the answers. For them the setting
// showDocuments makes the server show the answers itself, as documents or messages.

// The kinds of messages (MessageType).
const (
	messageError = 1
	messageInfo  = 3
)

// showing returns a command that shows its own answer. A reply, or an answer to an escalation,
// without a text opens a draft in which to write it.
func (s *session) showing(name string, c *commands.Command) commands.Run {
	return func(ctx context.Context, args []json.RawMessage) (commands.Answer, error) {
		document, path := c.Document, ""
		var a commands.Answer
		var err error
		if to, ok := commands.Unwritten(name, args[0]); ok {
			document = commands.DraftDocument
			a, err = s.commands.Draft(ctx, to)
		} else {
			a, err = c.Run(ctx, args)
		}
		if err == nil && document != "" {
			path, err = s.panel.Show(ctx, document, a.Text)
		}
		switch {
		case err != nil:
			s.say(messageError, codec.ErrorOf(ctx, err).Message)
		case path != "":
			s.open(path)
		default:
			s.say(messageInfo, a.Text)
		}
		return a, err
	}
}

// open asks the client to open a file.
func (s *session) open(path string) {
	params := struct {
		URI       string `json:"uri"`
		TakeFocus bool   `json:"takeFocus"`
	}{documents.FileURI(path), true}
	id := s.requests.Add(1) - 1
	s.write(codec.Call{Version: "2.0", ID: &id, Method: "window/showDocument", Params: params})
}

// shown handles the client's answer to open, the only request that the server sends.
func (s *session) shown(m *codec.Message) {
	var done struct {
		Success bool `json:"success"`
	}
	if err := json.Unmarshal(m.Result, &done); err != nil || !done.Success {
		s.Log.Warn("the client did not show a document", "id", string(m.ID), "error", string(m.Error))
	}
}

// say makes the client show a message.
func (s *session) say(kind int, text string) {
	s.notify("window/showMessage", struct {
		Type    int    `json:"type"`
		Message string `json:"message"`
	}{kind, text})
}
