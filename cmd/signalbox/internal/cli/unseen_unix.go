//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// IsUnseen reports whether what is written to f reaches nobody: f is the null
// device, open for reading and writing. The Go runtime puts that in the place
// of a stdout that was closed, and so do programs that start others with their
// output dropped. A shell's "> /dev/null" opens it for writing alone: whoever
// writes that has decided what becomes of the output.
func IsUnseen(f *os.File) bool {
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(null, info)
}
