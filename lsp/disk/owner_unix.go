//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// superuser reports whether this process may change the owner of files.
func superuser() bool { return os.Geteuid() == 0 }

// adopt gives a file or folder that the superuser made to the owner of its parent folder. It
// takes the open file, since that owner may have put another file under the name. For the
// same reason it leaves a file with a second name alone.
func adopt(f *os.File, folder fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	made, ok := info.Sys().(*syscall.Stat_t)
	st, ok2 := folder.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || st.Uid == 0 || made.Uid != 0 || made.Nlink != 1 && !info.IsDir() {
		return nil
	}
	return f.Chown(int(st.Uid), int(st.Gid))
}

// copyOwner gives a file the owner and the group of the file that it replaces. Users other
// than the superuser can set only the group, and only to one of their own.
func copyOwner(f *os.File, old fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	was, ok := old.Sys().(*syscall.Stat_t)
	is, ok2 := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || !ok2 || was.Uid == is.Uid && was.Gid == is.Gid:
		return nil
	case superuser():
		return f.Chown(int(was.Uid), int(was.Gid))
	}
	_ = f.Chown(-1, int(was.Gid))
	return nil
}
