//go:build !windows

package hooks

import "os"

// makeLink makes an absolute link: it still leads to the main checkout after the
// worktree was moved, which git does and knows; the main checkout moves seldom.
func makeLink(tree *os.Root, l *Link, _ bool) (how string, err error) {
	return "link", tree.Symlink(l.Source, l.target)
}
