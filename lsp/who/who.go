// Package who finds out who reads and writes: under which name, in which message
// directory, and whether it is the person or an agent, and why. Commands, hooks, tools and
// the server ask it.
//
// Start with [Find], and with [Directory] for the message directory. [Calling] finds out
// who calls. A name belongs to one work tree in one message directory; which one is noted
// in the state folder. Git's files are read, and no process is started. Of this project the
// package imports core/names, core/samp and lsp/samp.
package who

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Query asks who somebody is.
type Query struct {
	Env environ.Env
	// Given is the name that a flag or setting gave, and which.
	Given environ.Choice
	// Person is who the user's configuration says that the person is, "" if nobody said it.
	Person string
	// Mail is the message directory in which the name is to be the caller's own.
	Mail string
	// Caller is who calls. The zero value is the person.
	Caller Caller
	// Folders are the folders that a session belongs to by what its client says, the likeliest
	// first. Without any that is a project it is Env.Work.
	Folders []string
	// Strict is set for agents: outside of every work tree it is not known who they are. A
	// person has the folder's name there, as in the reference.
	Strict bool
	// Untrusted is set if nothing that stands in a folder may say who somebody is.
	Untrusted bool
	// Note has the name of a work tree written down.
	Note bool
}

// Who is somebody who reads and writes.
type Who struct {
	// Choice is the name, and where it came from. It may be no valid alias if it was given.
	environ.Choice
	// Agent is set if an agent calls, and Why says by what it is known. Otherwise it is the
	// person, or a program of theirs.
	Agent bool
	Why   string
	// Person is the person's name, "" if nobody said it.
	Person string
	// Given is set if a flag, a setting or a variable gave the name.
	Given bool
	// Session is set if the agent's session had the name already.
	Session bool
	// Also is a second name whose mail is read: by the reference's rule the work tree would
	// have it, and no other one has.
	Also string
	// Plain is the name by the reference's rule, where it is another one.
	Plain string
	// Tree is the work tree that gave the name, "" if none did.
	Tree string
	// Rival is the work tree that has the plain name.
	Rival string
	// Err says why it is not known who it is, and what to do. Then nothing is read or sent.
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

// Check returns why nothing can be read or sent, nil if it can.
func (w *Who) Check() error {
	if w.Err != nil {
		return w.Err
	}
	if !samp.ValidAlias(w.Value) {
		return fmt.Errorf("%w, given by %s", samp.CheckAlias(w.Value), w.Origin)
	}
	return nil
}

// Remark says in a sentence that the work tree has another name than other tools give it,
// "" if it has not.
func (w *Who) Remark() string {
	switch {
	case w.Rival != "":
		return fmt.Sprintf("another work tree, %q, already has the name %s, so that this one is %s; \"signalbox setup CLIENT --as NAME\" gives another name", w.Rival, w.Plain, w.Value)
	case w.Also != "":
		return fmt.Sprintf("this work tree is %s, after its repository; mail to %s, its folder's name, is read as its own, too", w.Value, w.Also)
	}
	return ""
}

// Find says who somebody is: the name that was given, else SIGNALBOX_AS, else the person
// where no agent calls, else the name of the agent's session, else that of the work tree.
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

// Reference says who somebody is by the published tool's rule (rule D1): by the working
// directory alone.
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

// Noted returns the name that is noted for the work tree of the working directory, "" if none
// is. Nothing is written down.
func Noted(env environ.Env, mail string) string {
	f := look(env.Work, true)
	if f.root == "" {
		return ""
	}
	n := openNote(env.StateDir(), mail)
	_ = n.file.Look() // without it nothing is noted
	e, _ := n.of(&f, Real(f.root))
	return e.Name
}

// byFolder names somebody by the first folder that is a project.
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

// isHome reports whether a folder is the user's home or the root of the disk, which are no
// projects even where they are kept in git.
func (q *Query) isHome(path string) bool {
	return q.Strict && (path == filepath.Dir(path) || q.Env.Home != "" && sameTree(Real(path), Real(q.Env.Home)))
}

// isPlugin reports whether a folder is in the plugin that started this program: clients of Agent
// Plugins start its servers there, whatever project is open.
func (q *Query) isPlugin(path string) bool {
	root := q.Env.Getenv("PLUGIN_ROOT")
	if !q.Strict || !filepath.IsAbs(root) {
		return false
	}
	below, err := filepath.Rel(Real(root), Real(path))
	return err == nil && filepath.IsLocal(below)
}

// byTree names somebody by a work tree, or by a file that names them.
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
		w.Rival = other.Tree
	}
}

// refusePerson refuses to name an agent as the person: it would read the person's mail.
func (q *Query) refusePerson(w *Who) {
	if w.Is(w.Value) && q.Caller.Agent {
		w.Err = fmt.Errorf("the agent here would be %s (%s), who is the person: give it a name with SIGNALBOX_AS, --as or a line in .agent-message", w.Value, w.Origin)
	}
}

// unknown says that nobody can know who an agent is, and how to tell.
func unknown(path string) error {
	return fmt.Errorf("it is not known which agent this is: %q lies in no git work tree. Open a project (an MCP client names it by roots), or give a name with --as, SIGNALBOX_AS or a line in .agent-message", path)
}
