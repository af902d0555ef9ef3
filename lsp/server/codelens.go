package server

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// maxLenses is how many lines have lenses.
const maxLenses = 200

// codeLens is LSP's CodeLens.
type codeLens struct {
	Range   documents.Span `json:"range"`
	Command lspCommand     `json:"command"`
}

// linkAddress matches the addresses in the texts of commands.
var linkAddress = pattern(`signalbox://(?:thread|message)/[A-Za-z0-9%_.;,-]*[A-Za-z0-9%-]`)

// codeLenses is textDocument/codeLens. In the texts of commands, the lenses above a line with
// the address of a thread or message are the commands for it. A draft has a lens above its
// first line that sends it. Only Markdown has lenses.
func (s *session) codeLenses(ctx context.Context, doc *documents.Document, _ documentParams) ([]codeLens, error) {
	list := []codeLens{}
	if doc.Language != "markdown" {
		return list, nil
	}
	if commands.IsDraft(doc.URI) {
		list = append(list, codeLens{Command: submitCommand(doc.URI)})
	}
	tokens, spans := s.addresses(doc)
	for group := range slices.Chunk(tokens, panel.MaxRefs) {
		found, err := s.panel.Locate(ctx, group)
		if err != nil {
			return nil, err
		}
		for i := range found {
			for _, c := range linkCommands(&found[i], "") {
				list = append(list, codeLens{spans[i], c})
			}
		}
		spans = spans[len(group):]
	}
	return list, nil
}

// addresses returns the first address of each line, and where it is.
func (s *session) addresses(doc *documents.Document) (tokens []string, spans []documents.Span) {
	w := doc.Walk(s.encoding)
	last := -1
	for _, at := range linkAddress().FindAllStringIndex(doc.Text, 10*maxLenses) {
		start := w.Position(at[0])
		if int(start.Line) == last || len(tokens) == maxLenses {
			continue
		}
		last = int(start.Line)
		tokens = append(tokens, doc.Text[at[0]:at[1]])
		spans = append(spans, documents.Span{Start: start, End: w.Position(at[1])})
	}
	return tokens, spans
}

// linkCommands returns the commands for a message or thread. Their titles end in about.
func linkCommands(l *panel.ResolvedLink, about string) (list []lspCommand) {
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

// mentionActions returns the code actions for the message or thread mentioned at a position.
func (s *session) mentionActions(ctx context.Context, doc *documents.Document, at documents.Position) ([]codeAction, error) {
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

// submitCommand returns the command of a draft's lens and code action.
func submitCommand(uri string) lspCommand {
	type document struct {
		URI string `json:"uri"`
	}
	return lspCommand{"Send", commands.SubmitName, []any{document{uri}}}
}
