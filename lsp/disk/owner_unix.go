//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// superuser reports whether this process may give files away.
func superuser() bool { return os.Geteuid() == 0 }

// adopt gives what the superuser made to the owner of its folder. It is the open file: a
// name could mean another one by now, which the folder's owner chose. A file with a second
// name is such a one.
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

// keepOwner gives a file the owner and the group of the one that it replaces. Whoever is
// not the superuser can keep the group alone, and only their own.
func keepOwner(f *os.File, old fs.FileInfo) error {
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
