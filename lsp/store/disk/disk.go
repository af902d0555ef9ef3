// Package disk is what the stores do alike with files beneath an [os.Root]: how
// new ones are protected, how they are made to last, and how a failure is worded.
package disk

import (
	"errors"
	"io/fs"
	"os"
)

// Modes of what is written: private, unless the directory is one that a group
// shares.
const (
	PrivateDir  fs.FileMode = 0o700
	PrivateFile fs.FileMode = 0o600
	// GroupBits are those of a directory that a group shares.
	GroupBits fs.FileMode = 0o030
)

// DirMode is that of new directories in root.
func DirMode(root *os.Root) fs.FileMode {
	if info, err := root.Stat("."); err == nil && info.Mode().Perm()&GroupBits == GroupBits {
		return PrivateDir | 0o070
	}
	return PrivateDir
}

// FileMode is that of new files in root.
func FileMode(root *os.Root) fs.FileMode { return DirMode(root) & 0o666 }

// Cause takes the path out of a file error: the caller knows a better one.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// Kind says in words what stands under a name.
func Kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	case m.IsRegular():
		return "a file"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
