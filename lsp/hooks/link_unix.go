//go:build !windows

package hooks

import "os"

// makeLink makes an absolute link, which still leads to the main checkout after git has moved
// the worktree. The main checkout itself is seldom moved.
func makeLink(tree *os.Root, l *Link, _ bool) (how string, err error) {
	return "link", tree.Symlink(l.Source, l.target)
}
