//go:build unix

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Unshared returns an error unless a file or folder belongs to the calling user, no one else
// may read or change it, and it is a folder or has no second name.
func Unshared(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || int(st.Uid) != os.Geteuid():
		return errors.New("is another user's")
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("may be used by others: its mode is %04o", info.Mode().Perm())
	case !info.IsDir() && st.Nlink != 1:
		return errors.New("has a second name")
	}
	return nil
}
