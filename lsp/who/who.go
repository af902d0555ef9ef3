// Package who finds out who reads and writes: under which name, in which message
// directory, and whether it is the person or an agent, and why. Commands, hooks, tools and
// the server ask it.
//
// Start with [Find], and with [Directory] for the message directory. [Calling] finds out
// who calls. A name belongs to one work tree in one message directory, as recorded in the
// state folder. Git's files are read, and no process is started.
package who

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Query is what [Find] needs to find out who somebody is.
type Query struct {
	Env environ.Env
	// Given is the name from a flag or setting, and its origin.
	Given environ.Choice
	// Person is the person's name in the user's configuration, or "".
	Person string
	// Mail is the message directory in which no one else may have the name.
	Mail string
	// Caller is who calls. The zero value is the person.
	Caller Caller
	// Folders are the folders of a session, as its client reports them, likeliest first. If
	// none of them is a project, Env.Work counts.
	Folders []string
	// Strict is set for agents: outside all work trees they have no name. A person gets the
	// folder's name there, as in the reference.
	Strict bool
	// Untrusted is set if no file in a folder may decide the name.
	Untrusted bool
	// Note makes [Find] record the name of a work tree.
	Note bool
}

// Who is somebody who reads and writes.
type Who struct {
	// Choice is the name, and where it came from. A given name may be an invalid alias.
	environ.Choice
	// Agent is set if an agent calls, and Why is the evidence. Otherwise the caller is the
	// person, or a program of theirs.
	Agent bool
	Why   string
	// Person is the person's name, or "".
	Person string
	// Given is set if a flag, a setting or a variable gave the name.
	Given bool
	// Session is set if the agent's session had the name already.
	Session bool
	// Also is a second name whose mail is read, or "". By the reference's rule the work tree
	// would have it, and no other work tree has it.
	Also string
	// Plain is the name by the reference's rule, if it differs.
	Plain string
	// Tree is the work tree that gave the name, or "".
	Tree string
	// TakenBy is the other work tree that has the plain name, or "".
	TakenBy string
	// Err is why the name is unknown, and what to do. Then nothing is read or sent.
	Err error
}

// Is reports whether a name is the person's.
func (w *Who) Is(name string) bool { return w.Person != "" && strings.EqualFold(name, w.Person) }

// Names returns the names whose mail is read.
func (w *Who) Names() []string {
	if w.Also == "" {
		return []string{w.Value}
	}
	return []string{w.Value, w.Also}
}

// Check returns why nothing can be read or sent, or nil if it can.
func (w *Who) Check() error {
	if w.Err != nil {
		return w.Err
	}
	if !samp.ValidAlias(w.Value) {
		return fmt.Errorf("%w, given by %s", samp.CheckAlias(w.Value), w.Origin)
	}
	return nil
}

// Remark returns a sentence if other tools give the work tree another name, or "".
func (w *Who) Remark() string {
	switch {
	case w.TakenBy != "":
		return fmt.Sprintf("another work tree, %q, already has the name %s, so that this one is %s; \"signalbox setup CLIENT --as NAME\" gives another name", w.TakenBy, w.Plain, w.Value)
	case w.Also != "":
		return fmt.Sprintf("this work tree is %s, after its repository; mail to %s, its folder's name, is read as its own, too", w.Value, w.Also)
	}
	return ""
}

// Find finds out who somebody is. The first name that exists wins: the given name,
// SIGNALBOX_AS, the person's name if no agent calls, the name of the agent's session, the
// name of the work tree.
func Find(q Query) Who {
	w := Who{Agent: q.Caller.Agent, Why: q.Caller.Why, Person: q.Person}
	if given := environ.GivenAlias(q.Env, q.Given.Value, q.Given.Origin); given.Value != "" {
		w.Choice, w.Given = given, true
		return w
	}
	if !q.Caller.Agent && q.Person != "" {
		w.Choice = environ.Choice{Value: q.Person, Origin: "your configuration"}
		return w
	}
	if s := &q.Caller.Session; samp.ValidAlias(s.Alias) && (s.Mail == "" || s.Mail == Real(q.Mail)) && !w.Is(s.Alias) {
		w.Choice = environ.Choice{Value: s.Alias, Origin: "the session's name"}
		w.Also, w.Tree, w.Session = s.Also, s.Project, true
		return w
	}
	q.byFolder(&w)
	return w
}

