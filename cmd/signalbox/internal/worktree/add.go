package worktree

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/thread"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/hooks"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
	"github.com/spf13/cobra"
)

// addition is the worktree that is being added.
type addition struct {
	*commands
	want         worktree.AddOptions
	title, agent string
	noHooks, yes bool
	start        start
	// prompt is the first message of the thread, from the user or from worktreeHooks.
	prompt string

	plan  worktree.Addition
	hooks hooks.Plan
	// hooksFault is why the hooks cannot be read.
	hooksFault error

	tree worktree.Tree
	out  *bufio.Writer
}

func (t *commands) addCommand() *cobra.Command {
	a := &addition{commands: t}
	cmd := &cobra.Command{
		Use:   "add <name>",
		Short: "Make a git worktree, its thread, and what the project's hooks ask for",
		Long: `Make a git worktree on a branch of its name, a thread in it, and the links,
commands and first prompt of worktreeHooks in the main checkout's
.agent/config.json. What will be done is shown, with the commands whole, and
asked about; --yes confirms it for a script. If that file changes in between,
nothing runs.

It is made beside the main checkout, in a folder named after it with
".worktrees", unless --path names another place. A hook that fails is reported,
and costs neither the worktree nor the thread.

--start runs the agent's program there afterwards, in this terminal, with the first
prompt: that of --prompt-file, which starts it, too, or else that of worktreeHooks.`,
		Example: `  signalbox worktree add login
  signalbox worktree add hotfix --base v1.4 --agent claude-code --yes
  signalbox worktree add tests --agent claude --prompt-file prompt.md`,
		Args: cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			a.want.Name = args[0]
			if err := a.check(); err != nil {
				return cli.Usage(err)
			}
			return a.run(cmd.Context())
		}),
	}
	f := cmd.Flags()
	f.StringVar(&a.want.Path, "path", "", "`where` the worktree is made")
	f.StringVar(&a.want.Branch, "branch", "", "its `branch`, which is made if it does not exist (default: the name)")
	f.StringVar(&a.want.From, "base", "", "`commit` that a new branch starts at (default: HEAD)")
	f.StringVar(&a.title, "title", "", "`title` of the thread (default: the name)")
	f.StringVar(&a.agent, "agent", "", "`id` of the agent (default: the project's)")
	f.BoolVar(&a.start.wanted, "start", false, "start the agent's program there: "+strings.Join(agents.Programs(), ", "))
	f.StringVar(&a.start.promptFile, "prompt-file", "", "`file` with the agent's first prompt; it is started")
	f.BoolVar(&a.noHooks, "no-hooks", false, "leave out worktreeHooks")
	f.BoolVar(&a.want.GitHooks, "git-hooks", false, "let git run the repository's own hooks")
	f.BoolVarP(&a.yes, "yes", "y", false, "do not ask")
	return cmd
}

// check refuses names that git does not allow.
func (a *addition) check() error {
	if err := worktree.CheckName(a.want.Name); err != nil {
		return err
	}
	if a.want.Branch != "" {
		if err := worktree.CheckName(a.want.Branch); err != nil {
			return err
		}
	}
	if a.want.Path != "" {
		a.want.Path = a.Absolute(a.want.Path)
	}
	return nil
}

func (a *addition) run(ctx context.Context) error {
	if err := a.prepare(ctx); err != nil {
		if errors.Is(err, worktree.ErrName) {
			return cli.Usage(err)
		}
		return err
	}
	if err := a.show(); err != nil {
		return err
	}
	if err := a.Confirm(a.yes); err != nil {
		return err
	}
	// The file may have changed while the question was open.
	if !a.noHooks && a.hooksFault == nil {
		if err := a.hooks.Changed(); err != nil {
			return fmt.Errorf("nothing was done: %w", err)
		}
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	a.out = a.Writer()
	if err := errors.Join(a.make(ctx), a.out.Flush()); err != nil {
		return err
	}
	return a.begin()
}

// prepare works out what will be done. It changes nothing.
func (a *addition) prepare(ctx context.Context) error {
	if err := a.find(); err != nil {
		return err
	}
	var err error
	if a.plan, err = a.git().Plan(ctx, &a.repo, a.here(), a.want); err != nil {
		return err
	}
	if project := a.configFolder(); project != "" {
		a.hooks, a.hooksFault = hooks.Read(project, a.plan.Path, hooks.Platform(runtime.GOOS))
	}
	if a.noHooks || a.hooksFault != nil {
		a.hooks = hooks.Plan{Agent: a.hooks.Agent}
	}
	if a.title == "" {
		a.title = a.want.Name
	}
	if a.agent == "" {
		a.agent = a.hooks.Agent
	}
	if a.agent == "" {
		a.agent = talk.NoAgent
	}
	a.prompt = a.hooks.Prompt
	return a.startable()
}

// configFolder returns the folder whose config.json applies (rule Z11): the main checkout
// or, without one, the checkout that the command runs in.
func (a *addition) configFolder() string {
	if main, ok := a.repo.Main(); ok && main.Path != "" && !main.Missing {
		return main.Path
	}
	if here := a.here(); here.Path != "" {
		return here.Path
	}
	if strings.HasPrefix(a.folder+string(os.PathSeparator), a.repo.CommonDir+string(os.PathSeparator)) {
		return ""
	}
	return a.folder
}

// make does what was shown. Once the worktree exists, a failure is reported and the
// rest is done (rule H6). Only the first message needs a thread.
func (a *addition) make(ctx context.Context) (err error) {
	if a.tree, err = a.git().Add(ctx, &a.plan); err != nil {
		return err
	}
	a.madeTree()
	in := thread.Project(a.Options, a.tree.Path, true)
	a.note(ctx, in)
	made, err := in.Begin(talk.NewThread{Title: a.title, Agent: atsf.Agent{ID: a.agent}}) // rule L5
	if err != nil {
		return fmt.Errorf("the worktree was made, and no thread in it: %w", err)
	}
	defer made.Close()
	a.madeThread(made.Name)
	refused := false
	if !a.noHooks && !a.hooks.Empty() {
		refused = a.runHooks(ctx)
	}
	if a.prompt != "" && (!refused || a.start.promptFile != "") {
		// Even after an interrupt: the thread exists, and this takes no time. Whoever runs
		// the agent finds the prompt there (rule H5).
		a.recordedPrompt(made.Append(context.WithoutCancel(ctx), made.Name, atsf.Message{
			Role: atsf.RoleUser, Time: atsf.At(a.Now().UnixMilli()), Content: []atsf.Block{{Type: atsf.TypeText, Known: true, Text: a.prompt}},
		}))
	}
	if ctx.Err() != nil {
		return errors.New("interrupted: the worktree and its thread are there, and hooks were left out")
	}
	if refused && a.start.wanted {
		return errors.New("the agent was not started, since no hook was run")
	}
	return nil
}

// runHooks runs the hooks that were shown, and reports whether they were refused.
func (a *addition) runHooks(ctx context.Context) (refused bool) {
	report := a.hooks.Run(ctx, hooks.Options{
		Env: worktree.Environ(os.Environ()), Out: a.Stderr,
		Before: func(i int) { a.Warn("%s", "running "+cli.Line(a.hooks.Commands[i].Name())) },
	})
	a.ranHooks(&report)
	return report.Refused != nil
}
