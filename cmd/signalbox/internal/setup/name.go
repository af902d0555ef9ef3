package setup

import (
	"context"
	"os"
	"os/exec"
	"os/user"
	"strings"
	"time"
	"unicode"

	"github.com/signalbox-dev/signalbox/core/samp"
	"golang.org/x/text/unicode/norm"
)

// gitTimeout is how long git may take to print a name.
const gitTimeout = 2 * time.Second

// proposeName returns an alias for the user, made from the name in the user's own git
// configuration, or from the account's name. It does not read a repository's
// configuration, and never returns the alias of the agent.
func (s *setup) proposeName(ctx context.Context, agent string) string {
	words := strings.Fields(s.gitName(ctx))
	if u, err := user.Current(); err == nil {
		// On Windows the machine's name precedes it.
		words = append(words, u.Username[strings.LastIndexByte(u.Username, '\\')+1:])
	}
	for _, word := range words {
		if alias := aliasOf(word); alias != "" && !strings.EqualFold(alias, agent) {
			return alias
		}
	}
	return "person"
}

func (s *setup) gitName(ctx context.Context) string {
	git := onPath(s.machine, "git")
	if git == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, git, "config", "--global", "--get", "user.name")
	cmd.Dir, cmd.WaitDelay = s.home, time.Second
	cmd.Env = append(os.Environ(), "HOME="+s.home)
	name, _ := cmd.Output()
	return string(name)
}

// aliasOf returns a word as an alias, in lower case without accents, or "".
func aliasOf(word string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(word) {
		switch r = unicode.ToLower(r); {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case (r == '-' || r == '_') && b.Len() > 0:
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '.' || r == ',':
		default:
			// If some letters cannot be in an alias, the rest is not the name.
			return ""
		}
	}
	if alias := b.String(); samp.CheckAlias(alias) == nil {
		return alias
	}
	return ""
}
