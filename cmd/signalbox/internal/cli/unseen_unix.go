//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalID returns a number that the commands on one terminal have in common.
func TerminalID() int {
	id, _ := unix.Getsid(0) // it fails only for other processes
	return id
}

// IsUnseen reports whether nobody sees what is written to f: f is the null device, open
// for reading and writing. The Go runtime opens it that way in place of a closed
// stdout, and so do programs that discard the output of programs they start. A shell's
// "> /dev/null" opens it only for writing: that user chose to discard the output.
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
