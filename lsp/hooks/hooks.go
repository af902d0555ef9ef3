// Package hooks runs a project's worktreeHooks: the links, commands and first
// prompt that its .agent/config.json wants for a new git worktree (ATSF 1.1,
// worktreeHooks, rules H1 to H6).
//
// Start with [Read], which makes a [Plan] to be shown and confirmed, and go on
// with [Plan.Run]. A config.json comes with somebody's repository, so running its
// hooks is running a stranger's program: what runs is exactly what the plan held,
// and nothing runs if the file has changed since.
//
// The package imports core, lsp/disk and golang.org/x/sys.
package hooks

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// maxConfig is the longest config.json that is read, in bytes.
const maxConfig = 1 << 20

// Plan is what the hooks of a project would do in a worktree.
type Plan struct {
	// Project is the folder with the config.json that counts: the main checkout of the
	// repository, never the new worktree, whose files are whatever its commit holds (rule
	// Z11). Links lead into it.
	Project string
	// Worktree is where links are made and commands run. It need not exist yet.
	Worktree string
	// File is the config.json, which need not exist.
	File string
	// Agent is the agent that the project prefers, or empty.
	Agent    string
	Links    []Link
	Commands []Command
	// Prompt becomes the thread's first user message (rule H5); it may be empty.
	Prompt string

	digest [sha256.Size]byte
}

// Link is a symbolic link to make (rule H1).
type Link struct {
	// Source and Target are absolute, or as in the file if Problem says that they cannot be
	// used.
	Source, Target string
	// TargetExists is set if the target exists. It then stays as it is.
	TargetExists bool
	// Problem is why the link cannot be made, a lower-case phrase, or empty.
	Problem string

	source, target string // with "/" between names, relative to their trees
}

// Command is a shell command to run (rules H3 and H4).
type Command struct {
	// Text is passed to the shell byte for byte. A stranger wrote it.
	Text, Label string
	Timeout     time.Duration
	// ContinueOnError lets the others run if this one fails.
	ContinueOnError bool
	// Other is set if the command is for another system, and is skipped.
	Other bool
	// Problem is why it must not run, a lower-case phrase, or empty.
	Problem string
}

// Name returns the text that a person is shown: the label or, without one, the command.
func (c *Command) Name() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Text
}

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool {
	return len(p.Links) == 0 && len(p.Commands) == 0 && p.Prompt == ""
}

// Read returns the plan of a project's hooks for a worktree. Both paths must be absolute
// and free of links. A project without a config.json has no hooks. A config.json that
// cannot be read is an error. A fault in a single hook is not: it is in the plan. platform
// is win32, darwin or linux.
func Read(project, worktree, platform string) (Plan, error) {
	p := Plan{Project: project, Worktree: worktree, File: filepath.Join(project, atsf.DirName, atsf.ConfigName)}
	data, err := readConfig(project)
	p.digest = sha256.Sum256(data)
	if err != nil || data == nil {
		return p, err
	}
	c, err := atsf.ParseConfig(data)
	if err != nil {
		return p, fmt.Errorf("hooks: read %q: %w", p.File, err)
	}
	p.Agent, p.Prompt = c.Defaults.AgentID, c.Hooks.InitialPrompt
	for i := range c.Hooks.Commands {
		p.Commands = append(p.Commands, planCommand(&c.Hooks.Commands[i], platform))
	}
	if len(c.Hooks.Symlinks) == 0 {
		return p, nil
	}
	root, err := os.OpenRoot(project)
	if err != nil {
		return p, fmt.Errorf("hooks: read: %w", err)
	}
	defer root.Close()
	for i := range c.Hooks.Symlinks {
		p.Links = append(p.Links, p.planLink(root, &c.Hooks.Symlinks[i]))
	}
	return p, nil
}

// Platform returns the name of a system in the specification, by its runtime.GOOS.
func Platform(goos string) string {
	if goos == "windows" {
		return "win32"
	}
	return goos
}

func planCommand(c *atsf.Command, platform string) Command {
	out := Command{
		Text: c.Command, Label: c.Label, Timeout: time.Duration(c.Timeout) * time.Millisecond,
		ContinueOnError: c.ContinueOnError, Other: !c.RunsOn(platform),
	}
	switch {
	case c.Fault != nil:
		out.Problem = c.Fault.Reason
	case platform == "win32" && strings.Contains(c.Command, "\n"):
		// cmd.exe would run only the first line, which is not what was shown.
		out.Problem = "a command of several lines cannot be run on Windows"
	}
	return out
}

func (p *Plan) planLink(project *os.Root, l *atsf.Symlink) Link {
	if l.Fault != nil {
		return Link{Source: l.Source, Target: l.Target, Problem: l.Fault.Reason}
	}
	out := Link{
		Source: filepath.Join(p.Project, filepath.FromSlash(l.Source)), Target: filepath.Join(p.Worktree, filepath.FromSlash(l.Target)),
		source: l.Source, target: l.Target,
	}
	if _, err := checkSource(project, l.Source); err != nil {
		out.Problem = err.Error()
		return out
	}
	_, err := os.Lstat(out.Target)
	out.TargetExists = err == nil
	return out
}

// Changed returns an error that wraps [ErrChanged] if the config.json is no longer the one
// from which the plan was made.
func (p *Plan) Changed() error {
	data, err := readConfig(p.Project)
	if err != nil {
		return err
	}
	if sha256.Sum256(data) != p.digest {
		return fmt.Errorf("hooks: %q %w", p.File, ErrChanged)
	}
	return nil
}

// ErrChanged means that the config.json is no longer the one that was shown.
var ErrChanged = errors.New("has changed since it was shown")

// readConfig reads the config.json in a project's .agent, and follows no link. It returns nil
// if there is none.
func readConfig(project string) ([]byte, error) {
	root, err := disk.OpenRoot(project)
	if err != nil {
		return nil, fmt.Errorf("hooks: read: %w", err)
	}
	defer root.Close()
	agent, err := root.OpenFolder(atsf.DirName)
	if err != nil {
		return nil, refused(filepath.Join(project, atsf.DirName), err)
	}
	defer agent.Close()
	file := filepath.Join(project, atsf.DirName, atsf.ConfigName)
	data, _, err := agent.ReadRegular(atsf.ConfigName, maxConfig)
	if err != nil {
		return nil, refused(file, err)
	}
	if len(data) > maxConfig {
		return nil, fmt.Errorf("hooks: read %q: is larger than 1 MiB", file)
	}
	return data, nil
}

// refused returns why a file or folder is not read, or nil if it does not exist.
func refused(at string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, other := errors.AsType[*disk.KindError](err); other {
		return fmt.Errorf("hooks: read: %q is a link or no regular file", at)
	}
	return fmt.Errorf("hooks: read %q: %w", at, err)
}
