//go:build unix

package session

import "syscall"

// fifo makes a pipe without a writer, on which a program that opens it waits.
func (b *fixture) fifo(path string) {
	b.t.Helper()
	b.ok(syscall.Mkfifo(b.path(path), 0o600))
}
