package panel

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// branchMost bounds the threads of a branch that are shown.
const branchMost = 10

// everyday are branches that are words before they are names. A text that has one
// speaks of something else.
var everyday = []string{
	"main", "master", "trunk", "dev", "develop", "development", "head", "next", "stable", "staging", "stage", "test", "testing", "prod", "production",
	"release", "releases", "hotfix", "default", "origin", "upstream", "gh-pages", "docs", "wip", "feature", "fix", "backup", "tmp", "temp", "new", "old",
}

// isBranch tells whether a token can be taken for a branch of git.
func isBranch(token string) bool {
	return token != "" && len(token) <= 255 && !slices.Contains(everyday, strings.ToLower(token)) && !strings.ContainsAny(token, " \t\r\n~^:?*[\\")
}

// onBranch gives the threads of agents that were begun on a branch, or stand in its
// worktree. The token has to be the whole name.
func (p *Panels) onBranch(token string) (*threads.Snapshot, []*threads.Item) {
	now := p.agents()
	if !isBranch(token) {
		return now, nil
	}
	return now, now.Branch(token, branchMost)
}

func (p *Panels) locateBranch(_ context.Context, l *Located) bool {
	now, list := p.onBranch(l.Token)
	if len(list) == 0 {
		return false
	}
	l.Status, l.Kind, l.Protocol = "found", "branch", "atsf"
	l.Title = safe(l.Token) + ": " + count(len(list), "thread", "threads")
	if len(list) == 1 {
		ref := agentRef(list[0])
		l.Thread = &ref
	}
	for _, it := range list {
		l.Places = append(l.Places, agentPlaces(now, it)...)
	}
	return true
}

// resolveBranch shows the threads of agents on a branch.
func (p *Panels) resolveBranch(link ResolvedLink) ResolvedLink {
	now, list := p.onBranch(link.Token)
	if len(list) == 0 {
		return link
	}
	ref := agentRef(list[0])
	link.Status, link.Kind, link.Agent, link.Thread = "found", "branch", true, &ref
	link.Title = safe(link.Token)
	var b strings.Builder
	b.WriteString("**Branch** " + markup.Code(shorten(link.Token)) + " · " + count(len(list), "agent thread", "agent threads") + "\n\n")
	for i, it := range list {
		b.WriteString("- " + agentWords(now, it) + " · " + When(clampTime(it.Updated)) + "\n")
		if i > 0 && i < relatedShown {
			link.Related = append(link.Related, agentLink(it))
		}
	}
	link.Preview = within(b.String())
	return link
}

// joined makes a path of a root and a file beneath it.
func joined(root, file string) string { return filepath.Join(root, filepath.FromSlash(file)) }
