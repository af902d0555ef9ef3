//go:build !unix

package store

// nonblock is 0 where opening a file does not wait.
const nonblock = 0
