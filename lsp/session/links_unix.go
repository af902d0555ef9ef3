//go:build unix

package session

import (
	"io/fs"
	"syscall"
)

// sameOwner reports whether two files have the same owner.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && x.Uid == y.Uid
}
