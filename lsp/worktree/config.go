package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// hookEvents returns the hooks that a new worktree triggers.
func hookEvents() []string {
	return []string{"post-checkout", "post-index-change", "reference-transaction"}
}

// Configuration that can make git run a program: at an event, or when it writes the files of a
// checkout. included matches the files that git reads on a condition, which may hold only in a
// new worktree.
const (
	configHooks = `^hook\..*\.(event|command)$`
	included    = `^includeif\..*\.path$`
	smudging    = `^(filter\..*\.(smudge|process)|lfs\.extension\..*\.smudge|lfs\.customtransfer\..*\.path|core\.(sshcommand|askpass)|credential\.(.*\.)?helper)$`
)

// setting is a variable of git's configuration.
type setting struct{ scope, name, value string }

// local reports whether the repository itself sets the variable. The user's own configuration
// is trusted.
func (s setting) local() bool { return s.scope == "local" || s.scope == "worktree" }

func (s setting) String() string {
	if strings.ContainsFunc(s.value, unicode.IsControl) {
		return fmt.Sprintf("%s = %q", s.name, s.value) // two lines could be misread
	}
	return s.name + " = " + s.value
}

// group returns the name without its last part, such as "filter.lfs".
func (s setting) group() string { return s.name[:strings.LastIndexByte(s.name, '.')] }

// settings returns the variables that apply in a folder and whose names match.
func (g *Git) settings(ctx context.Context, dir, pattern string) ([]setting, error) {
	out, err := g.look(ctx, dir, "config", "--show-scope", "--null", "--get-regexp", pattern)
	if err != nil && !foundNothing(err) {
		return nil, err
	}
	var list []setting
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		name, value, _ := strings.Cut(fields[i+1], "\n")
		list = append(list, setting{fields[i], name, value})
	}
	return list, nil
}

// noHooks returns the options that turn off hooks in files and, by their event, hooks in the
// configuration. git before 2.55 does not know the latter.
func noHooks() []string {
	options := []string{"-c", "core.hooksPath=/dev/null"}
	for _, event := range hookEvents() {
		options = append(options, "-c", "hook."+event+".enabled=false")
	}
	return options
}

// hooksOff returns the options that turn off every hook that runs in a folder.
func (g *Git) hooksOff(ctx context.Context, dir string) ([]string, error) {
	list, err := g.settings(ctx, dir, configHooks)
	if err != nil {
		return nil, err
	}
	options := noHooks()
	for _, s := range list {
		if options, err = set(options, s.group()+".enabled", "false"); err != nil {
			return nil, err
		}
	}
	return options, nil
}

// set adds a variable to git's options. git takes everything after the first "=" as the value.
func set(options []string, name, value string) ([]string, error) {
	if strings.Contains(name, "=") {
		return nil, fmt.Errorf("worktree: git's configuration has %q, a program that cannot be turned off because of the \"=\" in its name: rename it", name)
	}
	return append(options, "-c", name+"="+value), nil
}

// hookCommands returns the hooks in the configuration that a new worktree triggers, as git
// 2.54 and later run them.
func (g *Git) hookCommands(ctx context.Context, dir string) ([]string, error) {
	list, err := g.settings(ctx, dir, configHooks)
	if err != nil {
		return nil, err
	}
	setOff := map[string]bool{}
	for _, s := range list {
		if slices.Contains(hookEvents(), s.value) {
			setOff[s.group()] = true
		}
	}
	var hooks []string
	for _, s := range list {
		if setOff[s.group()] && strings.HasSuffix(s.name, ".command") {
			hooks = append(hooks, s.String())
		}
	}
	return hooks, nil
}

// programs returns the programs that filters run because of the repository's own
// configuration. If there is no filter, nothing runs them.
func (g *Git) programs(ctx context.Context, dir string) ([]string, error) {
	list, err := g.settings(ctx, dir, smudging)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(list, func(s setting) bool { return strings.HasPrefix(s.name, "filter.") }) {
		return nil, nil
	}
	return localOnes(list), nil
}

// localOnes returns the variables that the repository itself sets.
func localOnes(list []setting) []string {
	var own []string
	for _, s := range list {
		if s.local() {
			own = append(own, s.String())
		}
	}
	return own
}
