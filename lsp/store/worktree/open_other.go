//go:build !unix

package worktree

// nonblock is 0 where opening a file does not wait.
const nonblock = 0
