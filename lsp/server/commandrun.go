package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
)

// prepareCommand is workspace/executeCommand. It reads settings and documents in order with
// the notifications that change them.
func (s *session) prepareCommand(params json.RawMessage) (dispatch.Handler, error) {
	p, err := codec.Decode[struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}](params)
	if err != nil {
		return nil, err
	}
	c := s.commands.Find(p.Command)
	if c == nil {
		return nil, codec.BadField("command", "there is no command %q", codec.Short(p.Command))
	}
	if len(p.Arguments) == 0 {
		p.Arguments = []json.RawMessage{nil}
	}
	if p.Command == commands.SubmitName {
		if p.Arguments, err = s.documentArgument(p.Arguments); err != nil {
			return nil, err
		}
	}
	run := c.Run
	if s.opens && s.settings.ShowDocuments {
		run = s.showing(p.Command, c)
	}
	return func(ctx context.Context, _ json.RawMessage) (any, error) { return run(ctx, p.Arguments) }, nil
}

// documentArgument replaces the uri in the argument of signalbox.submit with the text of that
// open document and a client token made from both, so that the same draft is sent only once,
// however often it is submitted.
func (s *session) documentArgument(args []json.RawMessage) ([]json.RawMessage, error) {
	a, err := commands.Argument[struct {
		URI string `json:"uri"`
	}](args[0])
	if err != nil || a.URI == "" {
		return args, err
	}
	doc := s.docs.Get(a.URI)
	if doc == nil {
		return nil, codec.BadField("arguments.uri", "is no open document")
	}
	once := sha256.Sum256([]byte(a.URI + "\n" + doc.Text))
	raw, err := codec.Marshal(map[string]string{"text": doc.Text, "clientToken": hex.EncodeToString(once[:])})
	return []json.RawMessage{raw}, err
}
