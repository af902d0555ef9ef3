//go:build unix

package threads

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// inode tells files of one name apart, so that one that took another's place
// is noticed even if it has its size and time.
func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// stampAt gives the stamp of a file below an open directory in one call of the
// system. It follows a link on the way, so that nothing may be built on it but
// whether to look again. ok is false where it cannot tell.
func stampAt(dir *os.File, path string) (s stamp, ok bool) {
	var st unix.Stat_t
	err := unix.Fstatat(int(dir.Fd()), path, &st, unix.AT_SYMLINK_NOFOLLOW)
	switch {
	case err == unix.ENOENT:
		return stamp{}, true
	case err != nil:
		return stamp{}, false
	}
	return stampOfStat(&st), true
}
