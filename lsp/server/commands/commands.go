// Package commands holds the commands of workspace/executeCommand. They do the same as the
// custom requests, for clients that cannot send those. Start with [New]. An answer has
// Markdown and the result of the custom request.
package commands

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// Answer is the result of a command. Text is Markdown for a client that can only show
// text. Data is the result of the custom request.
type Answer struct {
	Text string `json:"text"`
	Data any    `json:"data"`
}

// Run runs a command. args has at least one element. Missing arguments are nil.
type Run func(ctx context.Context, args []json.RawMessage) (Answer, error)

// Command is a command and how its answer is shown to a user.
type Command struct {
	Run Run
	// Document is the name of the document in which the answer is shown. It is empty for
	// an answer that is shown as a message.
	Document string
}

// Panel answers the commands. Each file lists the methods that its commands need. Methods
// may be called concurrently. Errors that a client can distinguish are a *[panel.Error].
type Panel interface {
	threads
	attachments
	links
	messages
	searcher
	sender
	tasks
}

// Set holds the commands of a connection.
type Set struct {
	panel    Panel
	token    func() string // returns a new client token, for a command without one
	encoding documents.Encoding
	byName   map[string]*Command
}

// New returns the commands of a panel, for a client that counts columns in an encoding.
func New(p Panel, token func() string, enc documents.Encoding) *Set {
	c := &Set{panel: p, token: token, encoding: enc, byName: map[string]*Command{}}
	for _, list := range []map[string]*Command{
		c.threadCommands(), c.attachmentCommands(), c.linkCommands(), c.searchCommands(), c.sendCommands(), c.draftCommands(), c.taskCommands(),
	} {
		maps.Copy(c.byName, list)
	}
	return c
}

// Find returns the command with a name, or nil.
func (c *Set) Find(name string) *Command { return c.byName[name] }

// Names returns the sorted names of the commands.
func (c *Set) Names() []string { return slices.Sorted(maps.Keys(c.byName)) }

// show returns a command that calls the panel and answers with a text. Its argument has the
// params of a custom request. If member is not nil, it may be a string, the value of that member.
func show[P, R any](member func(*P) *string, run func(context.Context, P) (R, error), text func(P, R) string) Run {
	return func(ctx context.Context, args []json.RawMessage) (Answer, error) {
		var p P
		var err error
		if member != nil && isString(args[0]) {
			*member(&p), err = Argument[string](args[0])
		} else {
			p, err = Argument[P](args[0])
		}
		if err == nil {
			err = limits.Params("", p)
		}
		if err != nil {
			return Answer{}, err
		}
		r, err := run(ctx, p)
		return Answer{text(p, r), r}, err
	}
}

// showRef returns a command about the thread or message in its argument.
func (c *Set) showRef(run func(context.Context, panel.Ref) (Answer, error)) Run {
	return func(ctx context.Context, args []json.RawMessage) (Answer, error) {
		ref, err := c.refArgument(ctx, args[0])
		if err != nil {
			return Answer{}, err
		}
		return run(ctx, ref)
	}
}

// mark returns a command about all threads and messages in its arguments. It answers with the
// remaining counts.
func (c *Set) mark(run func(context.Context, []panel.Ref) (panel.Counts, error)) Run {
	return func(ctx context.Context, args []json.RawMessage) (Answer, error) {
		refs, err := c.refArguments(ctx, args)
		if err != nil {
			return Answer{}, err
		}
		counts, err := run(ctx, refs)
		return Answer{countsText(counts), counts}, err
	}
}

// Argument decodes one argument. Its errors begin with "arguments". null is a missing argument.
func Argument[P any](raw json.RawMessage) (P, error) {
	p, err := codec.Decode[P](raw)
	if err != nil {
		return p, codec.Errorf(codec.CodeInvalidParams, "arguments: %s", err)
	}
	return p, nil
}

// messages has the methods that look up arguments.
type messages interface {
	// Resolve looks up tokens. It returns one link for each, in their order.
	Resolve(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error)
	// ReplyTarget returns the newest message to the user from an alias, or from anyone if
	// from is empty. If there is none, the error is of kind NotFound.
	ReplyTarget(ctx context.Context, from string) (panel.Ref, error)
}

// isString reports whether an argument is a JSON string.
func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// refArguments returns the refs of arguments that are refs, names or ids. They are
// separate arguments or one array.
func (c *Set) refArguments(ctx context.Context, args []json.RawMessage) ([]panel.Ref, error) {
	if len(args) == 1 && len(args[0]) > 0 && args[0][0] == '[' {
		var err error
		if args, err = Argument[[]json.RawMessage](args[0]); err != nil {
			return nil, err
		}
	}
	if len(args) > panel.MaxRefs {
		return nil, codec.BadField("arguments", "has %d refs, more than %d", len(args), panel.MaxRefs)
	}
	refs := []panel.Ref{}
	for _, a := range args {
		ref, err := c.refArgument(ctx, a)
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// refArgument returns the ref in an argument, or looks up its thread name or id.
func (c *Set) refArgument(ctx context.Context, raw json.RawMessage) (panel.Ref, error) {
	if !isString(raw) {
		ref, err := Argument[panel.Ref](raw)
		if err == nil {
			err = limits.Params("arguments", ref)
		}
		return ref, err
	}
	name, err := Argument[string](raw)
	if err != nil {
		return panel.Ref{}, err
	}
	return c.named(ctx, name)
}

// named looks up a thread name or a message's id. For an id it returns the message's
// ref, not its thread's, so that a reply is to the message.
func (c *Set) named(ctx context.Context, name string) (panel.Ref, error) {
	if err := limits.Params("arguments", name); err != nil {
		return panel.Ref{}, err
	}
	links, err := c.panel.Resolve(ctx, []string{name})
	switch {
	case err != nil:
		return panel.Ref{}, err
	case len(links) == 1 && links[0].Status == "ambiguous":
		return panel.Ref{}, codec.KindError(panel.Ambiguous, "give a ref instead", "%q names several things", codec.Short(name))
	case len(links) == 1 && links[0].Message != nil:
		return *links[0].Message, nil
	case len(links) == 1 && links[0].Thread != nil:
		return *links[0].Thread, nil
	}
	return panel.Ref{}, codec.KindError(panel.NotFound, "", "there is no message or thread %q", codec.Short(name))
}
