//go:build unix

package amp

import "syscall"

func setUmask(mask int) int { return syscall.Umask(mask) }
