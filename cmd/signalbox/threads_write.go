package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/spf13/cobra"
)

// appName is what files that Signalbox makes say of who made them.
const appName = "Signalbox"

func (t *talks) newCommand() *cobra.Command {
	var n threads.NewThread
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Begin a thread, and print its id",
		Long: `Begin a thread and print its id. It stands in .agent/threads of the checkout that
contains the working directory, or of the --project. An .agent that is missing is
made, with a .gitignore that keeps conversations out of commits.`,
		Example: `  id=$(signalbox threads new --title "Fix the login")
  signalbox threads append "$id" "Fix the login bug in auth.ts"`,
		Args: cobra.NoArgs,
		RunE: action(func(cmd *cobra.Command, _ []string) error {
			if err := given(cmd, "title", "id", "agent", "agent-name"); err != nil {
				return err
			}
			if n.Title == "" {
				return usage(errors.New("usage: threads new --title TITLE"))
			}
			if n.ID != "" && !atsf.ValidID(n.ID) {
				return usage(fmt.Errorf("the id %q cannot be the name of a directory everywhere: 1 to 128 of A-Z a-z 0-9 . _ -, beginning with a letter or digit (L3)", n.ID))
			}
			return t.begin(cmd.Context(), n)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&n.Title, "title", "", "`title` of the thread")
	f.StringVar(&n.ID, "id", "", "its `id`, which must be free (default: a random UUID)")
	f.StringVar(&n.Agent.ID, "agent", "", "`id` of the agent (default: the project's)")
	f.StringVar(&n.Agent.Name, "agent-name", "", "`name` of the agent (default: its id)")
	return cmd
}

func (t *talks) begin(ctx context.Context, n threads.NewThread) error {
	folder, tree, err := t.place()
	if err != nil {
		return err
	}
	d, err := threads.CreateDir(folder, atsf.CreatedBy{Name: appName, Version: version})
	if err != nil {
		return err
	}
	defer d.Close()
	if n.Agent.ID == "" {
		config, err := d.Config()
		if err != nil {
			t.warn("%v", err)
		}
		n.Agent.ID = cmp.Or(config.Defaults.AgentID, noAgent)
	}
	n.Agent.Name = cmp.Or(n.Agent.Name, n.Agent.ID)
	n.Created = t.now().UnixMilli()
	n.Context = atsf.Context{WorkingDir: folder, RelativeDir: ".", GitBranch: tree.Branch, GitCommit: tree.Head}
	if tree.Path != "" && !tree.Main && tree.Branch != "" {
		n.Context.Worktree = &atsf.Worktree{Path: tree.Path, Branch: tree.Branch}
	}
	name, err := d.Create(ctx, n)
	if err != nil {
		return err
	}
	return t.madeThread(name, d.Folder())
}

// madeThread says the id of a new thread.
func (t *talks) madeThread(name, folder string) error {
	w := t.writer()
	if t.json {
		out := object{w: w}
		out.text("id", name).text("path", threadPath(folder, name)).end()
	} else {
		w.WriteString(name + "\n")
	}
	return w.Flush()
}

// saying is a message that is being given on the command line.
type saying struct {
	role, model, stop, whole string
	lines, images            []string
}

func (t *talks) appendCommand() *cobra.Command {
	var s saying
	cmd := &cobra.Command{
		Use:   "append <thread> [text…|-]",
		Short: "Add a message to a thread, and print the message's id",
		Long: `Add a message at the end of a thread and print its id. The text comes from the
arguments, from -m (each one a line), or from stdin. --message takes a whole
message as JSON instead, "-" for one on stdin: members that nobody knows are kept,
inline images are moved to assets/, and one that breaks a rule is refused.`,
		Example: `  signalbox threads append 3f2a "Fix the login bug" --image shot.png
  signalbox threads append 3f2a --role agent --model m1 --stop-reason end_turn -m "Done."`,
		Args: threadArgs("append <thread> [text…|-]", 1, 0),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := given(cmd, "role", "model", "stop-reason", "message"); err != nil {
				return err
			}
			if cmd.Flags().Changed("message") {
				for _, name := range []string{"role", "model", "stop-reason", "image", "line"} {
					if cmd.Flags().Changed(name) {
						return usage(fmt.Errorf("--message is a whole message: --%s cannot be given with it", name))
					}
				}
				if len(args) > 1 {
					return usage(errors.New("--message is a whole message: no text can be given with it"))
				}
			}
			return t.append(cmd.Context(), args[0], args[1:], &s)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&s.role, "role", atsf.RoleUser, "user, agent or system")
	f.StringVar(&s.model, "model", "", "`name` of the model that wrote it")
	f.StringVar(&s.stop, "stop-reason", "", "`why` the agent stopped, such as end_turn")
	f.StringVar(&s.whole, "message", "", "the whole message as `JSON`, or - for stdin")
	f.StringArrayVarP(&s.lines, "line", "m", nil, "a `line` of the text; may be repeated")
	f.StringArrayVar(&s.images, "image", nil, "`file` of a PNG, JPEG, GIF or WebP image; may be repeated")
	_ = cmd.RegisterFlagCompletionFunc("role", cobra.FixedCompletions([]string{atsf.RoleUser, atsf.RoleAgent, atsf.RoleSystem}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (t *talks) append(ctx context.Context, ref string, args []string, s *saying) error {
	if s.whole != "" {
		return t.appendWhole(ctx, ref, s.whole)
	}
	switch s.role {
	case atsf.RoleUser, atsf.RoleAgent, atsf.RoleSystem:
	default:
		return usage(fmt.Errorf("unknown role %q: a role is user, agent or system (M2)", s.role))
	}
	m := atsf.Message{ID: threads.NewID(), Role: s.role, Model: s.model, StopReason: s.stop}
	if len(args) > 0 || len(s.lines) > 0 || len(s.images) == 0 {
		text, err := t.body("threads append "+ref, args, s.lines)
		if err != nil {
			return err
		}
		if text == "" && len(s.images) == 0 {
			return usage(errors.New("the text is empty"))
		}
		if text != "" {
			m.Content = append(m.Content, atsf.Block{Type: atsf.TypeText, Text: text})
		}
	}
	// Before anything is written.
	images := make([][]byte, len(s.images))
	for i, path := range s.images {
		var err error
		if images[i], err = t.image(path); err != nil {
			return err
		}
	}
	found, err := t.findWritable(ctx, ref)
	if err != nil {
		return err
	}
	defer found.dir.Close()
	for _, content := range images {
		block, err := found.dir.Attach(ctx, found.name, content)
		if err != nil {
			return err
		}
		m.Content = append(m.Content, block)
	}
	return t.appended(found, m.ID, found.dir.Append(ctx, found.name, m))
}

func (t *talks) appendWhole(ctx context.Context, ref, whole string) error {
	if whole == "-" {
		var err error
		if whole, err = t.readAll(); err != nil {
			return err
		}
	}
	m, err := atsf.ParseMessage([]byte(whole))
	if err != nil {
		return fmt.Errorf("threads: append: %w", err)
	}
	found, err := t.findWritable(ctx, ref)
	if err != nil {
		return err
	}
	defer found.dir.Close()
	return t.appended(found, m.ID, found.dir.AppendRaw(ctx, found.name, []byte(whole)))
}

// appended says the id of a message that was stored.
func (t *talks) appended(found *talk, id string, err error) error {
	if stale, ok := errors.AsType[*threads.StaleError](err); ok {
		// The message is safe, which is what was asked for.
		t.warn("%v", stale)
	} else if err != nil {
		return err
	}
	w := t.writer()
	if t.json {
		out := object{w: w}
		out.text("id", id).text("thread", found.name).bool("stale", err != nil).end()
	} else {
		w.WriteString(threadName(id) + "\n")
	}
	return w.Flush()
}

// image reads an image file. It is looked at before any thread is.
func (t *talks) image(path string) ([]byte, error) {
	f, err := os.Open(t.absolute(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, threads.MaxAsset+1))
	if err != nil {
		return nil, err
	}
	if _, ok := atsf.ImageType(content); !ok {
		return nil, fmt.Errorf("%q is no PNG, JPEG, GIF or WebP image (B1)", path)
	}
	if len(content) > threads.MaxAsset {
		return nil, fmt.Errorf("%q is longer than %d bytes, and larger images are not shown (B1)", path, threads.MaxAsset)
	}
	return content, nil
}

func (t *talks) attachCommand() *cobra.Command {
	var role string
	var blockOnly bool
	cmd := &cobra.Command{
		Use:   "attach <thread> FILE",
		Short: "Store an image in a thread, with a message that shows it",
		Long: `Store a PNG, JPEG, GIF or WebP image in a thread's assets and add a message that
shows it. With --block no message is added: the block for one is printed, as
JSON.`,
		Args: threadArgs("attach <thread> FILE", 2, 2),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := given(cmd); err != nil {
				return err
			}
			if !blockOnly {
				return t.append(cmd.Context(), args[0], nil, &saying{role: role, images: args[1:]})
			}
			return t.attach(cmd.Context(), args[0], args[1])
		}),
	}
	cmd.Flags().StringVar(&role, "role", atsf.RoleUser, "user, agent or system")
	cmd.Flags().BoolVar(&blockOnly, "block", false, "add no message and print the block")
	return cmd
}

func (t *talks) attach(ctx context.Context, ref, path string) error {
	content, err := t.image(path)
	if err != nil {
		return err
	}
	found, err := t.findWritable(ctx, ref)
	if err != nil {
		return err
	}
	defer found.dir.Close()
	block, err := found.dir.Attach(ctx, found.name, content)
	if err != nil {
		return err
	}
	w := t.writer()
	out := object{w: w}
	out.text("type", block.Type).text("assetRef", block.AssetRef).text("mimeType", block.MimeType).end()
	return w.Flush()
}

func (t *talks) forkCommand() *cobra.Command {
	var p atsf.ForkPlan
	cmd := &cobra.Command{
		Use:   "fork <thread>",
		Short: "Continue a thread as another one, and print that one's id",
		Long: `Make a thread that begins with another one's messages, all or up to --through,
and names it as its parent. The images that these messages show are copied.`,
		Args: threadArgs("fork <thread>", 1, 1),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := given(cmd, "through", "title"); err != nil {
				return err
			}
			found, err := t.findWritable(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer found.dir.Close()
			p.Created = t.now().UnixMilli()
			name, err := found.dir.Fork(cmd.Context(), found.name, p)
			if err != nil {
				return err
			}
			return t.madeThread(name, found.dir.Folder())
		}),
	}
	cmd.Flags().StringVar(&p.Through, "through", "", "`id` of the last message that is taken over (default: all)")
	cmd.Flags().StringVar(&p.Title, "title", "", "`title` of the new thread (default: the old one's)")
	return cmd
}

func (t *talks) setCommand() *cobra.Command {
	var title string
	cmd := &cobra.Command{
		Use:   "set <thread> [KEY=JSON…]",
		Short: "Give a thread another title, or set members of its metadata",
		Long: `Give a thread another title, or set members of its metadata to JSON values. Every
other byte of thread.json stays.`,
		Example: `  signalbox threads set 3f2a --title "Fix the login for good"
  signalbox threads set 3f2a reviewed=true 'labels=["auth"]'`,
		Args: threadArgs("set <thread> [KEY=JSON…]", 1, 0),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := given(cmd, "title"); err != nil {
				return err
			}
			changes, err := settings(title, args[1:])
			if err != nil {
				return usage(err)
			}
			found, err := t.findWritable(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer found.dir.Close()
			return found.dir.Edit(cmd.Context(), found.name, changes...)
		}),
	}
	cmd.Flags().StringVar(&title, "title", "", "the new `title`")
	return cmd
}

