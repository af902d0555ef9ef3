package worktree

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Blob returns a blob of a repository as it was committed, without running filters. The error
// is [ErrLarge] if it has more than most bytes.
func (g *Git) Blob(ctx context.Context, dir, name string, most int64) (string, error) {
	out, err := g.look(ctx, dir, "cat-file", "-s", name)
	if err != nil {
		return "", err
	}
	size, err := strconv.ParseInt(strings.TrimSpace(out), 10, 64)
	if err != nil {
		return "", fmt.Errorf("worktree: git cat-file: %w", err)
	}
	if size > most {
		return "", ErrLarge
	}
	return g.look(ctx, dir, "cat-file", "blob", name)
}

// dropUnchanged removes the files whose content equals their blob: git's index does not know
// yet that they are the same.
func (g *Git) dropUnchanged(ctx context.Context, root string, list []Change) []Change {
	var paths []string
	for _, c := range list {
		if c.mayBeSame() {
			paths = append(paths, c.Path)
		}
	}
	if len(paths) == 0 {
		return list
	}
	out, err := g.feed(ctx, root, strings.Join(paths, "\n")+"\n", noHooks(), noFetch(), []string{"hash-object", "--no-filters", "--stdin-paths"})
	hashes := strings.Fields(out)
	if err != nil || len(hashes) != len(paths) {
		return list // one was removed in the meantime
	}
	var kept []Change
	for _, c := range list {
		if c.mayBeSame() {
			same := c.Before == hashes[0]
			hashes = hashes[1:]
			if same {
				continue
			}
		}
		kept = append(kept, c)
	}
	return kept
}

// mayBeSame reports whether only a file's content can show whether it changed.
func (c *Change) mayBeSame() bool {
	return c.Status == Modified && c.After == "" && c.Kind == "" && !strings.ContainsAny(c.Path, "\n\"")
}
