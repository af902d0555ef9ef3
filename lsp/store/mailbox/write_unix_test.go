//go:build unix

package mailbox

import "syscall"

func setUmask(mask int) int { return syscall.Umask(mask) }