// Reference returns the name by the published tool's rule (rule D1): a given name, or a name
// from the working directory alone.
func Reference(env environ.Env, given environ.Choice) environ.Choice {
	if c := environ.GivenAlias(env, given.Value, given.Origin); c.Value != "" {
		return c
	}
	f := folder{path: env.Work}
	if f.plain, _ = readAlias(env.Work); f.plain != "" {
		f.file = env.Work
	} else if name := filepath.Base(env.Work); samp.ValidAlias(name) {
		f.plain = name
	}
	return f.choice()
}

// Noted returns the recorded name of the work tree with the working directory, or "". It
// records nothing.
func Noted(env environ.Env, mail string) string {
	f := look(env.Work, true)
	if f.root == "" {
		return ""
	}
	n := openNote(env.StateDir(), mail)
	_ = n.file.Look() // an unreadable note counts as empty
	e, _ := n.find(&f, Real(f.root))
	return e.Name
}

// byFolder sets the name by the first folder that is a project.
func (q *Query) byFolder(w *Who) {
	for _, path := range append(q.Folders[:len(q.Folders):len(q.Folders)], q.Env.Work) {
		if q.isPlugin(path) {
			continue
		}
		f := look(path, !q.Untrusted)
		switch {
		case f.err != nil:
			w.Err = f.err
			return
		case f.root != "" && !q.isHome(f.root) || f.file != "":
			q.byTree(w, &f)
			return
		case !q.Strict && path == q.Env.Work:
			w.Choice = f.choice()
			q.refusePerson(w)
			return
		}
	}
	w.Err = unknown(cmp.Or(append(q.Folders, q.Env.Work)...))
}

// isHome reports whether a folder is the user's home or the root of the disk. These aren't
// projects even if they are in git.
func (q *Query) isHome(path string) bool {
	return q.Strict && (path == filepath.Dir(path) || q.Env.Home != "" && sameTree(Real(path), Real(q.Env.Home)))
}

// isPlugin reports whether a folder is in the plugin that started this program. Clients of
// Agent Plugins start its servers there, whatever project is open.
func (q *Query) isPlugin(path string) bool {
	root := q.Env.Getenv("PLUGIN_ROOT")
	if !q.Strict || !filepath.IsAbs(root) {
		return false
	}
	below, err := filepath.Rel(Real(root), Real(path))
	return err == nil && filepath.IsLocal(below)
}

// byTree sets the name by a work tree, or by a file that contains a name.
func (q *Query) byTree(w *Who, f *folder) {
	w.Choice = f.choice()
	if q.refusePerson(w); w.Err != nil || f.root == "" || q.isHome(f.root) || q.Untrusted {
		return
	}
	n := openNote(q.Env.StateDir(), q.Mail)
	e, ok := n.name(f, q.Person, q.Note)
	if !ok {
		return
	}
	w.Tree = e.Tree
	if e.Name == w.Value {
		return
	}
	w.Choice = environ.Choice{Value: e.Name, Origin: "the name of this work tree"}
	w.Plain = f.plain
	if e.Also {
		w.Also = e.Plain
	} else if other, held := n.holder(f.plain, e.Tree); held {
		w.TakenBy = other.Tree
	}
}

// refusePerson sets an error if an agent would have the person's name: it would read the
// person's mail.
func (q *Query) refusePerson(w *Who) {
	if w.Is(w.Value) && q.Caller.Agent {
		w.Err = fmt.Errorf("the agent here would be %s (%s), who is the person: give it a name with SIGNALBOX_AS, --as or a line in .agent-message", w.Value, w.Origin)
	}
}

// unknown returns the error that no one can know which agent this is, and what to do.
func unknown(path string) error {
	return fmt.Errorf("it is not known which agent this is: %q lies in no git work tree. Open a project (an MCP client names it by roots), or give a name with --as, SIGNALBOX_AS or a line in .agent-message", path)
}
