//go:build unix

package agn

import "syscall"

// modes tells that files have modes.
const modes = true

func setUmask(mask int) int { return syscall.Umask(mask) }
