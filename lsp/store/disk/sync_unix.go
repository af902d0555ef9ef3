//go:build unix

package disk

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// canSync reports whether a directory can be synced.
const canSync = true

// NoWait keeps an open from waiting for the other end of a FIFO, and PlainOpen from
// following a link too.
const (
	NoWait    = unix.O_NONBLOCK
	PlainOpen = unix.O_NOFOLLOW | NoWait
)

// CanWrite reports whether files can be made in a directory, as far as its
// permissions and its file system say.
func CanWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }

// adopt returns a file that the superuser made to the owner of its folder: in a container
// the superuser often runs one tool and a user another.
func adopt(at *Root, name string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := at.Stat(".")
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 {
		return at.Lchown(name, int(st.Uid), int(st.Gid))
	}
	return nil
}
