package worktree

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// maxPrompt is the greatest length of a first prompt in bytes. The program gets it as an
// argument, and some systems refuse longer ones.
const maxPrompt = 64 << 10

// start is the agent's program to start in the new worktree.
type start struct {
	// wanted is set by --start, and by a file with a prompt.
	wanted     bool
	promptFile string
	// program is the path of the program.
	program string
}

// startable finds the program and reads its prompt before anything is done.
func (a *addition) startable() (err error) {
	if a.start.promptFile != "" {
		a.start.wanted = true
		if a.prompt, err = readPrompt(a.Absolute(a.start.promptFile)); err != nil {
			return err
		}
	}
	if !a.start.wanted {
		return nil
	}
	if !slices.Contains(agents.Programs(), a.agent) {
		return cli.Usage(fmt.Errorf("--agent is %q: a program that can be started is one of %s", a.agent, strings.Join(agents.Programs(), ", ")))
	}
	if !a.Terminal || !cli.IsTerminal(a.In) {
		return cli.Usage(errors.New("an agent is started in a terminal, and stdin or stdout is none"))
	}
	if a.start.program, err = exec.LookPath(a.agent); err != nil {
		return fmt.Errorf("worktree: start the agent: %w", err)
	}
	return nil
}

func readPrompt(path string) (string, error) {
	root, err := disk.OpenRoot(filepath.Dir(path))
	if err != nil {
		return "", fmt.Errorf("worktree: read the prompt: %w", err)
	}
	defer root.Close()
	data, _, err := root.ReadRegular(filepath.Base(path), maxPrompt)
	switch text := strings.TrimSpace(string(data)); {
	case err != nil:
		return "", fmt.Errorf("worktree: read the prompt: %w", err)
	case len(data) > maxPrompt:
		return "", fmt.Errorf("worktree: the prompt in %q is longer than %d bytes", path, maxPrompt)
	case text == "" || !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", fmt.Errorf("worktree: the prompt in %q is no text", path)
	default:
		return text, nil
	}
}

// argv returns the command line of the agent's program, and whether it contains the prompt.
// A Windows script gets no prompt, since its shell would interpret the text.
func (a *addition) argv() (words []string, prompted bool) {
	words = []string{a.start.program}
	ending := strings.ToLower(filepath.Ext(a.start.program))
	if a.prompt == "" || ending == ".cmd" || ending == ".bat" {
		return words, false
	}
	return agents.Prompted(a.agent, words, a.prompt)
}

// begin runs the agent's program in the worktree until it ends.
func (a *addition) begin() error {
	if !a.start.wanted {
		return nil
	}
	words, _ := a.argv()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = a.tree.Path, worktree.Environ(os.Environ())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.In, a.Stdout, a.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("worktree: the agent: %w", err)
	}
	return nil
}
