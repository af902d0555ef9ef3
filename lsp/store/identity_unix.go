//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// identity tells files of one name apart, as their inodes do, and is zero where
// the system has no such thing. The number of the device is no part of it: it
// is another after some restarts.
type identity uint64

func identityOf(info fs.FileInfo) identity {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return identity(st.Ino)
	}
	return 0
}

// ours reports whether a file or folder belongs to the user of this process,
// and nobody else may read or write it.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}
