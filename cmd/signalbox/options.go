package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/spf13/cobra"
)

// options are the flags that all commands share, as they were given.
type options struct {
	*program
	dir, as, profile, color string
	json                    bool
	// scripted is the drop-in: scripts read the output.
	scripted bool
}

func (o *options) register(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&o.dir, "dir", "", "message `directory` (AGENT_MESSAGE_DIR)")
	f.StringVar(&o.as, "as", "", "read and write as this `alias` (SIGNALBOX_AS)")
	f.StringVar(&o.profile, "profile", "", "form of new ids: v1, v1-compact or auto (SIGNALBOX_PROFILE)")
	f.BoolVar(&o.json, "json", false, "one JSON object a line (SIGNALBOX_JSON=1)")
	f.StringVar(&o.color, "color", "auto", "auto, always or never (NO_COLOR)")
	_ = root.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions([]string{"auto", "v1", "v1-compact"}, cobra.ShellCompDirectiveNoFileComp))
	_ = root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	_ = root.RegisterFlagCompletionFunc("as", o.completeAliases)
	_ = root.MarkPersistentFlagDirname("dir")
}

// resolve reads the environment where a flag was not given, and refuses values
// that no command could use.
func (o *options) resolve(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("json") {
		switch v := o.env.Getenv("SIGNALBOX_JSON"); v {
		case "", "0", "false":
		case "1", "true":
			o.json = true
		default:
			return usage(fmt.Errorf("SIGNALBOX_JSON is %q, and must be 1 or 0", v))
		}
	}
	// An empty value is that of a variable which a script forgot to set: it
	// must not send as somebody else, or to another place.
	// Commands that read another --as than an alias have a flag of their own.
	if as := cmd.Root().PersistentFlags().Lookup("as"); as.Changed && as.Value.String() == "" {
		return usage(fmt.Errorf("%w, given by --as", samp.CheckAlias("")))
	}
	if cmd.Flags().Changed("dir") && o.dir == "" {
		return usage(errors.New("--dir is empty, and must be a directory"))
	}
	if o.profile == "" {
		o.profile = o.env.Getenv("SIGNALBOX_PROFILE")
	}
	if _, ok := samp.ParseProfile(o.profile); !ok && o.profile != "" && o.profile != "auto" {
		return usage(fmt.Errorf("unknown profile %q: a profile is v1, v1-compact or auto", o.profile))
	}
	switch o.color {
	case "auto", "always", "never":
		return nil
	}
	return usage(fmt.Errorf("unknown color %q: it is auto, always or never", o.color))
}

// alias is whom to read and write as. It is valid.
func (o *options) alias() (string, error) {
	choice := o.chooseAlias()
	if samp.ValidAlias(choice.Value) {
		return choice.Value, nil
	}
	return "", usage(fmt.Errorf("%w, given by %s", samp.CheckAlias(choice.Value), choice.Origin))
}

func (o *options) chooseAlias() store.Choice { return store.FindAlias(o.env, o.as, "--as", true) }

func (o *options) locate() (store.Choice, string) { return store.Locate(o.env, o.dir, "") }

// open opens the message directory for reading. A directory that does not
// exist yet gives nil: it holds no mail.
func (o *options) open() (*store.Dir, error) {
	where, note := o.locate()
	if note != "" {
		o.warn("%s", note)
	}
	d, err := store.Open(where.Value)
	if errors.Is(err, fs.ErrNotExist) {
		o.warn("message directory %q (%s) does not exist yet", where.Value, where.Origin)
		return nil, nil
	}
	return d, err
}

// openExisting is open for commands that make no sense without a directory.
func (o *options) openExisting() (*store.Dir, error) {
	where, _ := o.locate()
	return store.Open(where.Value)
}

// form is the profile in which to write, and to compute what a record lacks.
func (o *options) form(ctx context.Context, d *store.Dir) (samp.Profile, error) {
	if p, ok := samp.ParseProfile(o.profile); ok {
		return p, nil
	}
	p, _, err := d.Profile(ctx)
	release()
	return p, err
}

// release gives back what a very long line took while the form was looked for,
// before the same line is read once more. It costs nothing otherwise.
func release() {
	const much = 32 << 20
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapAlloc > much {
		debug.FreeOSMemory()
	}
}

// completeAliases offers the aliases of those who take part.
func (o *options) completeAliases(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	d, err := o.openExisting()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer d.Close()
	names, _ := d.Aliases()
	return names, cobra.ShellCompDirectiveNoFileComp
}

// absolute reads a path as one of the working directory, which "" is itself.
func (o *options) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.env.Work, path)
	}
	return filepath.Clean(path)
}
