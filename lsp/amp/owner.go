package amp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// OwnMailbox is the user's own mailbox. Its key signs what they send, and they mark its
// messages.
type OwnMailbox struct {
	Mailbox *Mailbox // nil if there is none
	Origin  string   // where the choice came from, in words
	// Why explains why there is no mailbox, or why it cannot send, and what to do. It is empty
	// if all is well. It may quote a stranger.
	Why string
}

// Has reports whether a mailbox is the user's.
func (o *OwnMailbox) Has(m *Mailbox) bool { return o.Mailbox != nil && m == o.Mailbox }

// Addressed reports whether an address in a message is the user's.
func (o *OwnMailbox) Addressed(s string) bool {
	return o.Mailbox != nil && slices.ContainsFunc(o.Mailbox.Addresses, func(a amp.Address) bool { return strings.EqualFold(a.String(), s) })
}

// Holds reports whether a message's file is in a box of the user's mailbox.
func (o *OwnMailbox) Holds(m *Message, box string) bool { return m.Box == box && o.Has(m.Mailbox) }

// File returns the file of a message in a box of the user's mailbox, or nil.
func (o *OwnMailbox) File(at *Placed, box string) *Message {
	for _, m := range at.Files() {
		if o.Holds(m, box) {
			return m
		}
	}
	return nil
}

// Shown returns the file that is shown for a message, the first that exists of the file that
// the user received, the file that they sent, and [Placed.Message].
func (o *OwnMailbox) Shown(at *Placed) *Message {
	for _, box := range []string{Inbox, Sent} {
		if m := o.File(at, box); m != nil {
			return m
		}
	}
	return at.Message
}

// ChooseOwn returns the user's own mailbox. The first that is set decides:
//
//  1. given, the name or address in a flag or setting
//  2. AMP_DIR, a folder
//  3. CLAUDE_AGENT_ID or CLAUDE_AGENT_NAME
//  4. alias, which the user gave ([environ.GivenAlias])
//
// It decides even if its mailbox does not exist, so that mail is never read or signed as
// somebody else by accident. The .agent-message and the name of a folder do not count, since
// somebody else may have made the folder.
func ChooseOwn(s *Snapshot, env environ.Env, given environ.Choice, alias string) OwnMailbox {
	if given.Value != "" {
		return s.own(s.Mailbox(given.Value), given.Origin, given.Value)
	}
	if dir := env.Getenv("AMP_DIR"); dir != "" {
		return s.own(s.mailboxAt(env.Expand(dir)), "AMP_DIR", dir)
	}
	for _, variable := range AgentVariables() {
		if name := env.Getenv(variable); name != "" {
			return s.own(s.Mailbox(name), variable, name)
		}
	}
	if alias == "" {
		return OwnMailbox{Why: "no mailbox is chosen (.agent-message and the folder's name choose none): set SIGNALBOX_AS, or signalbox.amp.identity in the editor"}
	}
	return s.own(s.Mailbox(alias), "alias", alias)
}

// AgentVariables returns the variables in which a program names its agent's mailbox. The first
// that is set wins. An id is the name of the mailbox's folder.
func AgentVariables() []string { return []string{"CLAUDE_AGENT_ID", "CLAUDE_AGENT_NAME"} }

// own returns the chosen mailbox, with the reason if it does not exist or cannot send.
func (s *Snapshot) own(m *Mailbox, origin, name string) OwnMailbox {
	o := OwnMailbox{Mailbox: m, Origin: origin}
	several := s.Called(name)
	switch {
	case m == nil && len(several) > 1:
		o.Why = fmt.Sprintf("several mailboxes here are called %s (%s): %q; give each a name and an address of its own, or name one by its folder", name, origin, several)
	case m == nil:
		o.Why = "no mailbox here belongs to " + name + " (" + origin + "); \"signalbox amp init --name " + initName(name) + "\" makes one"
	case len(m.Addresses) == 0:
		o.Why = "the mailbox of " + m.Name + " has no address in its config.json"
	case !m.Signs:
		o.Why = "the mailbox of " + m.Name + " has no private key to sign with"
	}
	return o
}

// initName returns the name in the advice: the part of an address before the "@", or a
// placeholder if that cannot be a name.
func initName(name string) string {
	name, _, _ = strings.Cut(filepath.Base(name), "@")
	if _, ok := amp.ParseAddress(name + "@default.aimaestro.local"); !ok {
		return "NAME"
	}
	return name
}

func (s *Snapshot) mailboxAt(path string) *Mailbox {
	want, err := os.Stat(path)
	for _, m := range s.Mailboxes {
		if m.Path == path {
			return m
		}
		if have, e := os.Stat(m.Path); err == nil && e == nil && os.SameFile(want, have) {
			return m
		}
	}
	return nil
}

// agentsName is the folder of a root whose subfolders are mailboxes.
const agentsName = "agents"

// Locate returns the root, which need not exist. The first that is set wins: the flag --amp,
// AMP_DIR, the setting signalbox.amp.directory, .agent-messaging in the home directory. AMP_DIR
// names one agent's folder. If that is in a folder agents, the root is the folder above agents,
// so that the other mailboxes are found.
func Locate(env environ.Env, flag, setting string) environ.Choice {
	if flag != "" {
		return environ.Choice{Value: env.Expand(flag), Origin: "--amp"}
	}
	if dir := env.Getenv("AMP_DIR"); dir != "" {
		return environ.Choice{Value: rootOf(env.Expand(dir)), Origin: "AMP_DIR"}
	}
	if setting != "" {
		return environ.Choice{Value: env.Expand(setting), Origin: "setting signalbox.amp.directory"}
	}
	return environ.Choice{Value: filepath.Join(env.Home, ".agent-messaging"), Origin: "default ($HOME/.agent-messaging)"}
}

func rootOf(box string) string {
	if above := filepath.Dir(box); filepath.Base(above) == agentsName {
		return filepath.Dir(above)
	}
	return box
}
