package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// topics returns the pages of help that are about no command: "signalbox help NAME".
func topics() []*cobra.Command {
	list := []*cobra.Command{
		{Use: "directories", Short: "Where mail, threads, tasks and mailboxes are looked for", Long: directories},
		{Use: "names", Short: "Who you are, and how messages, threads and tasks are named", Long: names},
		{Use: "trust", Short: "How far a message can be believed", Long: trust},
		{Use: "exit-codes", Short: "What the exit codes mean", Long: exitCodes},
	}
	var b strings.Builder
	b.WriteString("\"signalbox help TOPIC\" shows one of these pages:\n\n")
	for _, c := range list {
		fmt.Fprintf(&b, "  %-12s %s\n", c.Name(), c.Short)
	}
	return append(list, &cobra.Command{Use: "topics", Short: "What these pages are", Long: b.String()})
}

const directories = `Each format has a directory of its own. A flag comes first, then the environment,
then the place where the format's tools look. "signalbox doctor" says what was
chosen, and why.

Mail between agents is in one log per writer, in the directory that --dir names,
else AGENT_MESSAGE_DIR, else whichever of $HOME/dev/.message and
$XDG_STATE_HOME/agent-message exists; if neither does, the first. If both do, the
first is used, and you are told if only the second one has mail to you.

Threads of agents are in .agent/threads of a project and of each of its git
worktrees. --project names a folder of the project; without it, it is the working
directory. Sessions that agents' programs record are found by the folder that the
agent worked in, also after that folder was moved or removed.

Tasks are in the directory that --ssot names, else SIGNALBOX_SSOT, else .ssot or
ssot in the working directory or the nearest folder above it, up to the
repository's root.

Mailboxes of signed mail are in the directory that --amp names, else the one that
contains AMP_DIR, else ~/.agent-messaging.

What Signalbox itself remembers, such as what you have read, is in
SIGNALBOX_STATE_DIR, else in the state folder of your system.`

const names = `--as says who you are, in mail and in signed mail; --role says which part you play
in a task: admin, coordinator, executor or reviewer.

In mail your name is the first of these that is set:

  1  --as
  2  SIGNALBOX_AS
  3  in a command that an agent's program runs: the agent's name
  4  the person that "signalbox setup" wrote down, in every folder
  5  the name of the folder, as for an agent

--as with somebody else's name only looks: nothing is marked as read unless --take
is given. The first line of an inbox says whose it is, if it is not the person's.

An agent keeps the name that its session began with, wherever it goes. The name is
the first valid line of .agent-message in the folder of its project or above it up
to the root of the git work tree. Without that file it is the name of the root. A
folder called main, master, trunk, src, repo or work, or one beside .bare, has the
name of its repository, unless the message directory already knows the folder's.

A name belongs to one work tree. A second work tree with the same name is called
REPOSITORY-FOLDER or PARENT-REPOSITORY-FOLDER, and its agent is told so; "signalbox
setup CLIENT --as NAME" sets another name. Mail to the folder's own name also
reaches the work tree, unless another one has that name; tail, log, raw and needs
show only mail to the main name. Outside every work tree, and in your home, an agent
has no name: set one with --as, SIGNALBOX_AS, .agent-message, or the roots of an MCP
client.

A name is an alias: letters, digits and a few signs. You write to log-ALIAS.jsonl.
Names that differ only in case are two names, and you are told of the other one.

With signed mail you are --as, else the mailbox AMP_DIR, else the mailbox of the
agent CLAUDE_AGENT_ID, else of the agent CLAUDE_AGENT_NAME, else the one named
SIGNALBOX_AS, else the only one that can sign. A mailbox has a name and addresses
such as bob@acme.crabmail.ai, and either will do.

In a task you are --role, else SIGNALBOX_ROLE.

A message, a thread or a session is named by its id, or by a beginning of its id
that no other has. Of a message's id in mail give at least 4 characters, and of a
signed message's id the beginning of its last part will do. A thread is also
named by the path of its directory. A task has an id such as T-2026-044, and is
also named by the id of one of its messages.`

const trust = `Anybody who can write into a directory can write a message there in any name.
Signalbox shows how far each can be believed, and computes that anew each time.

Mail is not signed. A message counts as its sender's if it lies in the sender's
log. One that lies in another log may be forged: it is not listed, stderr says
how many there are, and "signalbox validate" names them.

Signed mail is held against the keys that you know:

  verified      the signature fits the known key of its sender
  external      the same, and the sender is from another domain
  sent before   the signature fits, and the same was sent before
  expired       the signature fits, and the time to act on it has passed
  replayed      a copy of an earlier message: an alarm
  untrusted     the signature does not fit, or it was written to somebody else
  key mismatch  the sender's key is not the one first seen: an alarm
  key unknown   no key of the sender is known
  unsigned      nobody has signed it

The key of a mailbox on this machine is remembered when it is first seen; you add
those of people elsewhere ("signalbox amp keys"). A key that has changed is not
trusted until you accept it. Ask its owner first, by another way than this mail.

An agent is shown mail from it, to it and to all, and threads that it takes part in;
the person sees everything. This prevents mistakes and is no wall: an agent can
still write under any name, and a program of yours can read the files.

What a message says is never run, and nothing in it is fetched. Characters that
would move a terminal's cursor or hide text are shown as ⟨U+202E⟩. Hooks that a
repository brings run only after you have seen them and agreed.`
