package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
	"github.com/spf13/cobra"
)

func (o *options) worktreeCommand() *cobra.Command {
	t := &trees{options: o}
	cmd := &cobra.Command{
		Use:   "worktree",
		Short: "Git worktrees with a thread of their own",
		Long: `Make, list and remove git worktrees, each with a thread for the agent that works
there. add and remove show what they will do and ask before they do it; a script
says --yes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&t.project, "project", "", "a `folder` of the repository (default: the working directory)")
	_ = cmd.MarkPersistentFlagDirname("project")
	cmd.AddCommand(t.addCommand(), t.listCommand(), t.removeCommand())
	return cmd
}

// trees is what the three commands share.
type trees struct {
	*options
	project string
	yes     bool

	folder string // that of the project, absolute, links resolved
	repo   worktree.Repository
}

// find finds the repository that the command is about.
func (t *trees) find() error {
	folder := t.absolute(t.project)
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return fmt.Errorf("worktree: find: %w", err)
	}
	t.folder = real
	if t.repo, err = worktree.Find(real); err != nil {
		return err
	}
	for _, p := range t.repo.Problems {
		t.warn("%s %s", p.File, p.Reason)
	}
	if t.repo.CommonDir == "" {
		return fmt.Errorf("worktree: %q is in no git repository that can be read", folder)
	}
	return nil
}

// here is the checkout that the command is given in, or the repository's own
// entry.
func (t *trees) here() worktree.Tree {
	if tree, ok := t.repo.At(t.folder); ok {
		return tree
	}
	main, _ := t.repo.Main()
	return main
}

// git runs in the user's environment.
func (t *trees) git() *worktree.Git { return &worktree.Git{Env: os.Environ()} }

// maxAnswer is how much of an answer is read, in bytes.
const maxAnswer = 100

// confirm asks whether to do what was shown. Without a terminal there is nobody
// to ask, and so nothing is done.
func (p *program) confirm(yes bool) error {
	if yes {
		return nil
	}
	if !isTerminal(p.in) {
		return errors.New("nothing was done: this has to be confirmed, and stdin is no terminal (--yes confirms it)")
	}
	io.WriteString(p.stderr, "Go on? [y/N] ")
	answer, _ := bufio.NewReader(io.LimitReader(p.in, maxAnswer)).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errors.New("nothing was done")
}

// sheet is what is shown before it is done, on stderr, so that stdout holds
// results alone. Everything on it is made safe.
type sheet struct{ w *bufio.Writer }

func (p *program) sheet() sheet { return sheet{bufio.NewWriter(p.stderr)} }

// row is a name and a line of text.
func (s sheet) row(name, format string, args ...any) {
	text, _ := render.Line(fmt.Sprintf(format, args...), 0)
	fmt.Fprintf(s.w, "  %-13s %s\n", name, text)
}

// text shows a text whole, with each line marked as its own, so that none can
// pass for a line of the sheet.
func (s sheet) text(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(reveal(render.Text(text)), "\n"), "\n") {
		fmt.Fprintf(s.w, "    | %s\n", line)
	}
}

// maxBlank is the longest run of blanks that is shown as it is, and maxEmpty that
// of lines with nothing else.
const (
	maxBlank = 32
	maxEmpty = 2
)

// reveal counts long runs of blanks and of blank lines instead of showing them:
// they would push what comes after them out of sight. It takes a text that
// [render.Text] made safe, in which every other character can be seen.
func reveal(s string) string {
	var b strings.Builder
	for s != "" {
		n := strings.IndexFunc(s, isBlank)
		if n < 0 {
			n = len(s)
		}
		b.WriteString(s[:n])
		rest := strings.TrimLeftFunc(s[n:], isBlank)
		lines := strings.Split(s[n:len(s)-len(rest)], "\n")
		if empty := len(lines) - 2; empty > maxEmpty {
			lines = []string{lines[0], fmt.Sprintf("⟨%d empty lines⟩", empty), lines[len(lines)-1]}
		}
		for i, line := range lines {
			if i > 0 {
				b.WriteByte('\n')
			}
			if n := utf8.RuneCountInString(line); n > maxBlank {
				line = fmt.Sprintf("⟨%d blanks⟩", n)
			}
			b.WriteString(line)
		}
		s = rest
	}
	return b.String()
}

// isBlank reports whether a character of a safe text shows as nothing but room.
func isBlank(r rune) bool { return r == '\n' || r == '\t' || unicode.Is(unicode.Zs, r) }

// oneName checks that a command got a name.
func oneName(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage(fmt.Errorf("usage: worktree %s", command))
		}
		return nil
	}
}
