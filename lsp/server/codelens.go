package server

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// lensesMost bounds the lines that have lenses.
const lensesMost = 200

// codeLens is LSP's CodeLens.
type codeLens struct {
	Range   span       `json:"range"`
	Command lspCommand `json:"command"`
}

// linkAddress finds the addresses that the texts of commands have.
var linkAddress = pattern(`signalbox://(?:thread|message)/[A-Za-z0-9%_.;,-]*[A-Za-z0-9%-]`)

// prepareCodeLens is textDocument/codeLens: what can be done with the threads and
// messages that the texts of commands show, above each line that has the address of
// one. A draft has one to send it, above its first line. Only Markdown has lenses.
func (s *session) prepareCodeLens(params json.RawMessage) (handler, error) {
	p, err := decode[documentParams](params)
	if err != nil {
		return nil, err
	}
	doc := s.docs.get(p.TextDocument.URI)
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		list := []codeLens{}
		if doc == nil || doc.language != "markdown" {
			return list, nil
		}
		if isDraft(p.TextDocument.URI) {
			list = append(list, codeLens{Command: sending(p.TextDocument.URI)})
		}
		tokens, spans := s.addresses(doc)
		for group := range slices.Chunk(tokens, panel.MaxRefs) {
			found, err := s.panel.Locate(ctx, group)
			if err != nil {
				return nil, err
			}
			for i := range found {
				for _, c := range lensCommands(&found[i]) {
					list = append(list, codeLens{spans[i], c})
				}
			}
			spans = spans[len(group):]
		}
		return list, nil
	}, nil
}

// addresses gives the first address of each line, and where it stands.
func (s *session) addresses(doc *document) (tokens []string, spans []span) {
	w := walker{doc: doc, enc: s.encoding}
	last := -1
	for _, at := range linkAddress().FindAllStringIndex(doc.text, 10*lensesMost) {
		start := w.position(at[0])
		if int(start.Line) == last || len(tokens) == lensesMost {
			continue
		}
		last = int(start.Line)
		tokens = append(tokens, doc.text[at[0]:at[1]])
		spans = append(spans, span{start, w.position(at[1])})
	}
	return tokens, spans
}

// lensCommands are the commands for what an address leads to, in few words.
func lensCommands(l *panel.Located) []lspCommand { return linkCommands(l, "") }

// linkCommands are what can be done with what was found. Titles end in about.
func linkCommands(l *panel.Located, about string) (list []lspCommand) {
	if l.Status != "found" || l.Thread == nil {
		return nil
	}
	target := *l.Thread
	if l.Message != nil {
		target = *l.Message
	}
	add := func(title, command string, argument any) {
		list = append(list, lspCommand{title + about, command, []any{argument}})
	}
	add("Open", "signalbox.thread", *l.Thread)
	type to struct {
		Ref panel.Ref `json:"ref"`
	}
	for _, can := range l.Can {
		switch can {
		case panel.CanReply:
			add("Reply", "signalbox.reply", to{target})
		case panel.CanMarkRead:
			add("Mark read", "signalbox.markRead", target)
		case panel.CanRespond:
			add("Answer", "signalbox.respond", to{target})
		case panel.CanAck:
			add("Acknowledge", "signalbox.ack", target)
		}
	}
	return list
}

// mentionActions are the code actions for what is mentioned at a position.
func (s *session) mentionActions(ctx context.Context, doc *document, at position) ([]codeAction, error) {
	found, err := s.locateAt(ctx, doc, at)
	if err != nil || found == nil {
		return nil, err
	}
	commands := linkCommands(found, ": "+found.Title)
	if found.Link != "" {
		commands = append(commands, lspCommand{"Copy link", "signalbox.link", []any{found.Token}})
	}
	var list []codeAction
	for i := range commands {
		list = append(list, codeAction{Title: commands[i].Title, Kind: atMention, Command: &commands[i]})
	}
	return list, nil
}

// linkCommand is signalbox.link [token or ref]: the address of a message or thread,
// to copy.
func (s *session) linkCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	address := ""
	if isString(args[0]) {
		token, err := argument[string](args[0])
		if err == nil {
			err = checkText("arguments", token)
		}
		if err != nil {
			return answered{}, err
		}
		found, err := s.panel.Locate(ctx, []string{token})
		if err != nil {
			return answered{}, err
		}
		if len(found) == 1 {
			if address = found[0].Link; found[0].Status == "ambiguous" {
				return answered{}, failKind(panel.Ambiguous, "", "%q names several things", short(token))
			}
		}
	} else {
		ref, err := s.refArgument(ctx, args[0])
		if err != nil {
			return answered{}, err
		}
		if address = threadLink(ref); address == "" && ref.Protocol != mail.AMP && ref.Protocol != mail.ATSF {
			if _, id, ok := ref.Message(); ok {
				address = mail.FormatLink(mail.LinkMessage, id)
			}
		}
	}
	if address == "" {
		return answered{}, failKind(panel.NotFound, "", "there is no message or thread to link to")
	}
	data := struct {
		Link string `json:"link"`
	}{address}
	return answered{address + "\n", data}, nil
}
