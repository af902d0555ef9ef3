//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalID returns a number that the commands on one terminal have in common.
func TerminalID() int {
	id, _ := unix.Getsid(0) // which fails for another process only
	return id
}

// IsUnseen reports whether nobody sees what is written to f: f is the null device,
// open for reading and writing. The Go runtime opens it so in place of a closed
// stdout, and so do programs that drop the output of programs they start. A shell's ">
// /dev/null" opens it for writing only: the user decided to drop the output.
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
