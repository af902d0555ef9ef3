// Package cli holds what all commands share: the global flags, the exit codes, output to a terminal
// or as JSON, questions to the user, and checks of arguments. It does not depend on any command.
package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
	"github.com/spf13/cobra"
)

// Options holds the flags that all commands share.
type Options struct {
	*Program
	Dir, As, Profile, Color string
	JSON                    bool
	// Scripted is set for the drop-in, whose output is read by scripts.
	Scripted bool
	// Version is the release of this program.
	Version string
	// Self returns who reads and writes, for a hook or server of one session, which knows
	// that better than the command line. It is nil elsewhere.
	Self func() who.Who

	me *who.Who // found by the command line
}

// Register adds the flags to the root command.
func (o *Options) Register(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&o.Dir, "dir", "", "message `directory` (AGENT_MESSAGE_DIR)")
	f.StringVar(&o.As, "as", "", "who you are: an alias, the `name` that you read and write under (SIGNALBOX_AS)")
	f.StringVar(&o.Profile, "profile", "", "`form` of new ids: v1, v1-compact or auto (SIGNALBOX_PROFILE)")
	f.BoolVar(&o.JSON, "json", false, "one JSON object a line (SIGNALBOX_JSON=1)")
	f.StringVar(&o.Color, "color", "auto", "`when` to colour: auto, always or never (NO_COLOR)")
	Complete(root, "profile", "auto", "v1", "v1-compact")
	Complete(root, "color", "auto", "always", "never")
	CompleteFlag(root, "as", o.OfferAliases)
	_ = root.MarkPersistentFlagDirname("dir")
}

// Resolve reads the environment for flags that were not given, and refuses invalid values.
func (o *Options) Resolve(cmd *cobra.Command) error {
	if cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd {
		return nil // the shell completes what the user is typing
	}
	if !cmd.Flags().Changed("json") {
		switch v := o.Env.Getenv("SIGNALBOX_JSON"); v {
		case "", "0", "false":
		case "1", "true":
			o.JSON = true
		default:
			return Usage(fmt.Errorf("SIGNALBOX_JSON is %q, and must be 1 or 0", v))
		}
	}
	// An empty value usually comes from a variable that a script forgot to set. It must
	// not send as another alias, or to another directory. Commands whose --as isn't an
	// alias have their own flag.
	if as := cmd.Root().PersistentFlags().Lookup("as"); as.Changed && as.Value.String() == "" {
		return Usage(fmt.Errorf("%w, given by --as", samp.CheckAlias("")))
	}
	if cmd.Flags().Changed("dir") && o.Dir == "" {
		return Usage(errors.New("--dir is empty, and must be a directory"))
	}
	if o.Profile == "" {
		o.Profile = o.Env.Getenv("SIGNALBOX_PROFILE")
	}
	if _, ok := samp.ParseProfile(o.Profile); !ok && o.Profile != "" && o.Profile != "auto" {
		return Usage(fmt.Errorf("unknown profile %q: a profile is v1, v1-compact or auto", o.Profile))
	}
	switch o.Color {
	case "auto", "always", "never":
		return nil
	}
	return Usage(fmt.Errorf("unknown color %q: it is auto, always or never", o.Color))
}

// Who returns who reads and writes: by [Options.Self] if it is set, otherwise by the
// command line and the folder.
func (o *Options) Who() who.Who {
	if o.Self != nil {
		return o.Self()
	}
	if o.me == nil {
		me := o.find()
		o.me = &me
	}
	return *o.me
}

func (o *Options) find() who.Who {
	if o.Scripted {
		return who.Who{Choice: who.Reference(o.Env, environ.Choice{Value: o.As, Origin: "--as"})}
	}
	q := o.Query(who.Calling(o.Env, o.Above))
	q.Note = true
	if q.Caller.Agent {
		q.Folders, q.Strict = who.Projects(o.Env, q.Caller.Client), q.Person != ""
	}
	return who.Find(q)
}

// Query returns the query for who a caller is, with the command line and the person's
// configuration.
func (o *Options) Query(caller who.Caller) who.Query {
	return who.Query{
		Env: o.Env, Given: environ.Choice{Value: o.As, Origin: "--as"}, Person: o.Person(), Mail: o.Locate().Value, Caller: caller,
	}
}

// Agent returns the identity of an agent that starts in the working directory.
func (o *Options) Agent() who.Who {
	q := o.Query(who.Caller{Agent: true})
	q.Strict = true
	return who.Find(q)
}

// Config returns the person's settings for all agents. They are empty if they cannot be
// read, which doctor reports.
func (o *Options) Config() userconfig.Config {
	c, _ := userconfig.At(o.Env.ConfigDir()).Read()
	return c
}

// Person returns the alias of the person, or "" if it is not set.
func (o *Options) Person() string { return o.Config().Person }

// ReadsOthersMail reports whether the person, or an agent whose session has a name, reads
// another alias's mail with --as. Nothing is marked as read then.
func (o *Options) ReadsOthersMail() bool {
	me := o.Who()
	if o.As == "" || o.Scripted || me.Person == "" {
		return false
	}
	if !me.Agent {
		return me.Value != me.Person
	}
	own := who.Calling(o.Env, o.Above).Session
	return own.Alias != "" && me.Value != own.Alias && me.Value != own.Also
}

// Alias returns the alias to read and write as. It is valid.
func (o *Options) Alias() (string, error) {
	me := o.Who()
	if err := me.Check(); err != nil {
		return "", Usage(err)
	}
	return me.Value, nil
}

// ChooseAlias returns the alias to read and write as, and where it came from. It may
// be invalid.
func (o *Options) ChooseAlias() environ.Choice { return o.Who().Choice }

// Locate returns the message directory and where it came from.
func (o *Options) Locate() who.Place { return who.Directory(o.Env, o.Dir, "") }

// Box returns the mail of the alias that reads and writes.
func (o *Options) Box() *box.Box {
	return &box.Box{Env: o.Env, Who: o.Who, Place: o.Locate, Person: o.Person, Profile: o.Profile, Scripted: o.Scripted, Now: o.Now, Run: o.Run}
}

// Open opens the message directory for reading. It returns nil if the directory does
// not exist yet.
func (o *Options) Open() (*box.Dir, error) {
	d, err := o.Box().Open()
	if errors.Is(err, fs.ErrNotExist) {
		where := o.Locate()
		o.Warn("message directory %q (%s) does not exist yet", where.Value, where.Origin)
		return nil, nil
	}
	return d, err
}

// Absolute returns a path relative to the working directory as an absolute path. "" is
// the working directory.
func (o *Options) Absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Env.Work, path)
	}
	return filepath.Clean(path)
}
