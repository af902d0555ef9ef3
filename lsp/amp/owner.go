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

// Owned is the user's own mailbox: the one whose key signs what they send, and
// whose marks are theirs.
type Owned struct {
	Mailbox *Mailbox // nil where there is none
	Origin  string   // says in words where the choice came from
	// Why says why there is none and what to do, or why nothing can be sent from
	// the one there is; it may quote a stranger. It is empty where all is well.
	Why string
}

// Has reports whether a mailbox is the user's.
func (o *Owned) Has(m *Mailbox) bool { return o.Mailbox != nil && m == o.Mailbox }

// Addressed reports whether an address, as a message has it, is the user's.
func (o *Owned) Addressed(s string) bool {
	return o.Mailbox != nil && slices.ContainsFunc(o.Mailbox.Addresses, func(a amp.Address) bool { return strings.EqualFold(a.String(), s) })
}

// Holds reports whether a file lies in a box of the user's.
func (o *Owned) Holds(m *Message, box string) bool { return m.Box == box && o.Has(m.Mailbox) }

// File returns the file of a message in a box of the user's, or nil.
func (o *Owned) File(at *Placed, box string) *Message {
	for _, m := range at.Files() {
		if o.Holds(m, box) {
			return m
		}
	}
	return nil
}

// Shown returns the file of a message that is shown: the one that the user received,
// else the one that they sent, else the one that stands for the message.
func (o *Owned) Shown(at *Placed) *Message {
	for _, box := range []string{Inbox, Sent} {
		if m := o.File(at, box); m != nil {
			return m
		}
	}
	return at.Message
}

// Own chooses the user's own mailbox: the one that given names (a flag's or
// setting's name or address), else the folder AMP_DIR, else the one of the agent
// CLAUDE_AGENT_ID or CLAUDE_AGENT_NAME, else the one whose name is the alias that the user gave
// ([environ.GivenAlias]). Whatever comes first decides, also where it names a mailbox
// that is not there: mail is never read or signed as somebody else by accident. A
// folder that somebody else made has no say: neither its .agent-message nor its name.
func Own(s *Snapshot, env environ.Env, given environ.Choice, alias string) Owned {
	if given.Value != "" {
		return s.owned(s.Mailbox(given.Value), given.Origin, given.Value)
	}
	if dir := env.Getenv("AMP_DIR"); dir != "" {
		return s.owned(s.at(env.Expand(dir)), "AMP_DIR", dir)
	}
	for _, variable := range AgentVariables() {
		if name := env.Getenv(variable); name != "" {
			return s.owned(s.Mailbox(name), variable, name)
		}
	}
	if alias == "" {
		return Owned{Why: "no mailbox is chosen (.agent-message and the folder's name choose none): set SIGNALBOX_AS, or signalbox.amp.identity in the editor"}
	}
	return s.owned(s.Mailbox(alias), "alias", alias)
}

// AgentVariables are the variables by which a program tells its agent which mailbox is its
// own, the first before the second: an id is the name of the mailbox's folder.
func AgentVariables() []string { return []string{"CLAUDE_AGENT_ID", "CLAUDE_AGENT_NAME"} }

// owned words what can be done with the mailbox that was chosen.
func (s *Snapshot) owned(m *Mailbox, origin, name string) Owned {
	o := Owned{Mailbox: m, Origin: origin}
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

// initName is the name in the advice. For an address it is the part before the "@".
// For what cannot be a name it is a placeholder.
func initName(name string) string {
	name, _, _ = strings.Cut(filepath.Base(name), "@")
	if _, ok := amp.ParseAddress(name + "@default.aimaestro.local"); !ok {
		return "NAME"
	}
	return name
}

func (s *Snapshot) at(path string) *Mailbox {
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

// agentsName is the folder of a root that holds a mailbox in each of its folders.
const agentsName = "agents"

// Locate chooses the root: the flag --amp, else AMP_DIR, else the setting
// signalbox.amp.directory, else .agent-messaging in the home directory. AMP_DIR
// names one agent's folder; its root is the folder above agents where it lies in
// one, so that the other mailboxes are seen too. The root need not exist.
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
