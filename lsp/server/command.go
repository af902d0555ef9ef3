package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// answered is the result of every command: Text is Markdown for a client that
// can only show text, Data the same as the result of the custom request.
type answered struct {
	Text string `json:"text"`
	Data any    `json:"data"`
}

// command runs one of workspace/executeCommand's commands. args has at least
// one element; those not given are nil.
type command func(ctx context.Context, args []json.RawMessage) (answered, error)

// commands are the twins of the custom requests, for clients that cannot send
// those.
func (s *session) commands() map[string]command {
	return map[string]command{
		"signalbox.inbox":       s.inboxCommand,
		"signalbox.thread":      s.threadCommand,
		"signalbox.send":        s.sendCommand,
		"signalbox.reply":       s.replyCommand,
		"signalbox.draft":       s.draftCommand,
		"signalbox.submit":      s.submitCommand,
		"signalbox.markRead":    s.markReadCommand,
		"signalbox.markAllRead": s.markAllReadCommand,
		"signalbox.archive":     s.archiveCommand,
		"signalbox.unarchive":   s.unarchiveCommand,
		"signalbox.snooze":      s.snoozeCommand,
		"signalbox.attachment":  s.attachmentCommand,
		"signalbox.status":      s.statusCommand,
		"signalbox.escalations": s.escalationsCommand,
		"signalbox.respond":     s.respondCommand,
		"signalbox.ack":         s.ackCommand,
		"signalbox.tasks":       s.tasksCommand,
		"signalbox.task":        s.taskCommand,
		"signalbox.issues":      s.issuesCommand,
		"signalbox.link":        s.linkCommand,
		"signalbox.references":  s.referencesCommand,
		"signalbox.search":      s.searchCommand,
	}
}

// prepareCommand is workspace/executeCommand. It reads settings and documents in
// order with the notifications that change them.
func (s *session) prepareCommand(params json.RawMessage) (handler, error) {
	p, err := decode[struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}](params)
	if err != nil {
		return nil, err
	}
	run, known := s.commands()[p.Command]
	if !known {
		return nil, badField("command", "there is no command %q", short(p.Command))
	}
	if len(p.Arguments) == 0 {
		p.Arguments = []json.RawMessage{nil}
	}
	if p.Command == submitName {
		if p.Arguments, err = s.documentArgument(p.Arguments); err != nil {
			return nil, err
		}
	}
	if s.opens && s.settings.ShowDocuments {
		run = s.showing(p.Command, run)
	}
	return func(ctx context.Context, _ json.RawMessage) (any, error) { return run(ctx, p.Arguments) }, nil
}

// argument decodes one argument, naming it in errors. null is absent.
func argument[P any](raw json.RawMessage) (P, error) {
	p, err := decode[P](raw)
	if err != nil {
		return p, failf(codeInvalidParams, "arguments: %s", err)
	}
	return p, nil
}

// isString reports whether an argument is a JSON string.
func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// inboxCommand is signalbox.inbox [filter?]. The filter is that of
// signalbox/inbox/list, with its sort, or a text to look for.
func (s *session) inboxCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	var p panel.InboxParams
	var err error
	if isString(args[0]) {
		p.Filter.Text, err = argument[string](args[0])
	} else {
		var a sortedFilter
		a, err = argument[sortedFilter](args[0])
		p.Filter, p.Sort = a.InboxFilter, a.Sort
	}
	if err == nil {
		err = checkInbox(p)
	}
	if err != nil {
		return answered{}, err
	}
	page, err := s.panel.Inbox(ctx, p)
	return answered{inboxText(page), page}, err
}

// sortedFilter is the argument of signalbox.inbox.
type sortedFilter struct {
	panel.InboxFilter
	Sort panel.Sort `json:"sort"`
}

// threadCommand is signalbox.thread [ref, thread name or id].
func (s *session) threadCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	ref, err := s.refArgument(ctx, args[0])
	if err != nil {
		return answered{}, err
	}
	if ref.Protocol == mail.AGN {
		return s.task(ctx, ref) // its messages are no conversation
	}
	page, err := s.panel.Thread(ctx, panel.ThreadParams{Ref: ref})
	return answered{threadText(page), page}, err
}

// statusCommand is signalbox.status.
func (s *session) statusCommand(ctx context.Context, _ []json.RawMessage) (answered, error) {
	status, err := s.panel.Status(ctx)
	return answered{statusText(status), status}, err
}

// markReadCommand is signalbox.markRead [refs, names or ids].
func (s *session) markReadCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	refs, err := s.refArguments(ctx, args)
	if err != nil {
		return answered{}, err
	}
	counts, err := s.panel.SetRead(ctx, panel.ReadParams{Refs: refs, Read: true})
	return answered{countsText(counts), counts}, err
}

// markAllReadCommand is signalbox.markAllRead [filter?], with the filter of
// signalbox.inbox.
func (s *session) markAllReadCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	filter, err := argument[panel.InboxFilter](args[0])
	p := panel.MarkParams{Filter: filter}
	if err == nil {
		err = checkMark(p)
	}
	if err != nil {
		return answered{}, err
	}
	done, err := s.panel.MarkMatching(ctx, p)
	return answered{"Marked " + count(done.Threads, "thread") + " as read. " + countsText(done.Counts), done}, err
}

// refArguments takes refs, names or ids, each an argument of its own or all in one
// array.
func (s *session) refArguments(ctx context.Context, args []json.RawMessage) ([]panel.Ref, error) {
	if len(args) == 1 && len(args[0]) > 0 && args[0][0] == '[' {
		var err error
		if args, err = argument[[]json.RawMessage](args[0]); err != nil {
			return nil, err
		}
	}
	if len(args) > panel.MaxRefs {
		return nil, badField("arguments", "has %d refs, more than %d", len(args), panel.MaxRefs)
	}
	refs := []panel.Ref{}
	for _, a := range args {
		ref, err := s.refArgument(ctx, a)
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// refArgument takes a ref, or looks up a thread name or id.
func (s *session) refArgument(ctx context.Context, raw json.RawMessage) (panel.Ref, error) {
	if !isString(raw) {
		ref, err := argument[panel.Ref](raw)
		if err == nil {
			err = checkRef("arguments", ref)
		}
		return ref, err
	}
	name, err := argument[string](raw)
	if err != nil {
		return panel.Ref{}, err
	}
	return s.named(ctx, name)
}

// named looks up a thread name or a message's id. It gives the message's ref
// rather than its thread's, for a reply.
func (s *session) named(ctx context.Context, name string) (panel.Ref, error) {
	if err := checkText("arguments", name); err != nil {
		return panel.Ref{}, err
	}
	links, err := s.panel.Resolve(ctx, []string{name})
	switch {
	case err != nil:
		return panel.Ref{}, err
	case len(links) == 1 && links[0].Status == "ambiguous":
		return panel.Ref{}, failKind(panel.Ambiguous, "give a ref instead", "%q names several things", short(name))
	case len(links) == 1 && links[0].Message != nil:
		return *links[0].Message, nil
	case len(links) == 1 && links[0].Thread != nil:
		return *links[0].Thread, nil
	}
	return panel.Ref{}, failKind(panel.NotFound, "", "there is no message or thread %q", short(name))
}