// settings reads what is to be set.
func settings(title string, args []string) ([]atsf.Change, error) {
	var changes []atsf.Change
	if title != "" {
		changes = append(changes, atsf.SetTitle(title))
	}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not KEY=JSON", arg)
		}
		if !json.Valid([]byte(value)) {
			return nil, fmt.Errorf("the value of %q is not JSON: a text needs quotes, as in '%s=\"…\"'", key, key)
		}
		changes = append(changes, atsf.SetMetadata(key, []byte(value)))
	}
	if len(changes) == 0 {
		return nil, errors.New("nothing to set: give --title or KEY=JSON")
	}
	return changes, nil
}

func (t *talks) repairCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "repair <thread>",
		Short: "Bring a thread's counts and time in line with its messages",
		Long: `Bring stats and updatedAt of a thread's thread.json in line with its messages, and
say what was wrong. Every other byte stays.`,
		Args: threadArgs("repair <thread>", 1, 1),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := given(cmd); err != nil {
				return err
			}
			return t.repair(cmd.Context(), args[0])
		}),
	}
}

func (t *talks) repair(ctx context.Context, ref string) error {
	found, err := t.findWritable(ctx, ref)
	if err != nil {
		return err
	}
	defer found.dir.Close()
	changed, err := found.dir.Repair(ctx, found.name)
	if err != nil {
		return err
	}
	w := t.writer()
	for _, m := range changed {
		if t.json {
			out := object{w: w}
			out.text("field", m.Field).text("cached", m.Cached).text("derived", m.Derived).end()
			continue
		}
		fmt.Fprintf(w, "%s: %s -> %s\n", line(m.Field), line(cmp.Or(m.Cached, "(none)")), line(m.Derived))
	}
	if len(changed) == 0 && !t.json {
		w.WriteString("nothing to repair\n")
	}
	return w.Flush()
}
